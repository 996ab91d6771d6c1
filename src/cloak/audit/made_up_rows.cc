#include "cloak/audit/made_up_rows.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace cloak {

PrivateRows MadeUpRows::AsPrivate() const {
  std::vector<Secret<Vector>> columns;
  for (Index j = 0; j < inputs.cols(); ++j) {
    columns.emplace_back(Vector(inputs.col(j)));
  }
  return {std::move(columns), Secret<Vector>(outputs)};
}

Vector MadeUpOutputs(const Vector& input, const OutputBounds& bounds,
                     bool labels) {
  constexpr double kWave = 0.3;     // of the width of the bounds
  constexpr double kScatter = 0.1;  // of it, from end to end
  const double least = input.minCoeff();
  const double range = input.maxCoeff() - least;
  Vector outputs(input.size());
  for (Index i = 0; i < input.size(); ++i) {
    const double turn = range > 0 ? (input(i) - least) / range : 0;
    // The fractions of multiples of the golden ratio are spread evenly.
    const double multiple = static_cast<double>(i) * std::numbers::phi;
    const double scatter = multiple - std::floor(multiple) - 0.5;
    const double wave =
        kWave * std::sin(2 * std::numbers::pi * turn) + kScatter * scatter;
    outputs(i) =
        labels ? (wave > 0 ? 1 : -1) : bounds.middle() + wave * bounds.width();
  }
  return outputs;
}

}  // namespace cloak
