#ifndef CLOAK_MODELS_ROUNDS_H_
#define CLOAK_MODELS_ROUNDS_H_

#include <cstddef>
#include <string>

#include "cloak/linalg/matrix.h"
#include "cloak/privacy/budget.h"

namespace cloak {

// Releases in several rounds, each of which knows what the ones before it
// published.

// Of the budget (of mu²): the first rounds only need to find out roughly where
// the outputs are.
inline constexpr double kRoundShares[] = {0.06, 0.08, 0.12, 0.2, 0.54};

// "round 2 of 5" for the second, whose place is 1.
std::string RoundName(size_t place);

// One budget for several Gaussian releases. Each is mu_j-Gaussian-DP for every
// result of the others, and mu² adds up, also where one is chosen by looking at
// the results of others (Dong, Roth and Su 2022, Theorem 4 and Corollary 2).
class RoundBudget {
 public:
  explicit RoundBudget(const Budget& budget);

  // The noise of a release with this share of mu², in sensitivities, never too
  // little.
  double Sigma(double share) const;
  // To be called before each release. Throws PrivacyFailure when all so far and
  // this one are more than the budget.
  void Spend(double mu);

 private:
  double sigma_;
  double mu_;
  double spent_ = 0;  // mu², rounded up
};

// How far from what is believed of f an output may lie before it is clipped,
// where f is known up to a standard deviation of `sd`, and an observation has
// one of `noise` around it.
double HalfWidthAround(double sd, double noise);

// The least width of bounds, as a fraction of d.
inline constexpr double kLeastWidth = 0.01;

}  // namespace cloak

#endif  // CLOAK_MODELS_ROUNDS_H_
