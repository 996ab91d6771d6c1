#include "cloak/release/kind.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

const ReleaseKind& KindOf(TaskKind task) {
  switch (task) {
    case TaskKind::kRegression:
      return kRegressionKind;
    case TaskKind::kClassification:
      return kClassificationKind;
    case TaskKind::kSvm:
      return kSvmKind;
    case TaskKind::kHistogram:
      return kHistogramKind;
    case TaskKind::kDensity:
      return kDensityKind;
  }
  throw InvalidInput("the task of a release is none that there is");
}

std::string RangeWords(const ReleaseContent& content, size_t j) {
  const InputColumn& input = content.inputs[j];
  const std::string lower = FigureText(input.lower);
  const std::string upper = FigureText(input.upper);
  if (content.privacy.protect == Protection::kRows) {
    return Text(input.name, ", private, clipped to ", lower, " to ", upper);
  }
  if (input.lower == input.upper) return Text(input.name, ", always ", lower);
  return Text(input.name, ", from ", lower, " to ", upper,
              ", half of it below ", FigureText(input.middle));
}

}  // namespace cloak
