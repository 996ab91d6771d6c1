#include "cloak/models/adaptive_releases.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/directed.h"

namespace cloak {

std::string ReleaseName(size_t place) {
  return Text("round ", place + 1, " of ", std::size(kBudgetShares));
}

SharedBudget::SharedBudget(const Budget& budget)
    : sigma_(GaussianSigma(budget)), mu_(GaussianMu(budget)) {}

double SharedBudget::Sigma(double share) const {
  RequirePrivacy(share > 0 && share <= 1,
                 "a share of the budget must be positive and at most all");
  return sigma_ / std::sqrt(share) * (1 + 0x1p-40);
}

void SharedBudget::Spend(double mu) {
  const double spent = SumUp(spent_, SquareUp(mu));
  RequirePrivacy(spent <= mu_ * mu_ * (1 - 0x1p-50),
                 "the rounds would cost more than their budget");
  spent_ = spent;
}

// Clipping an exponential variable at k standard deviations moves its mean by
// e^(−k−1) of them. Another round takes at most two thirds off sd.
double HalfWidthAround(double sd, double noise, const Clipping& clipping) {
  const double known = std::max(sd, 1e-6 * noise);
  const double for_skewed = std::log(noise / (clipping.most_moved * known)) - 1;
  return std::max(clipping.least_deviations, for_skewed) *
         std::hypot(noise, known);
}

}  // namespace cloak
