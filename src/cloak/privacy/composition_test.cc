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

namespace cloak {
namespace {

using OutputAccountant = Accountant<Neighbours::kOutput>;

// The oracles use long double and its libm, nothing of what is tested. Their
// own error is far below this.
using Real = long double;
constexpr Real kOracleError = 1e-13L;

// Finite losses and their probabilities under P, and the probability of an
// infinite one.
struct Loss {
  std::map<Real, Real> masses{{0, 1}};
  Real infinity = 0;
};

Loss Convolved(const Loss& a, const Loss& b) {
  Loss sum;
  sum.masses.clear();
  for (const auto& [x, p] : a.masses) {
    for (const auto& [y, q] : b.masses) sum.masses[x + y] += p * q;
  }
  sum.infinity = a.infinity + b.infinity - a.infinity * b.infinity;
  return sum;
}

Loss RandomisedResponse(Real epsilon, Real delta = 0) {
  const Real p = (1 - delta) / (1 + std::exp(-epsilon));
  return {{{epsilon, p}, {-epsilon, 1 - delta - p}}, delta};
}

// Of the pair of distributions p and q on a few outcomes.
Loss OfPair(const std::vector<Real>& p, const std::vector<Real>& q) {
  Loss loss;
  loss.masses.clear();
  for (size_t i = 0; i < p.size(); ++i) {
    loss.masses[std::log(p[i] / q[i])] += p[i];
  }
  return loss;
}

Real NormalCdf(Real x) { return std::erfc(-x / std::sqrt(Real{2})) / 2; }

// The profile of mu-Gaussian-DP at any x; of nothing, for mu = 0.
Real GaussianDelta(Real mu, Real x) {
  if (mu == 0) return std::max(Real{0}, -std::expm1(x));
  return NormalCdf(mu / 2 - x / mu) - std::exp(x) * NormalCdf(-mu / 2 - x / mu);
}

// A finite loss and a Gaussian together, at epsilon.
Real ExactDelta(const Loss& loss, Real mu, Real epsilon) {
  Real delta = loss.infinity;
  for (const auto& [x, p] : loss.masses) {
    delta += p * GaussianDelta(mu, epsilon - x);
  }
  return delta;
}

using Curve = std::function<Real(Real)>;

// delta is never below the truth, and epsilon is within `tolerance` of it.
void ExpectTight(const OutputAccountant& accountant, const Curve& exact,
                 double tolerance) {
  for (const double delta : {0.1, 1e-3, 1e-6, 1e-10, 1e-16}) {
    const double epsilon = accountant.Epsilon(delta);
    if (!std::isfinite(epsilon)) {
      EXPECT_GT(exact(1e3), delta);
      continue;
    }
    EXPECT_LE(exact(epsilon), delta * (1 + kOracleError)) << delta;
    if (epsilon > 0) {
      EXPECT_GT(exact(epsilon * (1 - tolerance)), delta) << delta;
    }
    for (const double share : {0.0, 0.3, 0.77, 1.0}) {
      EXPECT_GE(accountant.Delta(share * epsilon),
                exact(share * epsilon) * (1 - kOracleError) - 1e-18L);
    }
  }
}

double LogUniform(double low, double high) {
  const double u = static_cast<double>(*rc::gen::resize(
                       rc::kNominalSize, rc::gen::inRange(0, 1000001))) /
                   1e6;
  return std::exp(std::log(low) + u * (std::log(high) - std::log(low)));
}

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

RC_GTEST_PROP(CompositionTest, MixturesAreWithinOnePercentAndNeverBelow, ()) {
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

TEST(CompositionTest, OneEventOfBoundedRangeHasItsLargestProfile) {
  for (const double epsilon : {0.05, 1.0, 8.0}) {
    OutputAccountant accountant;
    accountant.Add(BoundedRangeEvent(epsilon));
    const auto exact = [=](Real x) {
      // The worst position of the range, found by trying many.
      Real worst = 0;
      for (int i = 0; i <= 4000; ++i) {
        const Real t = epsilon * i / 4000.0L;
        const Real q = (std::exp(-t) - std::exp(-Real{epsilon})) /
                       -std::expm1(-Real{epsilon});
        const Real p = q * std::exp(t);
        Real delta = std::max(Real{0}, p - std::exp(x) * q);
        delta += std::max(Real{0}, 1 - p - std::exp(x) * (1 - q));
        worst = std::max(worst, delta);
      }
      return worst;
    };
    ExpectTight(accountant, exact, 2e-3);
  }
}

// The losses of k events of bounded range, all with the same t: a lower bound
// of the worst (Dong, Durfee and Rogers 2020, section 4), for which t may
// change.
Real SameRanges(Real epsilon, int k, Real x) {
  Real worst = 0;
  for (int step = 1; step < 100; ++step) {
    const Real t = epsilon * step / 100;
    const Real p = std::expm1(t - epsilon) / std::expm1(-epsilon);
    Real delta = 0;
    for (int i = 0; i <= k; ++i) {
      const Real loss = k * t - i * epsilon;
      if (loss <= x) break;
      delta += std::exp(std::lgamma(Real(k + 1)) - std::lgamma(Real(i + 1)) -
                        std::lgamma(Real(k - i + 1)) + (k - i) * std::log(p) +
                        i * std::log1p(-p)) *
               -std::expm1(x - loss);
    }
    worst = std::max(worst, delta);
  }
  return worst;
}

TEST(CompositionTest, ManyEventsOfBoundedRangeAreCloseToTheWorstKnown) {
  for (const auto& [epsilon, k] :
       {std::pair{1.0, 2}, {0.1, 10}, {0.5, 30}, {0.1, 300}}) {
    OutputAccountant accountant;
    accountant.Add(BoundedRangeEvent(epsilon), k);
    for (const double delta : {1e-3, 1e-6}) {
      const double bound = accountant.Epsilon(delta);
      EXPECT_LE(SameRanges(epsilon, k, bound), delta) << epsilon << " x " << k;
      // Choosing ranges adaptively costs up to 3 % here.
      EXPECT_GT(SameRanges(epsilon, k, 0.97 * bound), delta)
          << epsilon << " x " << k;
    }
  }
}

TEST(CompositionTest, TwoAdaptiveRangesAreMaximisedOver) {
  // The second range is chosen after the outcome of the first is known.
  const Real epsilon = 1;
  const auto single = [&](Real x) -> Real {
    if (x >= epsilon) return 0;
    if (x <= -epsilon) return -std::expm1(x);
    const Real root = -std::expm1((x - epsilon) / 2);
    return root * root / -std::expm1(-epsilon);
  };
  const auto exact = [&](Real x) {
    Real worst = 0;
    for (int i = 0; i <= 4000; ++i) {
      const Real t = epsilon * i / 4000;
      const Real p = std::expm1(t - epsilon) / std::expm1(-epsilon);
      worst = std::max(worst,
                       p * single(x - t) + (1 - p) * single(x - t + epsilon));
    }
    return worst;
  };
  OutputAccountant accountant;
  accountant.Add(BoundedRangeEvent(1), 2);
  for (const double x : {0.0, 0.3, 1.0, 1.5}) {
    EXPECT_GE(accountant.Delta(x), exact(x));
    EXPECT_LE(accountant.Delta(x), 1.01 * exact(x)) << x;
  }
}

// A mechanism with a few outcomes whose losses all lie within a range of
// epsilon: an exponential mechanism with random utilities.
Loss RandomExponentialMechanism(double epsilon) {
  std::vector<Real> p;
  std::vector<Real> q;
  Real sum_p = 0;
  Real sum_q = 0;
  for (int i = 0; i < 3; ++i) {
    p.push_back(LogUniform(0.01, 1));
    q.push_back(p.back() *
                std::exp(-Real(*rc::gen::inRange(0, 5)) / 4 * epsilon));
    sum_p += p.back();
    sum_q += q.back();
  }
  for (Real& mass : p) mass /= sum_p;
  for (Real& mass : q) mass /= sum_q;
  return OfPair(p, q);
}

RC_GTEST_PROP(CompositionTest, NoRealMechanismsTogetherCostMore, ()) {
  OutputAccountant accountant;
  Loss loss;
  Real mu_squared = 0;
  const int kinds = *rc::gen::inRange(1, 6);
  for (int kind = 0; kind < kinds; ++kind) {
    const double size = LogUniform(0.01, 3);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        accountant.Add(BoundedRangeEvent(size));
        loss = Convolved(loss, RandomExponentialMechanism(size));
        break;
      case 1:
        accountant.Add(PureEvent(size));
        loss = Convolved(loss, RandomisedResponse(size));
        break;
      case 2:  // a Gaussian is zCDP
        accountant.Add(ZcdpEvent(size * size / 2));
        mu_squared += Real{size} * size;
        break;
      default:
        accountant.Add(GaussianEvent(size));
        mu_squared += Real{size} * size;
    }
  }
  const Real mu = std::sqrt(mu_squared);
  for (const double x : {0.0, LogUniform(0.01, 20), LogUniform(0.01, 20)}) {
    RC_ASSERT(accountant.Delta(x) >=
              ExactDelta(loss, mu, x) * (1 - kOracleError));
  }
  const double delta = LogUniform(1e-15, 0.5);
  RC_ASSERT(ExactDelta(loss, mu, accountant.Epsilon(delta)) <=
            delta * (1 + kOracleError));
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
  EXPECT_NEAR(accountant.Zcdp().rho, 0.5, 1e-12);
  EXPECT_EQ(accountant.Zcdp().delta, 0);
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
