#include "cloak/gp/consistent_counts.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "cloak/base/error.h"

namespace cloak {
namespace {

// φ(a)/Φ(a) for the standard normal distribution. Far below 0, where both
// vanish, by the first terms of its asymptotic series, −a + 1/(−a) ….
double HazardBelow(double a) {
  constexpr double kFar = -30;
  if (a < kFar) return -a - 1 / a + 2 / (a * a * a);
  const double density =
      std::exp(-0.5 * a * a) / std::sqrt(2 * std::numbers::pi);
  return density / (0.5 * std::erfc(-a / std::numbers::sqrt2));
}

// N(centre, sd²) cut off at 0.
struct CutNormal {
  double centre = 0;
  double sd = 1;

  double Variance() const {
    const double h = HazardBelow(a());
    // 1 − h (h + a), which is above this, but for rounding.
    const double least = 0.25 / (1 + a() * a());
    return sd * sd * std::max(1 - h * (h + a()), least);
  }
  // With the probability p below it.
  double Quantile(double p) const;

 private:
  double a() const { return centre / sd; }
};

// P(X > x) = S(x)/S(0), of which −log is increasing in x and found by
// bisection: no inverse of a tail is needed.
double CutNormal::Quantile(double p) const {
  const auto log_above = [](double z) {
    constexpr double kFar = 30;
    if (z > kFar) return -0.5 * z * z - std::log(z * 2.5066282746310002);
    return std::log(0.5 * std::erfc(z / std::numbers::sqrt2));
  };
  const double wanted = std::log1p(-p) + log_above(-a());
  double low = -a();
  double high = std::max(low, 0.0) + 10;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (log_above(middle) > wanted ? low : high) = middle;
  }
  return std::max(0.0, centre + sd * high);
}

double Moved(const Vector& mean, const Vector& variance, Index c,
             double shift) {
  return std::max(0.0, mean(c) - shift * variance(c));
}

double Total(const Vector& mean, const Vector& variance, double shift) {
  double total = 0;
  for (Index c = 0; c < mean.size(); ++c) {
    total += Moved(mean, variance, c, shift);
  }
  return total;
}

// Returns the shift at which the total, which decreases in the shift, is what
// it must be.
double ShiftFor(const Vector& mean, const Vector& variance, double total) {
  double low = -1;
  while (Total(mean, variance, low) < total) low *= 2;
  double high = 1;
  while (Total(mean, variance, high) > total) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (Total(mean, variance, middle) > total ? low : high) = middle;
  }
  return high;
}

}  // namespace

ConsistentCounts MakeConsistent(const Vector& mean, const Vector& variance,
                                double total, double interval) {
  const Index size = mean.size();
  RequireInput(size > 0 && variance.size() == size && mean.allFinite() &&
                   variance.allFinite() && (variance.array() > 0).all() &&
                   total > 0 && interval > 0 && interval < 1,
               "counts need finite means, positive variances and a total");
  const double shift = ShiftFor(mean, variance, total);
  ConsistentCounts counts{Vector(size), Vector(size), Vector(size),
                          Vector(size)};
  const double quantile = std::numbers::sqrt2 * boost::math::erf_inv(interval);
  for (Index c = 0; c < size; ++c) {
    const CutNormal normal{mean(c), std::sqrt(variance(c))};
    counts.count(c) = Moved(mean, variance, c, shift);
    counts.sd(c) = std::sqrt(normal.Variance());
    counts.lower(c) = std::max(0.0, mean(c) - quantile * normal.sd);
    counts.upper(c) =
        std::max(counts.count(c), normal.Quantile((1 + interval) / 2));
  }
  counts.count *= total / counts.count.sum();  // what rounding leaves
  counts.lower = counts.lower.cwiseMin(counts.count);
  counts.upper = counts.upper.cwiseMax(counts.count);
  return counts;
}

}  // namespace cloak
