#include "cloak/audit/noise_grid.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr size_t kFewest = 10000;
constexpr double kFinest = 0x1p12;

double DivisorPValue(const std::vector<Int128>& noise) {
  Uint128 divisor = 0;
  for (const Int128 value : noise) {
    const Int128 difference = CheckedAdd(value, -noise.front());
    auto rest = static_cast<Uint128>(difference < 0 ? -difference : difference);
    while (rest != 0) divisor = std::exchange(rest, divisor % rest);
    if (divisor == 1) return 1;
  }
  return 0;
}

double RemainderPValue(const std::vector<Int128>& noise) {
  constexpr size_t kCells = 256;
  std::array<double, kCells> counts{};
  for (const Int128 value : noise) {
    ++counts[static_cast<Uint128>(value) % kCells];
  }
  const double expected = static_cast<double>(noise.size()) / kCells;
  double statistic = 0;
  for (const double count : counts) {
    statistic += (count - expected) * (count - expected) / expected;
  }
  return boost::math::cdf(boost::math::complement(
      boost::math::chi_squared_distribution<double>(kCells - 1), statistic));
}

double CoincidencePValue(std::vector<Int128>& noise, double s) {
  std::sort(noise.begin(), noise.end());
  double coincidences = 0;
  for (size_t i = 1; i < noise.size(); ++i) {
    if (noise[i] == noise[i - 1]) ++coincidences;
  }
  if (coincidences == 0) return 1;
  const double n = static_cast<double>(noise.size());
  const double expected = n * n / (4 * s * std::sqrt(std::numbers::pi));
  // P(Poisson(expected) >= coincidences).
  return boost::math::gamma_p(coincidences, expected);
}

}  // namespace

double NoiseGridPValue(std::vector<Int128> noise, double s) {
  RequireInput(noise.size() >= kFewest, "a test of the noise needs at least ",
               kFewest, " numbers, but has ", noise.size());
  RequireInput(s >= kFinest,
               "a test of the noise needs a standard deviation of at "
               "least 2^12 units, but it is ",
               s);
  return std::min({DivisorPValue(noise), RemainderPValue(noise),
                   CoincidencePValue(noise, s)});
}

}  // namespace cloak
