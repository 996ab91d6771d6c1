#include "cloak/selection/private_selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "tests/testing/randomness_for_testing.h"
#include "tests/testing/small_release.h"

namespace cloak {
namespace {

struct Expected {
  Repeats repeats;
  double epsilon;
  double delta;
  double mu;
};

// mu by minimising Papernot and Steinke's formulas over both orders with a
// generic optimiser and solving for mu (SciPy).
TEST(PrivateSelectionTest, RenyiAccountingAgreesWithAnIndependentOne) {
  for (const Expected& e : std::vector<Expected>{
           {NegativeBinomialRepeats(1, 0.1), 1, 1e-5, 0.11739887430803},
           {NegativeBinomialRepeats(1, 0.01), 3, 1e-4, 0.28840709534839},
           {NegativeBinomialRepeats(0, 0.01), 1, 1e-5, 0.13310157153625},
           {NegativeBinomialRepeats(-0.5, 0.05), 2, 1e-6, 0.33213358340272},
           {PoissonRepeats(10), 1, 1e-5, 0.13633175640402},
           {PoissonRepeats(100), 3, 1e-4, 0.14313674662288}}) {
    const SelectionCost cost = CostOfSelection(
        Budget(e.epsilon, e.delta), e.repeats, SelectionAccounting::kRenyi);
    // Never more, and hardly less.
    EXPECT_LE(cost.candidate_mu, e.mu * (1 + 1e-7));
    EXPECT_GT(cost.candidate_mu, e.mu * (1 - 1e-3));
    EXPECT_LE(GaussianMu(cost.candidate), cost.candidate_mu);
    EXPECT_GT(GaussianMu(cost.candidate), cost.candidate_mu * (1 - 1e-6));
    const auto& event = std::get<SelectionEvent>(cost.event);
    EXPECT_EQ(event.repeats(), e.repeats);
    EXPECT_EQ(std::get<GaussianEvent>(event.candidate()).mu(),
              cost.candidate_mu);
  }
}

TEST(PrivateSelectionTest, PublishedAccountingIsThatOfAlgorithm2) {
  const double gamma = 0.01;
  const SelectionCost cost =
      CostOfSelection(Budget(3, 1e-4), NegativeBinomialRepeats(1, gamma),
                      SelectionAccounting::kPublished);
  const double epsilon = cost.candidate.epsilon();
  const double delta = cost.candidate.delta();
  // Equation (23), with the best δ₂.
  const double delta2 = std::sqrt(2 * delta) / gamma;
  const double T = std::log(1 / delta2) / gamma;
  EXPECT_NEAR(3 * epsilon + 3 * std::sqrt(2 * delta), 3, 1e-8);
  EXPECT_NEAR(std::sqrt(2 * delta) * T + delta2, 1e-4, 1e-11);
  EXPECT_EQ(cost.event, PrivacyEvent(ApproximateEvent(3, 1e-4)));
  EXPECT_EQ(cost.candidate_mu, GaussianMu(cost.candidate));
}

// The distribution of the best of K draws of outcomes with these probabilities,
// the last the best, K geometric.
std::vector<double> BestOf(const std::vector<double>& p, double gamma) {
  std::vector<double> best;
  double F = 0;
  double before = 0;
  for (const double probability : p) {
    F += probability;
    const double now = gamma * F / (1 - (1 - gamma) * F);
    best.push_back(now - before);
    before = now;
  }
  return best;
}

// The claim of the header, carried out on the worst (ε, δ)-DP candidate, with
// its outcomes in every order of scores.
TEST(PrivateSelectionTest, BestOfApproximateCandidatesCostsLessThanPublished) {
  const double gamma = 0.05;
  for (const double epsilon : {0.1, 1.0}) {
    for (const double delta : {1e-2, 1e-6}) {
      const double likely = (1 - delta) / (1 + std::exp(-epsilon));
      const double rare = 1 - delta - likely;
      std::vector<int> order = {0, 1, 2, 3};
      double worst = 0;
      do {
        const std::vector<double> on_d = {delta, likely, rare, 0};
        const std::vector<double> on_other = {0, rare, likely, delta};
        std::vector<double> p, q;
        for (const int i : order) {
          p.push_back(on_d[static_cast<size_t>(i)]);
          q.push_back(on_other[static_cast<size_t>(i)]);
        }
        const std::vector<double> a = BestOf(p, gamma);
        const std::vector<double> b = BestOf(q, gamma);
        double total = 0;
        for (size_t i = 0; i < 4; ++i) {
          total += std::max(0.0, a[i] - std::exp(3 * epsilon) * b[i]);
        }
        worst = std::max(worst, total);
      } while (std::next_permutation(order.begin(), order.end()));
      EXPECT_LE(worst, delta / gamma * (1 + 1e-9));
      // It is nearly so bad: δ alone would not do.
      EXPECT_GT(worst, std::min(0.1, 0.3 * delta / gamma));
      const double published = std::sqrt(2 * delta) / gamma;
      if (published < 1) {
        EXPECT_LT(delta / gamma, published * (1 - std::log(published)));
      }
    }
  }
}

// A number of tries that cannot be drawn has a probability too, of up to 2^-90,
// which must be small beside delta.
TEST(PrivateSelectionTest, RefusesADeltaThatDrawingTriesWouldExceed) {
  const NegativeBinomialRepeats geometric(1, 0.01);
  for (const auto accounting :
       {SelectionAccounting::kRenyi, SelectionAccounting::kPublished}) {
    EXPECT_NO_THROW(CostOfSelection(Budget(2, 1e-18), geometric, accounting));
    EXPECT_THROW(CostOfSelection(Budget(2, 1e-21), geometric, accounting),
                 InvalidInput);
    EXPECT_THROW(CostOfSelection(Budget(60, 1e-5), geometric, accounting),
                 InvalidInput);
  }
}

TEST(PrivateSelectionTest, RefusesWhatCannotBeAfforded) {
  const NegativeBinomialRepeats geometric(1, 0.01);
  EXPECT_THROW(CostOfSelection(Budget(1e-9, 1e-300), geometric,
                               SelectionAccounting::kRenyi),
               InvalidInput);
  EXPECT_THROW(CostOfSelection(Budget(1e-9, 0.5), geometric,
                               SelectionAccounting::kPublished),
               InvalidInput);
  EXPECT_THROW(CostOfSelection(Budget(1, 1e-5), NegativeBinomialRepeats(0, 0.1),
                               SelectionAccounting::kPublished),
               InvalidInput);
  EXPECT_THROW(CostOfSelection(Budget(1, 1e-5), PoissonRepeats(5),
                               SelectionAccounting::kPublished),
               InvalidInput);
}

Release Numbered(size_t candidate) {
  ReleaseContent content = SmallContent();
  content.offset = static_cast<double>(candidate);
  return Release(content);
}

TEST(PrivateSelectionTest, TheBestDrawIsKept) {
  Randomness random = RandomnessForTesting::Seeded(3);
  int draws = 0;
  double best_score = -std::numeric_limits<double>::infinity();
  const auto draw = [&](size_t candidate, Randomness&) {
    ++draws;
    const double score =
        candidate == 4 ? std::numeric_limits<double>::quiet_NaN()
                       : static_cast<double>(candidate) + 0.001 * (draws % 7);
    best_score = std::fmax(best_score, score);
    return ScoredRelease{Numbered(candidate), score};
  };
  const auto best =
      SelectPrivately(5, NegativeBinomialRepeats(1, 0.02), draw, random);
  EXPECT_GT(draws, 5);
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(best->score, best_score);
  EXPECT_EQ(best->release->content().offset, 3);
}

TEST(PrivateSelectionTest, NoDrawsGiveNothing) {
  int none = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Randomness random = RandomnessForTesting::Seeded(seed);
    const auto best = SelectPrivately(
        2, PoissonRepeats(1),
        [](size_t candidate, Randomness&) {
          return ScoredRelease{Numbered(candidate), 1};
        },
        random);
    if (!best) ++none;
  }
  // 200/e.
  EXPECT_GT(none, 45);
  EXPECT_LT(none, 105);
}

TEST(PrivateSelectionTest, FailuresOfADrawAreNotSwallowed) {
  Randomness random = RandomnessForTesting::Seeded(1);
  const auto failing = [](size_t, Randomness&) -> ScoredRelease {
    throw PrivacyFailure("no random numbers");
  };
  EXPECT_THROW(
      SelectPrivately(2, NegativeBinomialRepeats(1, 0.1), failing, random),
      PrivacyFailure);
  EXPECT_THROW(
      SelectPrivately(0, NegativeBinomialRepeats(1, 0.1), failing, random),
      InvalidInput);
}

}  // namespace
}  // namespace cloak
