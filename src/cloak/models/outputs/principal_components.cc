#include "cloak/models/outputs/principal_components.h"

#include <algorithm>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/microaggregate.h"
#include "cloak/linalg/rounded_range.h"
#include "cloak/linalg/svd.h"
#include "cloak/models/release_parts.h"
#include "cloak/release/validate.h"

namespace cloak {
namespace {

// A direction counts where rows differ along it by at least this part of the
// largest difference.
constexpr double kNegligible = 1e-8;

}  // namespace

InputProjection PrincipalComponents(const Matrix& X, Index count) {
  RequireInput(X.rows() >= kLeastGroup, "the principal components of ",
               X.cols(),
               " inputs stand in the release, and those of fewer than ",
               kLeastGroup, " rows would tell of each of them, but there are ",
               X.rows(), "; give more rows, fewer inputs, or a kernel");
  const RoundedBox box = RoundBox(X);
  const Vector range = box.upper - box.lower;
  const Vector scale =
      (range.array() > 0).select(range.cwiseInverse(), Vector::Zero(X.cols()));
  InputProjection projection;
  // A mean over all rows, of which there are enough.
  projection.centre = X.colwise().mean();
  const Matrix centred =
      (X.rowwise() - projection.centre.transpose()) * scale.asDiagonal();
  // Inputs that are all alike have no component; one of no length stands for
  // them.
  if (!(centred.cwiseAbs().maxCoeff() > 0)) {
    projection.directions = Matrix::Zero(1, X.cols());
    return projection;
  }
  const Svd svd = ThinSvd(centred, kNegligible);
  const Index kept = std::min(count, svd.values.size());
  projection.directions = svd.Vt.topRows(kept) * scale.asDiagonal();
  // The sign of a singular vector is arbitrary: its largest entry is positive.
  for (Index k = 0; k < kept; ++k) {
    Index largest = 0;
    projection.directions.row(k).cwiseAbs().maxCoeff(&largest);
    if (projection.directions(k, largest) < 0) {
      projection.directions.row(k) *= -1;
    }
  }
  // Directions need no more digits than this, and files stay small.
  projection.directions = projection.directions.unaryExpr([](double value) {
    constexpr int kDigits = 6;
    return ParseNumber(RoundedText(value, kDigits), "a rounded number");
  });
  return projection;
}

SharedSetting Projected(const Setting& setting,
                        const InputProjection& projection) {
  Setting projected = setting;
  PublicInputs inputs = setting.open();
  inputs.projected = {projection, DescribeInputs(setting)};
  // All the rest of a release is checked with the plan.
  ValidateInputs(inputs.projected->inputs);
  inputs.X = projection.Apply(setting.X());
  projected.input_names.clear();
  for (Index k = 0; k < inputs.X.cols(); ++k) {
    projected.input_names.push_back(Text("component ", k + 1));
  }
  projected.inputs = std::move(inputs);
  return std::make_shared<const Setting>(std::move(projected));
}

}  // namespace cloak
