#ifndef CLOAK_DESIGN_INTERIOR_POINT_H_
#define CLOAK_DESIGN_INTERIOR_POINT_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// A criterion ψ of optimal design: a concave function of S = Σ λ_i a_i a_iᵀ,
// the a_i being the columns of a matrix.
class DesignCriterion {
 public:
  virtual ~DesignCriterion() = default;

  // ∂ψ/∂λ_i for every column of `points`, at the S of `support` (some columns
  // and their weights). Throws Error when S is singular.
  virtual Vector Gradient(const Matrix& points, const Matrix& support,
                          const Vector& weights) const = 0;

  // −∂²ψ/∂λ_i∂λ_j between the columns of `support`, positive semi-definite.
  virtual Matrix Curvature(const Matrix& support,
                           const Vector& weights) const = 0;

  // No weights have an objective better by more than this, as a fraction,
  // given the largest gradient over all points.
  virtual double Gap(double largest_gradient, const Matrix& support,
                     const Vector& weights) const = 0;
};

struct DesignWeights {
  Vector weights;  // λ ≥ 0, one for each point
  double gap = 0;
  int iterations = 0;  // factorisations of a Newton system
};

struct InteriorPointOptions {
  double tolerance = 1e-7;
  int max_iterations = 300;
};

// Maximises ψ(λ) − Σ λ_i over λ ≥ 0, where the constraint of the noise design
// dual to it is ∂ψ/∂λ_i ≤ 1. A primal-dual interior-point method on a working
// set of points, to which points that violate the constraint are added until
// there are none: only few points, at most r(r+1)/2, need weight.
//
// Throws Error when the tolerance is not reached: an uncertified design is
// not returned.
DesignWeights OptimizeWeights(const DesignCriterion& criterion,
                              const Matrix& points,
                              const InteriorPointOptions& options);

}  // namespace cloak

#endif  // CLOAK_DESIGN_INTERIOR_POINT_H_
