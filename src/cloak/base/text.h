#ifndef CLOAK_BASE_TEXT_H_
#define CLOAK_BASE_TEXT_H_

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace cloak {

// The shortest decimal text that reads back as exactly `value`.
std::string NumberText(double value);

// `value` with at most `digits` significant digits, for people to read.
std::string RoundedText(double value, int digits = 4);

// `value` with so many digits behind the point, and without a sign before 0.
std::string FixedText(double value, int decimals);

// A number for people to read: four significant digits, no exponent for
// everyday sizes (45210 rather than 4.521e+04).
std::string FigureText(double value);

// Reads the whole of `text` as a number; throws InvalidInput that begins with
// `what` when it is not one. Accepts inf and nan, which callers reject or not.
double ParseNumber(std::string_view text, std::string_view what);

std::vector<std::string> Split(std::string_view text, char separator);
std::string Join(const std::vector<std::string>& parts,
                 std::string_view separator);

// Concatenates its arguments; doubles are written by NumberText.
template <typename... Parts>
std::string Text(const Parts&... parts);

namespace internal {
inline void Append(std::ostringstream& out, double value) {
  out << NumberText(value);
}
template <typename T>
void Append(std::ostringstream& out, const T& value) {
  out << value;
}
}  // namespace internal

template <typename... Parts>
std::string Text(const Parts&... parts) {
  std::ostringstream out;
  (internal::Append(out, parts), ...);
  return out.str();
}

}  // namespace cloak

#endif  // CLOAK_BASE_TEXT_H_
