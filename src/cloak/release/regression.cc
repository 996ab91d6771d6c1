#include <cmath>
#include <utility>

#include "cloak/base/text.h"
#include "cloak/release/kind.h"

namespace cloak {
namespace {

void ValidateRegression(const ReleaseContent& /*content*/) {}

std::vector<AnswerColumn> NumberColumns(const Release& release, const Matrix& X,
                                        const PredictOptions& options,
                                        const Threads& threads) {
  Predictions predictions = release.Predict(X, options, threads);
  // A list in braces would copy them all.
  std::vector<AnswerColumn> columns(5);
  columns[0] = {kMeanColumn, std::move(predictions.mean)};
  columns[1] = {"sd", std::move(predictions.sd)};
  columns[2] = {"lower", std::move(predictions.lower)};
  columns[3] = {"upper", std::move(predictions.upper)};
  columns[4] = {kPrivacySdColumn, std::move(predictions.privacy_sd)};
  return columns;
}

Vector AsItIs(const Vector& function) { return function; }

std::string NumberWords(const ReleaseContent& content) {
  return Text(content.output, ", clipped to ",
              FigureText(content.privacy.lower), " to ",
              FigureText(content.privacy.upper));
}

std::string ObservationWords(const ReleaseContent& /*content*/,
                             const Posterior& posterior) {
  return Text(
      "; observations vary around the function with standard deviation ",
      FigureText(std::sqrt(posterior.noise_variance)));
}

}  // namespace

constexpr ReleaseKind kRegressionKind = {
    .name = "regression",
    .has_observations = true,
    .plots = {"curve", "map"},
    .public_words = "ranges and bounds",
    .validate = ValidateRegression,
    .columns = NumberColumns,
    .drawn = AsItIs,
    .output_words = NumberWords,
    .posterior_words = ObservationWords,
};

}  // namespace cloak
