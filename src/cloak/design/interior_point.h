#ifndef CLOAK_DESIGN_INTERIOR_POINT_H_
#define CLOAK_DESIGN_INTERIOR_POINT_H_

#include <functional>

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

  // B · points, for the linear map B by which the gradient at a is |B a|².
  virtual Matrix Whitened(const Matrix& points, const Matrix& support,
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
  Matrix points;   // those given, and then those added
  Vector weights;  // λ ≥ 0, one for each point
  // No point has a larger gradient than this.
  double largest = 0;
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
// When there are more points than can be listed, `more_points` is asked for
// columns with a gradient above `limit`, each time that all those known are
// satisfied, until it has none that matter or it takes too long: who gives
// `more_points` MUST find the gap over all points.
//
// Otherwise throws Error when the tolerance is not reached: an uncertified
// design is not returned.
using MorePoints = std::function<Matrix(const Matrix& support,
                                        const Vector& weights, double limit)>;
DesignWeights OptimizeWeights(const DesignCriterion& criterion,
                              const Matrix& points,
                              const InteriorPointOptions& options,
                              const MorePoints& more_points = nullptr);

}  // namespace cloak

#endif  // CLOAK_DESIGN_INTERIOR_POINT_H_
