#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/kind.h"
#include "cloak/release/validate.h"

namespace cloak {
namespace {

constexpr size_t kLongestClass = 200;

// Labels are −1 and 1, and their classes have names that can be told apart.
void ValidateClasses(const ReleaseContent& content) {
  const std::vector<std::string>& classes = content.classes;
  for (const std::string& name : classes) {
    RequireText(name, "a class");
    RequireInput(!name.empty() && name.size() <= kLongestClass,
                 "the name of a class must have 1 to ", kLongestClass,
                 " bytes, but has ", name.size());
  }
  RequireInput(classes[0] != classes[1], "both classes have the name '",
               classes[0], "'");
  RequireInput(content.privacy.lower == -1 && content.privacy.upper == 1 &&
                   content.offset == 0,
               "labels are -1 and 1, so their bounds must be these and their "
               "offset 0");
}

// Returns 1/(1 + e⁻ᶠ) of each.
Vector Probabilities(const Vector& log_odds) {
  return (1 + (-log_odds.array()).exp()).inverse();
}

Predictions FunctionOf(const Release& release, const Matrix& X,
                       const PredictOptions& options, const Threads& threads) {
  return release.Predict(X, {.interval = options.interval, .latent = true},
                         threads);
}

std::vector<AnswerColumn> ClassColumns(const Release& release, const Matrix& X,
                                       const Vector& lower, const Vector& upper,
                                       const std::string& function_name,
                                       const Predictions& function,
                                       const Threads& threads) {
  const ClassPredictions predictions = release.PredictClasses(X, threads);
  std::vector<std::string> names;
  for (const size_t place : predictions.most_probable) {
    names.push_back(release.content().classes[place]);
  }
  return {{"probability", predictions.probability.col(1)},
          {"class", {}, names},
          {"lower", lower},
          {"upper", upper},
          {function_name, function.mean},
          {"sd", function.sd},
          {kPrivacySdColumn, function.privacy_sd}};
}

// The function is the log odds, and an interval of it is one of the
// probability.
std::vector<AnswerColumn> ProbabilityColumns(const Release& release,
                                             const Matrix& X,
                                             const PredictOptions& options,
                                             const Threads& threads) {
  const Predictions f = FunctionOf(release, X, options, threads);
  return ClassColumns(release, X, Probabilities(f.lower),
                      Probabilities(f.upper), kMeanColumn, f, threads);
}

// The function is the margin, which has an interval of its own.
std::vector<AnswerColumn> MarginColumns(const Release& release, const Matrix& X,
                                        const PredictOptions& options,
                                        const Threads& threads) {
  const Predictions f = FunctionOf(release, X, options, threads);
  return ClassColumns(release, X, f.lower, f.upper, "margin", f, threads);
}

std::string ClassWords(const ReleaseContent& content,
                       const std::string& probabilities) {
  return Text(content.output, ", of the classes '", content.classes[0],
              "' and '", content.classes[1], "'; probabilities are ",
              probabilities, " '", content.classes[1], "'");
}

std::string LabelWords(const ReleaseContent& content) {
  return ClassWords(content, "those of");
}

std::string SideWords(const ReleaseContent& content) {
  return ClassWords(content, "that the margin is on the side of");
}

std::string LogOddsWords(const ReleaseContent& /*content*/,
                         const Posterior& /*posterior*/) {
  return " of the log odds";
}

std::string MarginWords(const ReleaseContent& /*content*/,
                        const Posterior& /*posterior*/) {
  return " of the margin";
}

}  // namespace

constexpr ReleaseKind kClassificationKind = {
    .name = "classification",
    .has_labels = true,
    .plots = {"probability", "probability"},
    .public_words = "ranges and classes",
    .validate = ValidateClasses,
    .columns = ProbabilityColumns,
    .drawn = Probabilities,
    .output_words = LabelWords,
    .posterior_words = LogOddsWords,
};

constexpr ReleaseKind kSvmKind = {
    .name = "svm",
    .has_labels = true,
    .is_noise_alone = true,
    .plots = {"margin", "margin"},
    .public_words = "ranges and classes",
    .validate = ValidateClasses,
    .columns = MarginColumns,
    .output_words = SideWords,
    .posterior_words = MarginWords,
};

}  // namespace cloak
