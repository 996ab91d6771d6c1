// Events of bounded range, composed.

#include "cloak/privacy/bounded_range.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "cloak/privacy/accountant.h"
#include "cloak/privacy/renyi.h"
#include "tests/testing/loss_oracle.h"

namespace cloak {
namespace {

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

}  // namespace
}  // namespace cloak
