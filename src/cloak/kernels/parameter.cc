#include "cloak/kernels/parameter.h"

#include <cmath>
#include <limits>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

void CheckPositive(const PerInput& values, std::string_view what) {
  RequireInput(!values.values().empty(), what,
               " must have at least one number, but is an empty list; "
               "give one number for each input");
  for (size_t i = 0; i < values.values().size(); ++i) {
    const double value = values.values()[i];
    if (std::isfinite(value) && value >= std::numeric_limits<double>::min()) {
      continue;
    }
    const std::string rule =
        std::isfinite(value) && value > 0
            ? Text("at least ", std::numeric_limits<double>::min())
            : std::string("finite and positive");
    const std::string where =
        values.shared() ? std::string() : Text(" (number ", i, " of the list)");
    throw InvalidInput(
        Text(what, " must be ", rule, ", but is ", value, where));
  }
}

void CheckLength(const PerInput& values, Index dimension,
                 std::string_view what) {
  const Index length = static_cast<Index>(values.values().size());
  if (values.shared() || length == dimension) return;
  throw InvalidInput(
      Text(what, " must be one number or a list with one for each of the ",
           dimension, " inputs, but has ", length));
}

std::string ToString(const PerInput& values) {
  if (values.shared()) return NumberText(values[0]);
  std::vector<std::string> numbers;
  for (const double value : values.values()) {
    numbers.push_back(NumberText(value));
  }
  return Text("[", Join(numbers, ", "), "]");
}

void AppendParameters(const PerInput& values, std::string_view name,
                      std::vector<KernelParameter>* parameters) {
  for (size_t i = 0; i < values.values().size(); ++i) {
    parameters->push_back(
        {values.shared() ? std::string(name) : Text(name, "[", i, "]"),
         values.values()[i]});
  }
}

PerInput TakeLike(const PerInput& like, std::span<const double>* numbers) {
  const size_t count = like.values().size();
  const std::vector<double> taken(numbers->begin(), numbers->begin() + count);
  *numbers = numbers->subspan(count);
  return like.shared() ? PerInput(taken[0]) : PerInput(taken);
}

std::vector<double> Inverses(const PerInput& values) {
  std::vector<double> inverses;
  for (const double value : values.values()) inverses.push_back(1 / value);
  return inverses;
}

}  // namespace cloak
