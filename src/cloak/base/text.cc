#include "cloak/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cloak/base/error.h"

namespace cloak {

std::string NumberText(double value) {
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

std::string RoundedText(double value, int digits) {
  std::array<char, 400> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                 value, std::chars_format::general, digits);
  return {buffer.data(), end.ptr};
}

std::string FixedText(double value, int decimals) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                 value, std::chars_format::fixed, decimals);
  std::string text(buffer.data(), end.ptr);
  // Rounding a small negative number leaves "-0.00".
  if (text.front() == '-' &&
      text.find_first_not_of("-0.") == std::string::npos) {
    text.erase(0, 1);
  }
  return text;
}

std::string FigureText(double value) {
  constexpr double kLargestPlain = 1e7;
  constexpr double kSmallestPlain = 1e-4;
  const double size = std::abs(value);
  if (value == 0) return "0";
  if (!std::isfinite(value) || size >= kLargestPlain || size < kSmallestPlain) {
    return RoundedText(value, 4);
  }
  const int whole_digits = static_cast<int>(std::floor(std::log10(size))) + 1;
  std::string text = FixedText(value, std::max(4 - whole_digits, 0));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

double ParseNumber(std::string_view text, std::string_view what) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  RequireInput(parsed.ec == std::errc() && parsed.ptr == end, what,
               " must be a number, but is '", text, "'");
  return value;
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string Join(const std::vector<std::string>& parts,
                 std::string_view separator) {
  std::string joined;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) joined += separator;
    joined += part;
  }
  return joined;
}

}  // namespace cloak
