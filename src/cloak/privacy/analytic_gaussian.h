#ifndef CLOAK_PRIVACY_ANALYTIC_GAUSSIAN_H_
#define CLOAK_PRIVACY_ANALYTIC_GAUSSIAN_H_

#include "cloak/privacy/budget.h"
#include "cloak/privacy/integer128.h"

namespace cloak {

// Calibration of the Gaussian mechanism by its exact privacy curve (Balle and
// Wang 2018, "Improving the Gaussian Mechanism for Differential Privacy",
// Theorem 8). Noise N(0, sigma^2 I) on a statistic of L2 sensitivity 1 is
// (epsilon, delta)-private if and only if
//
//   delta >= Phi(1/(2 sigma) - epsilon sigma)
//            - e^epsilon Phi(-1/(2 sigma) - epsilon sigma),        (1)
//
// which decreases in sigma. The papers' sigma = sqrt(2 ln(2/delta))/epsilon
// satisfies (1) only for epsilon <= 1 and is not used.
//
// (1) is a difference of nearly equal numbers, so it is evaluated with MPFR,
// every operation rounded in the direction that can only make the result
// larger, in a precision that grows until the answer is decided.

// A double that is at least the right-hand side of (1), and equal to it to the
// last bit or two. Throws InvalidInput unless 0 <= epsilon <=
// Budget::kMaxEpsilon and sigma is finite and positive.
double GaussianDeltaUpper(double epsilon, double sigma);

// A double that is at least the delta at epsilon of mu-Gaussian-DP, that is of
// sigma = 1/mu in (1), mu >= 0, in fewer digits and less time.
double GaussianDeltaOfMu(double epsilon, double mu);

// The smallest epsilon up to Budget::kMaxEpsilon for which mu-Gaussian-DP is
// certified to be (epsilon, delta)-private, or infinity; delta >= 0.
double GaussianEpsilonOfMu(double mu, double delta);

// A double mu, the largest or next to it, such that mu-Gaussian-DP is certified
// to keep to the budget. Throws PrivacyFailure when none can be certified.
double GaussianMu(const Budget& budget);

// The smallest double that is at least 1/GaussianMu(budget): (1) is certified
// to hold, and hardly any smaller sigma will do. A statistic whose noise is at
// least this many sensitivities is mu-Gaussian-DP with a double mu that a
// filter for the same budget admits.
double GaussianSigma(const Budget& budget);

// The papers' constant, sqrt(2 ln(2/delta))/epsilon (Smith et al. 2018,
// equation 2), for those who want to reproduce their figures. It is no
// calibration: above epsilon = 1 it may be less than GaussianSigma.
double PublishedGaussianSigma(const Budget& budget);

// The smallest integer s >= sigma * sqrt(sensitivity_squared), computed
// exactly (in integers, from the bits of the double sigma): the noise scale
// of a statistic whose sensitivity is known as an exact integer. Throws
// PrivacyFailure unless sigma is finite and positive, sensitivity_squared is
// positive and the result fits in 128 bits.
Uint128 SigmaInUnits(double sigma, Uint128 sensitivity_squared);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_ANALYTIC_GAUSSIAN_H_
