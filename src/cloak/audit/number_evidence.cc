#include "cloak/audit/number_evidence.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "cloak/base/text.h"

namespace cloak {
namespace {

// Noise is rounded to whole units and declared as a double.
constexpr double kNoiseRounding = 1e-6;
// There may be none at all.
constexpr double kLargestNumberMu = 1e9;
constexpr size_t kMostNamed = 3;

struct NumberMoments {
  double mean = 0;
  double variance = 0;
};

NumberMoments MomentsOf(const NumberSums& sums, Index k) {
  const auto n = static_cast<double>(sums.releases);
  const double mean = sums.sum(k) / n;
  return {mean, std::max(0.0, (sums.squares(k) - n * mean * mean) / (n - 1))};
}

std::string NumbersNamed(const std::vector<Index>& places) {
  std::string names;
  for (size_t i = 0; i < std::min(places.size(), kMostNamed); ++i) {
    names += Text(i == 0 ? "" : ", ", places[i] + 1);
  }
  if (places.size() > kMostNamed) {
    names += Text(" and ", places.size() - kMostNamed, " more");
  }
  return Text(places.size() == 1 ? "number " : "numbers ", names);
}

}  // namespace

void NumberSums::Add(const Vector& numbers) {
  if (releases == 0) sum = squares = Vector::Zero(numbers.size());
  ++releases;
  sum += numbers;
  squares += numbers.cwiseAbs2();
}

void NumberSums::Add(const NumberSums& other) {
  if (releases == 0) {
    *this = other;
    return;
  }
  releases += other.releases;
  sum += other.sum;
  squares += other.squares;
}

NumberEvidence WeighNumbers(const NumberSums& near, const Vector& near_origin,
                            const NumberSums& far, const Vector& far_origin,
                            Index known, double alpha) {
  const Index numbers = near.sum.size();
  const auto n = static_cast<double>(near.releases);
  const double each =
      alpha / (kNumberStatements * static_cast<double>(numbers));
  const double z =
      -quantile(boost::math::normal_distribution<double>(), each / 2);
  const double freedom = 2 * n - 2;
  const double least =
      quantile(boost::math::chi_squared_distribution<double>(freedom), each);
  NumberEvidence evidence;
  std::vector<Index> displaced;
  std::vector<Index> quiet;
  for (Index k = 0; k < numbers; ++k) {
    const NumberMoments a = MomentsOf(near, k);
    const NumberMoments b = MomentsOf(far, k);
    const double pooled = (a.variance + b.variance) / 2;
    const auto off = [&](double mean) {
      return std::abs(mean) > z * std::sqrt(pooled / n);
    };
    const double largest_sd = std::sqrt(pooled * freedom / least);
    if (k < known && (off(a.mean) || off(b.mean))) {
      // Far from where it should be, its noise is not seen exactly either.
      displaced.push_back(k);
    } else if (largest_sd < 1 - kNoiseRounding) {
      quiet.push_back(k);
    }
    const double distance =
        std::abs(far_origin(k) + b.mean - near_origin(k) - a.mean) -
        z * std::sqrt(2 * pooled / n);
    evidence.distance_lower = std::max(evidence.distance_lower, distance);
    const double mu = distance < kLargestNumberMu * largest_sd
                          ? distance / largest_sd
                          : kLargestNumberMu;
    evidence.mu_lower = std::max(evidence.mu_lower, mu);
  }
  if (!displaced.empty()) {
    evidence.accusations.push_back(
        Text(NumbersNamed(displaced),
             " of the release should be something else without noise, so that "
             "the sensitivity was computed of another statistic"));
  }
  if (!quiet.empty()) {
    evidence.accusations.push_back(Text(NumbersNamed(quiet),
                                        " of the release has less noise than "
                                        "declared"));
  }
  return evidence;
}

}  // namespace cloak
