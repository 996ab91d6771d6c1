#ifndef CLOAK_GP_VARAH_H_
#define CLOAK_GP_VARAH_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// How far the weights of a process can move when one output does, without
// looking at the inputs (Smith 2018, supplement, equation 11).
//
// Varah 1975: where J is strictly diagonally dominant,
//   Δ_i(J) = |J_ii| − Σ_(j≠i) |J_ij| > 0 for every row i,
// the largest row sum of |J⁻¹| is at most 1/min_i Δ_i(J). With J = K + σ²I,
// which is symmetric, the weights α = J⁻¹y of the mean function
// f(x) = Σ_i α_i k(x, x_i) change, when one output changes by at most d, by
//   Σ_i |α_i − α_i'| ≤ d/min_i Δ_i(J),
// hence f by at most k(0) times that everywhere, and by at most √k(0) times
// that in the norm of the RKHS.
//
// No plan uses it: it is there to judge published releases by, and for those of
// functions whose inputs are public.
//
// It is of little use beyond that: most processes are far from dominant (nearby
// inputs, little noise), and then there is no bound here at all. It is for a
// change of an *output*: when an input changes, so does J, of which equation 11
// says nothing. And the bound of one matrix is a function of its inputs: to
// publish noise of that size is private only where the inputs are public. Where
// they are not, take VarahWeightSensitivity, which knows of them only what is
// public.

// At least the largest row sum of |J⁻¹|, rounded up. Throws InvalidInput when
// J is not square and finite, or not strictly diagonally dominant.
double VarahBound(const Matrix& J);

// Says what public knowledge must tell of inputs that nobody may see.
struct SeparatedInputs {
  Index count = 0;
  // k(x, x), the same at every x.
  double variance = 0;
  // The most that |k(x, x')| can be between two of them: k at their least
  // separation for a kernel that falls with distance, or `variance` where
  // nothing is known of it.
  double largest_covariance = 0;
  double noise_variance = 0;
};

// The same for every set of inputs that keeps this: at least
//   d/(k(0) + σ² − (n − 1) k_sep)  ≥  Σ_i |α_i − α_i'|,
// rounded up, when one output changes by at most d = `width`. Nothing holds
// for inputs that do not keep the separation, so it must be enforced, or true
// of every table that could have been. Throws InvalidInput unless that
// difference is positive: with no separation known, unless
// σ² > (n − 2) k(0).
double VarahWeightSensitivity(const SeparatedInputs& inputs, double width);

}  // namespace cloak

#endif  // CLOAK_GP_VARAH_H_
