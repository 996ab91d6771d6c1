#include "cloak/privacy/renyi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

#include "cloak/base/error.h"

namespace cloak {
namespace {

// The oracles are in long double and use nothing of what is tested.
using Real = long double;
using Masses = std::vector<Real>;
using Pair = std::pair<Masses, Masses>;

constexpr Real kOrders[] = {1.01L, 1.5L, 2, 7, 50};

Real RenyiDivergence(const Pair& pair, Real order) {
  Real sum = 0;
  for (size_t i = 0; i < pair.first.size(); ++i) {
    if (pair.first[i] == 0) continue;
    sum += std::exp(order * std::log(pair.first[i]) -
                    (order - 1) * std::log(pair.second[i]));
  }
  return std::log(sum) / (order - 1);
}

Pair Swapped(const Pair& pair) { return {pair.second, pair.first}; }

// Losses t and t - epsilon, the worst of bounded range.
Pair TwoPoints(Real epsilon, Real t) {
  const Real q = std::expm1(epsilon - t) / std::expm1(epsilon);
  const Real p = q * std::exp(t);
  return {{p, 1 - p}, {q, 1 - q}};
}

TEST(RenyiTest, PureEventsHaveThatOfRandomisedResponse) {
  for (const double epsilon : {1e-3, 0.5, 4.0}) {
    const Pair pair = TwoPoints(2 * epsilon, epsilon);
    for (const Real order : kOrders) {
      const Real exact = RenyiDivergence(pair, order);
      const double bound =
          RenyiUpper(PureEvent(epsilon), static_cast<double>(order));
      EXPECT_GE(bound, exact * (1 - 1e-9L));
      EXPECT_LE(bound, exact * (1 + 1e-8L));
    }
  }
  EXPECT_GT(RenyiUpper(PureEvent(1e-200), 2), 0);
}

TEST(RenyiTest, BoundedRangeIsAboveThatOfEveryRange) {
  for (const double epsilon : {0.01, 1.0, 6.0}) {
    for (const Real order : kOrders) {
      Real worst = 0;
      for (int i = 1; i < 200; ++i) {
        worst = std::max(
            worst,
            RenyiDivergence(TwoPoints(epsilon, epsilon * i / 200.0L), order));
      }
      const double bound =
          RenyiUpper(BoundedRangeEvent(epsilon), static_cast<double>(order));
      EXPECT_GE(bound, worst);
      // Close to the best possible where losses are small.
      if (epsilon * order < 0.1) {
        EXPECT_LE(bound, 1.01 * worst);
      }
    }
  }
}

// N(0, 1) against N(mu, 1), seen through bins.
Pair BinnedNormals(Real mu) {
  const auto tail = [](Real x) {
    return std::erfc(x / std::sqrt(Real{2})) / 2;
  };
  Pair pair;
  const int bins = 40;
  for (int i = 0; i < bins; ++i) {
    const Real low = -4 + 8.0L * i / bins;
    const Real high = low + 8.0L / bins;
    const auto mass = [&](Real mean) {
      const Real above = i == 0 ? 1 : tail(low - mean);
      return above - (i == bins - 1 ? 0 : tail(high - mean));
    };
    pair.first.push_back(mass(0));
    pair.second.push_back(mass(mu));
  }
  return pair;
}

// The best of K draws: P(best <= j) = E F(j)^K, and nothing when K = 0.
Masses Best(const Masses& candidate, const std::function<Real(Real)>& pgf) {
  Masses best{pgf(0)};
  Real cumulative = 0;
  for (const Real mass : candidate) {
    const Real before = pgf(cumulative);
    cumulative = std::min(Real{1}, cumulative + mass);
    best.push_back(std::max(Real{0}, pgf(cumulative) - before));
  }
  if (best.front() == 0) best.erase(best.begin());
  return best;
}

std::function<Real(Real)> GeneratingFunction(const Repeats& repeats) {
  if (const auto* poisson = std::get_if<PoissonRepeats>(&repeats)) {
    const Real mean = poisson->mean();
    return [=](Real x) { return std::exp(mean * (x - 1)); };
  }
  const auto binomial = std::get<NegativeBinomialRepeats>(repeats);
  const Real eta = binomial.eta();
  const Real gamma = binomial.gamma();
  if (eta == 0) {
    return
        [=](Real x) { return std::log1p((gamma - 1) * x) / std::log(gamma); };
  }
  return [=](Real x) {
    return std::expm1(-eta * std::log1p((gamma - 1) * x)) /
           std::expm1(-eta * std::log(gamma));
  };
}

// Selections are priced by a published theorem. Here they are carried out.
TEST(RenyiTest, NoSelectionLosesMoreThanItsBound) {
  const std::vector<Repeats> all_repeats = {NegativeBinomialRepeats(1, 0.1),
                                            NegativeBinomialRepeats(0, 0.02),
                                            NegativeBinomialRepeats(-0.5, 0.01),
                                            NegativeBinomialRepeats(2, 0.3),
                                            PoissonRepeats(1),
                                            PoissonRepeats(25)};
  for (const double size : {0.05, 0.4, 1.5}) {
    const std::vector<std::pair<CandidateEvent, Pair>> candidates = {
        {GaussianEvent(size), BinnedNormals(size)},
        {ZcdpEvent(size * size / 2), BinnedNormals(size)},
        {PureEvent(size), TwoPoints(2 * size, size)},
        {BoundedRangeEvent(size), TwoPoints(size, 0.3L * size)}};
    for (const auto& [event, forward] : candidates) {
      for (const Repeats& repeats : all_repeats) {
        const auto pgf = GeneratingFunction(repeats);
        const SelectionEvent selection(event, repeats);
        Pair reversed = forward;  // low scores are the best
        std::reverse(reversed.first.begin(), reversed.first.end());
        std::reverse(reversed.second.begin(), reversed.second.end());
        for (const Pair& pair :
             {forward, Swapped(forward), reversed, Swapped(reversed)}) {
          const Pair best = {Best(pair.first, pgf), Best(pair.second, pgf)};
          for (const Real order : {1.5L, 2.0L, 7.0L}) {
            EXPECT_GE(RenyiUpper(selection, static_cast<double>(order)),
                      RenyiDivergence(best, order))
                << ToString(selection) << " at " << order;
          }
        }
      }
    }
  }
}

TEST(RenyiTest, LiuAndTalwarsPureSelectionCostsThreeEpsilon) {
  // Geometric K, epsilon-DP candidates: (2 + eta) epsilon = 3 epsilon at the
  // order infinity (Papernot and Steinke 2022, Corollary 3).
  const SelectionEvent selection(PureEvent(0.1),
                                 NegativeBinomialRepeats(1, 0.01));
  EXPECT_NEAR(RenyiUpper(selection, 1e9), 0.3, 1e-6);
}

TEST(RenyiTest, TheMeanNumberOfCandidatesIsThatOfItsDistribution) {
  // At order a, log(E K)/(a - 1) is what a vanishing candidate leaves: compare
  // two orders.
  for (const double eta : {-0.5, 0.0, 1e-9, 1.0, 3.0}) {
    const double gamma = 0.2;
    const SelectionEvent selection(PureEvent(1e-12),
                                   NegativeBinomialRepeats(eta, gamma));
    const auto pgf = GeneratingFunction(selection.repeats());
    const Real mean = (pgf(1) - pgf(1 - 1e-7L)) / 1e-7L;
    EXPECT_NEAR(std::exp(RenyiUpper(selection, 2)), static_cast<double>(mean),
                1e-5)
        << eta;
  }
}

TEST(RenyiTest, BothConversionsAgree) {
  for (const double order : {1.1, 3.0, 40.0}) {
    const double epsilon = RenyiEpsilon(0.7, order, 1e-5);
    EXPECT_NEAR(RenyiLogDelta(0.7, order, epsilon), std::log(1e-5), 1e-9);
  }
  // A Gaussian: never below the truth.
  const auto cdf = [](Real z) {
    return std::erfc(-z / std::sqrt(Real{2})) / 2;
  };
  for (const Real x : {0.0L, 1.0L, 3.0L, 6.0L}) {
    const Real truth = cdf(0.5L - x) - std::exp(x) * cdf(-0.5L - x);
    const double bound = DeltaUpper(ZcdpEvent(0.5), static_cast<double>(x));
    EXPECT_GE(bound, truth);
    EXPECT_LE(bound, 10 * truth);
  }
}

TEST(RenyiTest, OrdersMustBeAboveOne) {
  EXPECT_THROW(RenyiUpper(PureEvent(1), 1), InvalidInput);
  EXPECT_THROW(RenyiUpper(PureEvent(1), INFINITY), InvalidInput);
  EXPECT_EQ(ZcdpUpper(SelectionEvent(PureEvent(1), PoissonRepeats(2))),
            INFINITY);
}

}  // namespace
}  // namespace cloak
