#ifndef CLOAK_MODELS_OBSERVED_RELEASE_H_
#define CLOAK_MODELS_OBSERVED_RELEASE_H_

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

class CellMechanism;
class FeatureMechanism;
class GaussianMechanism;

// The private columns of a table.
class PrivateRows {
 public:
  // Where the inputs are public.
  // NOLINTNEXTLINE(google-explicit-constructor): nothing else is private
  PrivateRows(Secret<Vector> outputs) : outputs_(std::move(outputs)) {}
  // Where they are not: one column for each.
  PrivateRows(std::vector<Secret<Vector>> inputs, Secret<Vector> outputs)
      : inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}
  // Where there are no outputs.
  explicit PrivateRows(std::vector<Secret<Vector>> inputs)
      : PrivateRows(std::move(inputs), Secret<Vector>(Vector())) {}

  const std::vector<Secret<Vector>>& inputs() const { return inputs_; }
  const Secret<Vector>& outputs() const { return outputs_; }

 private:
  std::vector<Secret<Vector>> inputs_;
  Secret<Vector> outputs_;
};

// A Gaussian release of outputs. Output i counts as the middle of the
// mechanism's bounds where it is centre(i), and as one of the bounds where it
// is half_width(i) or more away from there.
struct ObservedOutputs {
  const GaussianMechanism* mechanism = nullptr;
  Vector centre = {};
  Vector half_width = {};
};

// A Gaussian release of rows, which counts outputs within bounds that each cell
// has for itself.
struct ObservedCells {
  const CellMechanism* mechanism = nullptr;
  std::vector<OutputBounds> bounds = {};
};

// A Gaussian release of rows without outputs.
struct ObservedFeatures {
  const FeatureMechanism* mechanism = nullptr;
};

// One of the releases that a plan makes, as it is decided once the releases
// before it were published. All of it is public, and valid while the observer
// runs.
struct ObservedRelease {
  std::string name;  // "round 2 of 5"
  // Publishes these rows: all numbers, as one vector of integers that have the
  // same unit of noise. Each call spends again what the release costs. It may
  // be called from several threads, each with randomness of its own.
  std::function<std::vector<Int128>(const PrivateRows&, Randomness&)> publish;
  std::variant<ObservedOutputs, ObservedCells, ObservedFeatures> mechanism;
};

using ReleaseObserver = std::function<void(const ObservedRelease&)>;

inline void NoObserver(const ObservedRelease& /*release*/) {}

}  // namespace cloak

#endif  // CLOAK_MODELS_OBSERVED_RELEASE_H_
