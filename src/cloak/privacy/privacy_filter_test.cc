#include "cloak/privacy/privacy_filter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/accountant.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "cloak/privacy/renyi.h"
#include "tests/testing/any_number.h"

namespace cloak {
namespace {

using Filter = PrivacyFilter<Neighbours::kRow>;

double GaussianDelta(double mu, double x) {
  const auto cdf = [](double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; };
  return cdf(mu / 2 - x / mu) - std::exp(x) * cdf(-mu / 2 - x / mu);
}

TEST(PrivacyFilterTest, AReleaseOfTheWholeBudgetFitsOnce) {
  for (int i = 1; i <= 20; ++i) {
    // Any numbers: what matters is how they round.
    const Budget budget(0.37 * i, 1e-5 / i);
    const Matrix R = Matrix::Constant(1, 2, 1 + 0.1 * i);
    const GaussianMechanism mechanism(R, OutputBounds(0, 1), budget);
    Filter filter(budget);
    ASSERT_TRUE(filter.Admits(GaussianEvent(mechanism.noise().mu())));
    filter.Charge(GaussianEvent(mechanism.noise().mu()));
    EXPECT_LE(filter.EpsilonSpent(), budget.epsilon() * (1 + 1e-12));
    EXPECT_GE(filter.EpsilonSpent(), budget.epsilon() * (1 - 1e-6));
    EXPECT_FALSE(filter.Admits(GaussianEvent(mechanism.noise().mu() / 100)));
  }
}

TEST(PrivacyFilterTest, WhatIsLeftFitsAndNoMore) {
  Filter filter(Budget(1, 1e-5));
  const double limit = filter.mu_limit();
  filter.Charge(GaussianEvent(0.6 * limit));
  EXPECT_NEAR(filter.MuLeft(), 0.8 * limit, 1e-12);
  EXPECT_TRUE(filter.Admits(GaussianEvent(filter.MuLeft())));
  EXPECT_FALSE(filter.Admits(GaussianEvent(filter.MuLeft() * (1 + 1e-12))));
  EXPECT_FALSE(filter.Admits(GaussianEvent(0.6 * limit), 2));
  filter.Charge(GaussianEvent(0.4 * limit), 4);
  EXPECT_NEAR(filter.EpsilonSpent(), 1, 1e-6);
}

TEST(PrivacyFilterTest, ARefusalChargesNothingAndSaysWhatIsLeft) {
  Filter filter(Budget(1, 1e-5));
  const double before = filter.MuLeft();
  try {
    filter.Charge(GaussianEvent(3), 2);
    FAIL() << "it was admitted";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "the budget of epsilon 1 at delta 1e-05 does not allow "
                 "gaussian(mu=3), 2 times; left are Gaussian releases of mu "
                 "0.2681 and a reserved delta of 0");
  }
  EXPECT_EQ(filter.MuLeft(), before);
  EXPECT_EQ(filter.EpsilonSpent(), 0);
}

TEST(PrivacyFilterTest, EventsWithADeltaNeedAReserve) {
  Filter without(Budget(1, 1e-5));
  EXPECT_FALSE(without.Admits(ApproximateEvent(0.01, 1e-12)));
  EXPECT_FALSE(without.Admits(ZcdpEvent(1e-9)));
  EXPECT_TRUE(without.Admits(PureEvent(0.01)));
  EXPECT_TRUE(without.Admits(BoundedRangeEvent(0.01)));

  Filter with(Budget(1, 1e-5), 1e-6);
  EXPECT_LT(with.mu_limit(), without.mu_limit());
  with.Charge(ApproximateEvent(0.01, 4e-7));
  EXPECT_NEAR(with.DeltaLeft(), 6e-7, 1e-20);
  EXPECT_FALSE(with.Admits(ApproximateEvent(0.01, 7e-7)));
  with.Charge(ZcdpEvent(1e-6));
  EXPECT_NEAR(with.DeltaLeft(), 6e-7 - 1e-6 / 16, 1e-20);
  EXPECT_TRUE(with.Admits(
      SelectionEvent(GaussianEvent(1e-3), NegativeBinomialRepeats(0, 0.999))));
  EXPECT_THROW(Filter(Budget(1, 1e-5), 1e-5), InvalidInput);
  EXPECT_THROW(Filter(Budget(1, 1e-5), -1e-9), InvalidInput);
}

// The profile of a Gaussian with the price is above that of the event
// everywhere, and touches it, so no lower price would do.
RC_GTEST_PROP(PrivacyFilterTest, PricesDominateAndTouch, ()) {
  const double epsilon = LogUniform(1e-3, 20);
  for (const PrivacyEvent& event : {PrivacyEvent(PureEvent(epsilon)),
                                    PrivacyEvent(BoundedRangeEvent(epsilon))}) {
    const FilterPrice price = PriceOf(event, 0);
    RC_ASSERT(price.delta == 0);
    bool touches = false;
    for (int i = 0; i <= 200; ++i) {
      const double x = 1.01 * epsilon * i / 200;
      const double truth = DeltaUpper(event, x);
      RC_ASSERT(GaussianDelta(price.mu, x) >= truth * (1 - 1e-9) - 1e-15);
      touches = touches || GaussianDelta(price.mu * (1 - 1e-5), x) < truth;
    }
    RC_ASSERT(touches);
  }
}

TEST(PrivacyFilterTest, PricesOfKnownEvents) {
  EXPECT_EQ(PriceOf(GaussianEvent(0.7), 0).mu, 0.7);
  // 2 z(e/(1 + e)), by Python's statistics.NormalDist().inv_cdf.
  EXPECT_NEAR(PriceOf(PureEvent(1), 0).mu, 1.2320353853449, 1e-12);
  EXPECT_EQ(PriceOf(BoundedRangeEvent(2), 0).mu, PriceOf(PureEvent(1), 0).mu);
  EXPECT_EQ(PriceOf(ApproximateEvent(1, 1e-7), 0).delta, 1e-7);
  EXPECT_EQ(PriceOf(ApproximateEvent(0, 1e-7), 0).mu, 0);
  EXPECT_EQ(PriceOf(ZcdpEvent(1), 0).mu,
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(PriceOf(ZcdpEvent(1), 1e-7).delta, 1e-7);
  // zCDP events are not priced together: each is chosen on its own.
  EXPECT_EQ(PriceOf(PureEvent(1e6), 0).mu,
            std::numeric_limits<double>::infinity());
}

double RandomisedResponseDelta(double epsilon, double x) {
  if (x <= -epsilon) return -std::expm1(x);
  return std::max(0.0, -std::expm1(x - epsilon) / (1 + std::exp(-epsilon)));
}

// Why an Accountant is no filter. Of two continuations of a first event, each
// within (epsilon, delta) for a list fixed in advance, whoever sees what the
// first released and picks the one that hurts more goes beyond delta.
TEST(PrivacyFilterTest, ChoosingByLookingBreaksTheBoundOfAFixedList) {
  const double epsilon = 1.5;
  const double first = 1.0;
  const double p = 1 / (1 + std::exp(-first));
  const auto after = [&](double sign, double mu, double pure) {
    const double x = epsilon - sign * first;
    return pure > 0 ? RandomisedResponseDelta(pure, x) : GaussianDelta(mu, x);
  };
  const auto fixed = [&](double mu, double pure) {
    return p * after(1, mu, pure) + (1 - p) * after(-1, mu, pure);
  };
  const double pure = 1.0;
  const double delta = fixed(0, pure);
  // A Gaussian that costs just as much in a fixed list.
  double mu = 0.1;
  while (fixed(mu + 1e-6, 0) <= delta) mu += 1e-6;
  const double chosen =
      p * std::max(after(1, mu, 0), after(1, 0, pure)) +
      (1 - p) * std::max(after(-1, mu, 0), after(-1, 0, pure));
  EXPECT_GT(chosen, 1.01 * delta);
  Accountant<Neighbours::kRow> one;
  one.Add(PureEvent(first));
  one.Add(PureEvent(pure));
  EXPECT_NEAR(one.Delta(epsilon), delta, 1e-3 * delta);

  Filter filter(Budget(epsilon, delta));
  filter.Charge(PureEvent(first));
  EXPECT_FALSE(filter.Admits(PureEvent(pure)) &&
               filter.Admits(GaussianEvent(mu)));
}

// The most that somebody can get out of a filter who sees every outcome, tries
// every choice of event at every step, and follows the best.
double WorstDelta(const Filter& filter, double x, int steps) {
  double worst = std::max(0.0, -std::expm1(x));
  if (steps == 0) return worst;
  for (const double epsilon : {0.15, 0.3, 0.6, 0.9}) {
    if (!filter.Admits(PureEvent(epsilon))) continue;
    Filter next = filter;
    next.Charge(PureEvent(epsilon));
    const double p = 1 / (1 + std::exp(-epsilon));
    worst =
        std::max(worst, p * WorstDelta(next, x - epsilon, steps - 1) +
                            (1 - p) * WorstDelta(next, x + epsilon, steps - 1));
  }
  // At the end, a Gaussian with all that is left.
  if (filter.MuLeft() > 0) {
    worst = std::max(worst, GaussianDelta(filter.MuLeft(), x));
  }
  return worst;
}

TEST(PrivacyFilterTest, NoStrategyGetsMoreThanTheBudget) {
  for (const double epsilon : {0.5, 1.0, 2.0}) {
    const Budget budget(epsilon, GaussianDelta(1, epsilon));
    const double worst = WorstDelta(Filter(budget), epsilon, 3);
    EXPECT_LE(worst, budget.delta() * (1 + 1e-9));
    EXPECT_GT(worst, budget.delta() * 0.9);
  }
}

}  // namespace
}  // namespace cloak
