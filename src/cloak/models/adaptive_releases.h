#ifndef CLOAK_MODELS_ADAPTIVE_RELEASES_H_
#define CLOAK_MODELS_ADAPTIVE_RELEASES_H_

#include <cstddef>
#include <string>

#include "cloak/linalg/matrix.h"
#include "cloak/privacy/budget.h"

namespace cloak {

// Several releases, each of which is planned from what the ones before it
// published.

// The shares of the budget (of mu²) that they get: the first only need to find
// out roughly where the outputs are.
inline constexpr double kBudgetShares[] = {0.06, 0.08, 0.12, 0.2, 0.54};

// Returns what a release is called: "round 2 of 5" for the second, whose place
// is 1.
std::string ReleaseName(size_t place);

// Keeps several Gaussian releases within one budget. Each is mu_j-Gaussian-DP
// for every result of the others, and mu² adds up, also where one is chosen by
// looking at the results of others (Dong, Roth and Su 2022, Theorem 4 and
// Corollary 2).
class SharedBudget {
 public:
  explicit SharedBudget(const Budget& budget);

  // Returns the noise of a release with this share of mu², in sensitivities,
  // never too little.
  double Sigma(double share) const;
  // To be called before each release. Throws PrivacyFailure when all so far and
  // this one are more than the budget.
  void Spend(double mu);

 private:
  double sigma_;
  double mu_;
  double spent_ = 0;  // mu², rounded up
};

// How much of the outputs bounds may clip.
struct Clipping {
  // They hold at least so many standard deviations of an output from what is
  // believed of it.
  double least_deviations = 3;
  // If noise is skewed, as an exponential variable is, clipping moves its mean
  // by at most this, in terms of the standard deviation up to which f is known.
  double most_moved = 1.0 / 6;
};

// Returns how far from what is believed of f an output may lie before it is
// clipped, where f is known up to a standard deviation of `sd`, and an
// observation has one of `noise` around it.
double HalfWidthAround(double sd, double noise, const Clipping& clipping = {});

// The least width of bounds, as a fraction of d.
inline constexpr double kLeastWidth = 0.01;

}  // namespace cloak

#endif  // CLOAK_MODELS_ADAPTIVE_RELEASES_H_
