#include "cloak/release/kind.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// Returns null for what is none of them.
const ReleaseKind* FindKind(TaskKind task) {
  switch (task) {
    case TaskKind::kRegression:
      return &kRegressionKind;
    case TaskKind::kClassification:
      return &kClassificationKind;
    case TaskKind::kSvm:
      return &kSvmKind;
    case TaskKind::kHistogram:
      return &kHistogramKind;
    case TaskKind::kDensity:
      return &kDensityKind;
  }
  return nullptr;
}

}  // namespace

const ReleaseKind& KindOf(TaskKind task) {
  const ReleaseKind* const kind = FindKind(task);
  RequireInput(kind != nullptr, "the task of a release is none that there is");
  return *kind;
}

std::string NameOf(TaskKind task) {
  const ReleaseKind* const kind = FindKind(task);
  return kind != nullptr ? kind->name : "";
}

std::string RangeWords(const ReleaseContent& content, size_t input) {
  const InputColumn& column = content.inputs[input];
  const std::string lower = FigureText(column.lower);
  const std::string upper = FigureText(column.upper);
  if (content.privacy.protect == Protection::kRows) {
    return Text(column.name, ", private, clipped to ", lower, " to ", upper);
  }
  if (column.lower == column.upper) {
    return Text(column.name, ", always ", lower);
  }
  return Text(column.name, ", from ", lower, " to ", upper,
              ", half of it below ", FigureText(column.middle));
}

}  // namespace cloak
