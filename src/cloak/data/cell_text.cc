#include "cloak/data/cell_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace cloak {
namespace {

// Returns infinity or 0, with the sign of a decimal number that is too large or
// too small for a double: where its first digit other than 0 stands, counted in
// powers of ten, decides.
double BeyondRange(std::string_view text) {
  const bool negative = text.starts_with('-');
  const size_t exponent_at = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, exponent_at);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  const size_t digit =
      std::min(mantissa.find_first_of("123456789"), mantissa.size());
  int64_t power = static_cast<int64_t>(point) - static_cast<int64_t>(digit);
  int64_t exponent = 0;
  if (exponent_at < text.size()) {
    std::string_view digits = text.substr(exponent_at + 1);
    const bool below = digits.starts_with('-');
    if (below || digits.starts_with('+')) digits.remove_prefix(1);
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    // Far beyond any mantissa that fits in memory.
    constexpr int64_t kFar = int64_t{1} << 60;
    exponent = error == std::errc() ? std::min(exponent, kFar) : kFar;
    if (below) exponent = -exponent;
  }
  power += exponent;
  return std::copysign(power > 0 ? HUGE_VAL : 0.0, negative ? -1.0 : 1.0);
}

}  // namespace

std::string_view WithoutBlanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::optional<double> CellNumber(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') {
    text.remove_prefix(1);
  }
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) return {};
  if (error == std::errc::result_out_of_range) return BeyondRange(text);
  return value;
}

}  // namespace cloak
