#ifndef CLOAK_TESTS_TESTING_LOSS_ORACLE_H_
#define CLOAK_TESTS_TESTING_LOSS_ORACLE_H_

// For tests: what events that are composed cost, by plain sums.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "cloak/privacy/accountant.h"
#include "tests/testing/any_number.h"

namespace cloak {

using OutputAccountant = Accountant<Neighbours::kOutput>;

// The oracles use long double and its libm, nothing of what is tested. Their
// own error is far below this.
using Real = long double;
inline constexpr Real kOracleError = 1e-13L;

// Finite losses and their probabilities under P, and the probability of an
// infinite one.
struct Loss {
  std::map<Real, Real> masses{{0, 1}};
  Real infinity = 0;
};

inline Loss Convolved(const Loss& a, const Loss& b) {
  Loss sum;
  sum.masses.clear();
  for (const auto& [x, p] : a.masses) {
    for (const auto& [y, q] : b.masses) sum.masses[x + y] += p * q;
  }
  sum.infinity = a.infinity + b.infinity - a.infinity * b.infinity;
  return sum;
}

inline Loss RandomisedResponse(Real epsilon, Real delta = 0) {
  const Real p = (1 - delta) / (1 + std::exp(-epsilon));
  return {{{epsilon, p}, {-epsilon, 1 - delta - p}}, delta};
}

// Of the pair of distributions p and q on a few outcomes.
inline Loss OfPair(const std::vector<Real>& p, const std::vector<Real>& q) {
  Loss loss;
  loss.masses.clear();
  for (size_t i = 0; i < p.size(); ++i) {
    loss.masses[std::log(p[i] / q[i])] += p[i];
  }
  return loss;
}

inline Real OracleCdf(Real x) { return std::erfc(-x / std::sqrt(Real{2})) / 2; }

// The profile of mu-Gaussian-DP at any x; of nothing, for mu = 0.
inline Real GaussianDelta(Real mu, Real x) {
  if (mu == 0) return std::max(Real{0}, -std::expm1(x));
  return OracleCdf(mu / 2 - x / mu) - std::exp(x) * OracleCdf(-mu / 2 - x / mu);
}

// A finite loss and a Gaussian together, at epsilon.
inline Real ExactDelta(const Loss& loss, Real mu, Real epsilon) {
  Real delta = loss.infinity;
  for (const auto& [x, p] : loss.masses) {
    delta += p * GaussianDelta(mu, epsilon - x);
  }
  return delta;
}

using Curve = std::function<Real(Real)>;

// delta is never below the truth, and epsilon is within `tolerance` of it.
inline void ExpectTight(const OutputAccountant& accountant, const Curve& exact,
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

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_LOSS_ORACLE_H_
