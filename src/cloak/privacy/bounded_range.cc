#include "cloak/privacy/bounded_range.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/privacy/directed.h"

namespace cloak {
namespace {

// Smaller values are rounded up to this one, so that nothing underflows.
constexpr double kSmallest = 1e-100;

// m, as large as leaves the work below half a second.
int CellsFor(int64_t times) {
  if (times <= 30) return 128;
  if (times <= 200) return 32;
  return times <= 1000 ? 16 : 8;
}

// J: where a sum of `times` losses of deviation epsilon/2 and mean at most
// epsilon^2/8 has less than 1e-45 left, or cannot be at all.
int64_t LastPoint(double epsilon, int64_t times, int cells) {
  const auto k = static_cast<double>(times);
  const double most = k * std::min(epsilon, epsilon * epsilon / 8) +
                      7.5 * epsilon * std::sqrt(k);
  return static_cast<int64_t>(
      std::ceil(std::min(k * epsilon, most) / epsilon * cells));
}

}  // namespace

BoundedRangeProfile::BoundedRangeProfile(double epsilon, int64_t times)
    : epsilon_(epsilon),
      cells_(CellsFor(times)),
      h_(epsilon / cells_),
      profile_(static_cast<size_t>(LastPoint(epsilon, times, cells_) + 1), 0) {
  RequirePrivacy(times >= 1 && times <= kMaxTimes,
                 "too many events of bounded range to follow");
  for (int64_t step = 0; step < times; ++step) Step();
}

void BoundedRangeProfile::Step() {
  const auto m = static_cast<size_t>(cells_);
  const size_t count = profile_.size();
  // f_j for j = -(m + 1), …, J + m; `at` is where j = 0 is.
  const size_t at = m + 1;
  std::vector<double> f(at + count + m, profile_.back());
  std::copy(profile_.begin(), profile_.end(), f.begin() + at);
  for (size_t j = 1; j <= at; ++j) {
    const double x = h_ * static_cast<double>(j);
    f[at - j] = Up(OneMinusExpUp(Above(x)) + ExpUp(-Below(x)) * f[at + j]);
  }
  // F decreases; bounds that do not, by rounding, are raised, so that C >= 0.
  for (size_t j = f.size() - 1; j-- > 0;) f[j] = std::max(f[j], f[j + 1]);
  // A = f_j + (f_j - f_(j+1))/(e^h - 1), where the chord meets a = 0.
  std::vector<double> intercept(f.size(), 0);
  const double slope = Up(ExpUp(-h_) / OneMinusExpDown(h_));
  for (size_t j = 0; j + 1 < f.size(); ++j) {
    intercept[j] = Up(f[j] + (f[j] - f[j + 1]) * slope);
  }
  // p_t, 1 - p_t and the factor of A in the excess, at t_i.
  std::vector<double> upper(m + 1);
  std::vector<double> lower(m + 1);
  std::vector<double> excess(m + 1);
  const double whole = OneMinusExpDown(epsilon_);
  for (size_t i = 0; i <= m; ++i) {
    const double t = h_ * static_cast<double>(i);
    const double rest = h_ * static_cast<double>(m - i);
    upper[i] = Up(OneMinusExpUp(Above(rest)) / whole);
    lower[i] = Up(ExpUp(-Below(rest)) * OneMinusExpUp(Above(t)) / whole);
    excess[i] =
        Up(h_ * h_ / 4 * ExpUp(Above(3 * h_)) * ExpUp(-Below(rest)) / whole);
  }
  for (size_t j = 0; j < count; ++j) {
    const double* here = f.data() + at + j;
    const double* above = intercept.data() + at + j;
    double left = upper[0] * here[0] + lower[0] * here[m];
    double best = 0;
    for (size_t i = 0; i < m; ++i) {
      const double right =
          upper[i + 1] * *(here - i - 1) + lower[i + 1] * here[m - i - 1];
      best =
          std::max(best, std::max(left, right) + excess[i] * *(above - i - 1));
      left = right;
    }
    profile_[j] = best > 0 ? std::clamp(Up(best), kSmallest, 1.0) : 0;
  }
}

double BoundedRangeProfile::Delta(double x) const {
  // Never a cell too high, whatever the division rounds to.
  const double scaled = std::max(0.0, std::floor(Below(x / h_)));
  if (scaled >= static_cast<double>(profile_.size() - 1)) {
    return profile_.back();
  }
  // The chord: f_(j+1) + (f_j - f_(j+1)) (1 - e^-(x_(j+1) - x))/(1 - e^-h).
  const auto j = static_cast<size_t>(scaled);
  const double rest = Above(Above(h_ * static_cast<double>(j + 1)) - x);
  const double share = std::clamp(
      Up(OneMinusExpUp(std::max(0.0, rest)) / OneMinusExpDown(h_)), 0.0, 1.0);
  const double low = profile_[j + 1];
  return std::min(profile_[j],
                  Up(low + std::max(0.0, profile_[j] - low) * share));
}

}  // namespace cloak
