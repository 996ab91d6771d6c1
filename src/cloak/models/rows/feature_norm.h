#ifndef CLOAK_MODELS_ROWS_FEATURE_NORM_H_
#define CLOAK_MODELS_ROWS_FEATURE_NORM_H_

#include <string>

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// max Σ_j k(x, z_j)² over lower ≤ x ≤ upper, up to rounding, or a little more:
// at most a thousandth, unless there are so many points or inputs that this
// would take long. For a kernel that decreases with the distance in every
// input (KernelShape).
//
// Branch and bound: over a box of x, each term is at most its value at the
// point of the box that is nearest to z_j, input by input, because k decreases
// with the distance in each; so their sum is an upper bound for the box, and
// the sum at its middle a lower bound of the maximum. Boxes are halved, those
// with the largest bound first.
double LargestSquaredNorm(const Kernel& kernel, const Matrix& Z,
                          const Vector& lower, const Vector& upper);

// How the largest norm of the covariances k(x) = (k(x, z_1), …, k(x, z_M)) with
// M inducing points is bounded, for x anywhere in a box (Honkela and Melkas
// 2021, section 3.2; the numbers are their equations).
enum class NormBound {
  kTightest,   // the least of those below that can be proved
  kTrivial,    // (4): √M sup k, of any bounded kernel
  kOrdered,    // (7): one input, a kernel that decreases with the distance
  kSeparated,  // (8): points at least a distance apart, a function of r alone
  kCertified,  // (9): the largest value over the box, which (9) and (11) only
               // make plausible, certified by branch and bound
};

// "tightest", "trivial", "ordered", "separated", "certified".
std::string NameOf(NormBound bound);
// Throws InvalidInput when there is no bound of that name.
NormBound NormBoundNamed(const std::string& name);

// max_x |k(x)| over the box, or more. Throws InvalidInput that says why when
// the bound cannot be proved for this kernel and these points.
//
// A mistake here would cost accuracy, not privacy: MomentMechanism shrinks
// what is longer than this.
double FeatureNorm(const Kernel& kernel, const Matrix& Z, const Vector& lower,
                   const Vector& upper, NormBound bound);

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_FEATURE_NORM_H_
