#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/privacy/accountant.h"
#include "cloak/privacy/renyi.h"
#include "tests/testing/loss_oracle.h"

namespace cloak {
namespace {

TEST(CompositionTest, NothingCostsNothing) {
  EXPECT_EQ(OutputAccountant().Epsilon(0), 0);
  EXPECT_EQ(OutputAccountant().Delta(0), 0);
}

RC_GTEST_PROP(CompositionTest, GaussiansComposeAsInClosedForm, ()) {
  OutputAccountant accountant;
  Real sum = 0;
  const int kinds = *rc::gen::inRange(1, 6);
  for (int kind = 0; kind < kinds; ++kind) {
    const double mu = LogUniform(1e-3, 3);
    const int times = *rc::gen::inRange(1, 1000);
    accountant.Add(GaussianEvent(mu), times);
    sum += Real{mu} * mu * times;
  }
  const Real mu = std::sqrt(sum);
  const double epsilon = accountant.Epsilon(1e-5);
  RC_ASSERT(GaussianDelta(mu, epsilon) <= 1e-5 * (1 + kOracleError));
  RC_ASSERT(GaussianDelta(mu, epsilon * (1 - 1e-6)) > 1e-5);
  const Real delta = GaussianDelta(mu, 1);
  RC_ASSERT(accountant.Delta(1) >= delta * (1 - kOracleError));
  RC_ASSERT(accountant.Delta(1) <= delta * (1 + 1e-6L) + 1e-300L);
}

// Kairouz, Oh and Viswanath 2015, Theorem 3.3: k-fold randomised response.
Real BinomialDelta(Real epsilon, Real delta, int k, Real x) {
  Real finite = 0;
  for (int i = 0; i <= k; ++i) {
    const Real loss = (k - 2 * i) * epsilon;
    if (loss <= x) break;
    const Real log_mass = std::lgamma(Real(k + 1)) - std::lgamma(Real(i + 1)) -
                          std::lgamma(Real(k - i + 1)) + (k - i) * epsilon -
                          k * std::log1p(std::exp(epsilon));
    finite += std::exp(log_mass) * -std::expm1(x - loss);
  }
  const Real infinite = -std::expm1(k * std::log1p(-delta));
  return infinite + (1 - infinite) * finite;
}

TEST(CompositionTest, PureEventsComposeAsTheOptimalTheoremSays) {
  for (const double epsilon : {0.01, 0.1, 0.7313, 3.0}) {
    for (const int k : {1, 2, 7, 100, 3000}) {
      OutputAccountant accountant;
      accountant.Add(PureEvent(epsilon), k);
      SCOPED_TRACE(testing::Message() << epsilon << " x " << k);
      ExpectTight(
          accountant, [=](Real x) { return BinomialDelta(epsilon, 0, k, x); },
          1e-3);
    }
  }
}

TEST(CompositionTest, ApproximateEventsComposeAsTheOptimalTheoremSays) {
  for (const double delta : {1e-12, 1e-7, 0.01}) {
    for (const int k : {1, 40}) {
      OutputAccountant accountant;
      accountant.Add(ApproximateEvent(0.3, delta), k);
      SCOPED_TRACE(testing::Message() << delta << " x " << k);
      ExpectTight(
          accountant, [=](Real x) { return BinomialDelta(0.3, delta, k, x); },
          2e-3);
    }
  }
}

TEST(CompositionTest, PureEpsilonAloneIsItself) {
  OutputAccountant accountant;
  accountant.Add(PureEvent(0.3));
  EXPECT_EQ(accountant.Epsilon(0), 0.3);
  accountant.Add(ApproximateEvent(0, 1e-6));
  EXPECT_EQ(accountant.Delta(1e6), 1e-6);
  accountant.Add(GaussianEvent(1));
  EXPECT_EQ(accountant.Epsilon(0), std::numeric_limits<double>::infinity());
}

RC_GTEST_PROP(CompositionTest, AHundredMixturesAreWithinOnePercentAndNeverBelow,
              ()) {
  OutputAccountant accountant;
  Loss loss;
  const int kinds = *rc::gen::inRange(1, 9);
  for (int kind = 0; kind < kinds; ++kind) {
    const double epsilon = LogUniform(1e-3, 2);
    const double delta = *rc::gen::arbitrary<bool>() ? 0 : LogUniform(1e-9, .1);
    loss = Convolved(loss, RandomisedResponse(epsilon, delta));
    if (delta > 0) {
      accountant.Add(ApproximateEvent(epsilon, delta));
    } else {
      accountant.Add(PureEvent(epsilon));
    }
  }
  const double mu = *rc::gen::inRange(0, 4) > 0 ? 0 : LogUniform(1e-2, 3);
  if (mu > 0) accountant.Add(GaussianEvent(mu));
  const Real delta = loss.infinity + LogUniform(1e-12, 0.01);
  const double epsilon = accountant.Epsilon(static_cast<double>(delta));
  RC_ASSERT(ExactDelta(loss, mu, epsilon) <= delta * (1 + kOracleError));
  // Near 0, where the curve is flat, a percent of delta instead.
  RC_ASSERT(epsilon == 0 ||
            ExactDelta(loss, mu, epsilon * (1 - 1e-2)) > delta ||
            ExactDelta(loss, mu, epsilon) > delta * (1 - 1e-2));
  const double x = LogUniform(1e-3, 10);
  RC_ASSERT(accountant.Delta(x) >=
            ExactDelta(loss, mu, x) * (1 - kOracleError));
}

TEST(CompositionTest, HundredsOfDifferentEventsAreWithinOnePercent) {
  // Multiples of 1/1024, so that the exact distribution has a lattice.
  OutputAccountant accountant;
  std::vector<Real> masses{1};
  int64_t largest = 0;
  for (int i = 0; i < 200; ++i) {
    const int64_t multiple = 20 + i;
    const Real epsilon = Real(multiple) / 1024;
    accountant.Add(PureEvent(static_cast<double>(epsilon)));
    const Real p = 1 / (1 + std::exp(-epsilon));
    std::vector<Real> next(masses.size() + 2 * static_cast<size_t>(multiple));
    for (size_t j = 0; j < masses.size(); ++j) {
      next[j] += (1 - p) * masses[j];
      next[j + 2 * static_cast<size_t>(multiple)] += p * masses[j];
    }
    masses = next;
    largest += multiple;
  }
  accountant.Add(GaussianEvent(0.4));
  ExpectTight(
      accountant,
      [&](Real x) {
        Real delta = 0;
        for (size_t j = 0; j < masses.size(); ++j) {
          const Real loss = (Real(j) - Real(largest)) / 1024;
          if (masses[j] > 1e-30L) {
            delta += masses[j] * GaussianDelta(0.4L, x - loss);
          }
        }
        return delta;
      },
      2e-3);
}

TEST(CompositionTest, LaplaceNoiseAndAGaussianCostNoMoreThanPureAndGaussian) {
  // The loss of Laplace noise is epsilon with probability 1/2, -epsilon with
  // e^-epsilon/2, and has density e^((l - epsilon)/2)/4 between. Integrated by
  // Simpson's rule.
  const Real epsilon = 1;
  const Real mu = 0.8L;
  const auto truth = [&](Real x) {
    Real delta = GaussianDelta(mu, x - epsilon) / 2 +
                 std::exp(-epsilon) / 2 * GaussianDelta(mu, x + epsilon);
    const int cells = 2000;
    for (int i = 0; i <= cells; ++i) {
      const Real l = -epsilon + 2 * epsilon * i / cells;
      const Real weight = i == 0 || i == cells ? 1 : (i % 2 == 1 ? 4 : 2);
      delta += weight * 2 * epsilon / cells / 3 * std::exp((l - epsilon) / 2) /
               4 * GaussianDelta(mu, x - l);
    }
    return delta;
  };
  OutputAccountant accountant;
  accountant.Add(PureEvent(1));
  accountant.Add(GaussianEvent(0.8));
  for (const double x : {0.0, 0.5, 1.0, 2.0, 4.0, 6.0}) {
    EXPECT_GE(accountant.Delta(x), truth(x));
    EXPECT_LE(accountant.Delta(x), 1.6 * truth(x));
  }
}

TEST(CompositionTest, ZcdpAloneIsConvertedOptimally) {
  // The minimum over orders, by trying very many.
  OutputAccountant accountant;
  accountant.Add(ZcdpEvent(0.05), 10);
  const double epsilon = accountant.Epsilon(1e-6);
  double best = std::numeric_limits<double>::infinity();
  for (double order = 1.001; order < 100; order *= 1.0005) {
    best = std::min(best, 0.5 * order + std::log1p(-1 / order) -
                              (std::log(1e-6) + std::log(order)) / (order - 1));
  }
  EXPECT_NEAR(epsilon, best, 1e-5);
  EXPECT_NEAR(accountant.Delta(epsilon), 1e-6, 1e-10);
  EXPECT_NEAR(accountant.Renyi(3).epsilon, 1.5, 1e-12);
}

TEST(CompositionTest, ASmallZcdpEventCostsLittleBesideALargeGaussian) {
  OutputAccountant gaussian;
  gaussian.Add(GaussianEvent(1));
  OutputAccountant both = gaussian;
  both.Add(ZcdpEvent(1e-4));
  EXPECT_GT(both.Epsilon(1e-6), gaussian.Epsilon(1e-6));
  EXPECT_LT(both.Epsilon(1e-6), 1.03 * gaussian.Epsilon(1e-6));
}

TEST(CompositionTest, OrderAndGroupingDoNotMatter) {
  OutputAccountant forward;
  forward.Add(GaussianEvent(0.3), 2);
  forward.Add(PureEvent(0.1));
  forward.Add(BoundedRangeEvent(0.2));
  forward.Add(ApproximateEvent(0.1, 1e-9));
  OutputAccountant part;
  part.Add(BoundedRangeEvent(0.2));
  part.Add(GaussianEvent(0.3));
  OutputAccountant backward;
  backward.Add(ApproximateEvent(0.1, 1e-9));
  backward.Add(GaussianEvent(0.3));
  backward.Add(part);
  backward.Add(PureEvent(0.1));
  EXPECT_EQ(forward.Epsilon(1e-6), backward.Epsilon(1e-6));
  EXPECT_EQ(forward.Delta(0.5), backward.Delta(0.5));
  backward.Add(backward);
  EXPECT_GT(backward.Epsilon(1e-6), forward.Epsilon(1e-6));
}

TEST(CompositionTest, EveryEventAddsAndTheTwoWaysAgree) {
  const std::vector<PrivacyEvent> kinds = {
      GaussianEvent(0.5),
      PureEvent(0.3),
      BoundedRangeEvent(0.4),
      ZcdpEvent(0.1),
      ApproximateEvent(0.2, 1e-9),
      SelectionEvent(PureEvent(0.1), NegativeBinomialRepeats(0, 0.1))};
  for (size_t first = 0; first < kinds.size(); ++first) {
    OutputAccountant accountant;
    double before = 0;
    for (const size_t step : {0, 1, 3}) {
      accountant.Add(kinds[(first + step) % kinds.size()]);
      const double epsilon = accountant.Epsilon(1e-6);
      // Bounds of different kinds meet, so "more" holds up to their tightness.
      EXPECT_GE(epsilon, before * (1 - 2e-3));
      EXPECT_LE(accountant.Delta(epsilon), 1e-6 * (1 + 1e-6));
      EXPECT_GT(accountant.Delta(epsilon * 0.99), 1e-6 * (1 - 1e-6));
      EXPECT_GE(accountant.Delta(epsilon / 2), accountant.Delta(epsilon));
      before = epsilon;
    }
  }
}

TEST(CompositionTest, ExtremeEventsStayFiniteAndSound) {
  for (const double size : {1e-300, 1e-30, 1e-6, 1e3}) {
    OutputAccountant accountant;
    accountant.Add(PureEvent(size), 3);
    accountant.Add(GaussianEvent(std::min(size, 1e3)));
    const double tv = accountant.Delta(0);
    EXPECT_GE(tv, std::tanh(size / 2));
    EXPECT_LE(tv, 1);
    EXPECT_GE(accountant.Delta(1e6), 0);
    if (size <= 1e-6) {
      EXPECT_LE(tv, 4 * size + 1e-38);
    }
  }
  OutputAccountant accountant;
  accountant.Add(PureEvent(1e6));
  accountant.Add(PureEvent(1e-3));
  EXPECT_LE(accountant.Epsilon(1e-9), std::numeric_limits<double>::infinity());
  EXPECT_GE(accountant.Delta(9e5), 1 - 1e-6);
}

TEST(CompositionTest, ImpossibleQuestionsAreRefused) {
  OutputAccountant accountant;
  EXPECT_THROW(accountant.Add(PureEvent(1), 0), InvalidInput);
  EXPECT_THROW(accountant.Add(PureEvent(1), -1), InvalidInput);
  EXPECT_THROW(accountant.Add(PureEvent(1), 2'000'000'000), InvalidInput);
  accountant.Add(PureEvent(1), 1'000'000'000);
  EXPECT_THROW(accountant.Add(PureEvent(1)), InvalidInput);
  EXPECT_THROW(accountant.Epsilon(1), InvalidInput);
  EXPECT_THROW(accountant.Epsilon(-1e-9), InvalidInput);
  EXPECT_THROW(accountant.Delta(-1), InvalidInput);
  EXPECT_THROW(accountant.Delta(std::nan("")), InvalidInput);
  EXPECT_THROW(accountant.Renyi(1), InvalidInput);
}

TEST(CompositionTest, TenThousandDifferentEventsTakeNoTime) {
  OutputAccountant accountant;
  for (int i = 0; i < 10'000; ++i) {
    accountant.Add(PureEvent(0.005 + 1e-6 * i));
  }
  const std::clock_t start = std::clock();
  EXPECT_GT(accountant.Epsilon(1e-6), 1);
  const double seconds =
      static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  // 0.2 s; the sanitizers are slower.
  EXPECT_LT(seconds, 10);
}

}  // namespace
}  // namespace cloak
