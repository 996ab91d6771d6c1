#include "tests/testing/distributions_for_testing.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <numeric>

namespace cloak {
namespace {

double ChiSquareUpperTail(double statistic, double freedom) {
  return boost::math::cdf(boost::math::complement(
      boost::math::chi_squared_distribution<double>(freedom), statistic));
}

}  // namespace

double NormalCdf(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

double ChiSquarePValue(const std::vector<uint64_t>& counts,
                       const std::vector<double>& probabilities) {
  const double total = static_cast<double>(
      std::accumulate(counts.begin(), counts.end(), uint64_t{0}));
  double statistic = 0;
  double rest_count = total;
  double rest_expected = total;
  int cells = 0;
  for (size_t j = 0; j < probabilities.size(); ++j) {
    const double expected = total * probabilities[j];
    if (expected < 10) continue;
    const double count = static_cast<double>(counts.at(j));
    statistic += (count - expected) * (count - expected) / expected;
    rest_count -= count;
    rest_expected -= expected;
    ++cells;
  }
  // A rest that is too rare to test may not occur often either.
  if (rest_expected >= 10) {
    statistic += (rest_count - rest_expected) * (rest_count - rest_expected) /
                 rest_expected;
    ++cells;
  } else if (rest_count > 50) {
    return 0;
  }
  return ChiSquareUpperTail(statistic, std::max(1, cells - 1));
}

double NormalKolmogorovSmirnovPValue(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double distance = 0;
  for (size_t i = 0; i < sample.size(); ++i) {
    const double cdf = NormalCdf(sample[i]);
    const double before = static_cast<double>(i) / n;
    distance = std::max({distance, cdf - before, before + 1 / n - cdf});
  }
  // Kolmogorov's series, 2 sum (-1)^(j-1) exp(-2 j^2 n distance^2).
  double p = 0;
  for (int j = 100; j >= 1; --j) {
    p += (j % 2 == 1 ? 2 : -2) * std::exp(-2 * n * distance * distance * j * j);
  }
  return std::clamp(p, 0.0, 1.0);
}

double NormalScalePValue(const std::vector<double>& sample, double sd) {
  double statistic = 0;
  for (const double x : sample) statistic += (x / sd) * (x / sd);
  const double n = static_cast<double>(sample.size());
  const double upper = ChiSquareUpperTail(statistic, n);
  return std::min(1.0, 2 * std::min(upper, 1 - upper));
}

double BinomialPValue(uint64_t successes, uint64_t trials, double probability) {
  const double n = static_cast<double>(trials);
  const double z = (static_cast<double>(successes) - n * probability) /
                   std::sqrt(n * probability * (1 - probability));
  return 2 * NormalCdf(-std::abs(z));
}

}  // namespace cloak
