#include "cloak/release/validate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/kind.h"

namespace cloak {
namespace {

// These are far above what Cloak writes. A file within them takes seconds to
// read, not hours, whoever wrote it.
constexpr Index kMostBasisPoints = 2000;
constexpr Index kMostDirections = 2 * kMostBasisPoints;
constexpr size_t kMostPosteriors = 100;
constexpr size_t kMostKernelParameters = 1000;
constexpr Index kMostDensityPoints = 13824;
constexpr double kMostWork = 1e11;
constexpr size_t kClasses = 2;
// Squares of differences of inputs are doubles, and so are their sums with what
// is predicted.
constexpr double kFarthest = 1e150;

void RequirePositive(double value, const std::string& what) {
  RequireInput(std::isfinite(value) && value > 0, what,
               " must be finite and positive, but is ", value);
}

void ValidatePrivacy(const PrivacyStatement& privacy) {
  RequireInput(privacy.protect == Protection::kOutputs || privacy.unit.empty(),
               "rows are protected one by one, without units");
  RequirePositive(privacy.epsilon, "epsilon");
  RequireInput(privacy.delta >= 0 && privacy.delta < 1,
               "delta must be at least 0 and below 1, but is ", privacy.delta);
  RequireInput(privacy.rows > 0, "the number of rows must be positive, but is ",
               privacy.rows);
  const bool has_units = !privacy.unit.empty();
  RequireInput(has_units ? privacy.units > 0 && privacy.units <= privacy.rows
                         : privacy.units == 0,
               "the number of units must be ",
               has_units ? "1 to the number of rows" : "0 without a name",
               ", but is ", privacy.units);
  RequireInput(std::isfinite(privacy.lower) && std::isfinite(privacy.upper) &&
                   privacy.lower < privacy.upper,
               "the bounds must be finite with lower < upper, but are ",
               privacy.lower, " and ", privacy.upper);
  RequirePositive(privacy.sensitivity, "the sensitivity");
  RequirePositive(privacy.noise_sd, "the noise");
}

// Returns how many covariance functions are in it: each has a variance.
double FunctionsIn(const Kernel& kernel) {
  const std::vector<KernelParameter> parameters = kernel.Parameters();
  return static_cast<double>(std::count_if(
      parameters.begin(), parameters.end(), [](const auto& parameter) {
        return parameter.path.ends_with("variance") ||
               parameter.path.ends_with("variance[0]");
      }));
}

// Reading a release takes every function of every kernel between all basis
// points and, of a density, between them and the grid of its integral, twice.
void ValidateWork(const ReleaseContent& content) {
  const Matrix& Z = content.basis_points;
  const Index others = Z.rows() + (content.link ? 2 * kMostDensityPoints : 0);
  const double pairs = static_cast<double>(Z.rows() * others * Z.cols());
  double work = 0;
  for (const Posterior& posterior : content.posteriors) {
    work += pairs * FunctionsIn(posterior.kernel);
  }
  RequireInput(work <= kMostWork,
               "its kernels are too long for its number of basis points "
               "and inputs: reading it would take ",
               RoundedText(work / kMostWork), " times too long");
}

// Each kind has parts that no other has.
void ValidateParts(const ReleaseContent& content) {
  const size_t classes = KindOf(content.task).has_labels ? kClasses : 0;
  RequireInput(content.classes.size() == classes, "a release of the task '",
               NameOf(content.task), "' must have ", classes,
               " classes, but has ", content.classes.size());
  RequireInput(
      content.histogram.has_value() == (content.task == TaskKind::kHistogram),
      "a release has a histogram if that is its task, and only then");
  RequireInput(content.link.has_value() == (content.task == TaskKind::kDensity),
               "a release has a link if its task is a density, and only then");
}

void ValidateProjection(const InputProjection& projection, Index inputs) {
  const Matrix& directions = projection.directions;
  RequireInput(
      projection.centre.size() == inputs && directions.cols() == inputs &&
          directions.rows() > 0 && directions.rows() <= inputs,
      "a projection needs a centre and 1 to ", inputs,
      " directions with one number for each of the ", inputs, " inputs");
  RequireInput(projection.centre.allFinite() && directions.allFinite(),
               "a projection has a number that is not finite");
}

void ValidatePosterior(const Posterior& posterior, Index basis_size,
                       Index dimension) {
  RequireInput(posterior.weight >= 0 && posterior.weight <= 1 + 1e-9,
               "a posterior's weight must be between 0 and 1, but is ",
               posterior.weight);
  RequireInput(
      std::isfinite(posterior.noise_variance) && posterior.noise_variance >= 0,
      "the noise variance must be finite and not negative, but is ",
      posterior.noise_variance);
  RequireInput(std::isfinite(posterior.jitter) && posterior.jitter >= 0,
               "the jitter must be finite and not negative, but is ",
               posterior.jitter);
  RequireInput(posterior.mean.size() == basis_size &&
                   posterior.directions.cols() == basis_size,
               "a posterior's mean and directions must have one column for "
               "each of the ",
               basis_size, " basis points");
  const Vector& noise_parts = posterior.noise_parts;
  RequireInput(posterior.directions.rows() == noise_parts.size() &&
                   noise_parts.size() <= kMostDirections,
               "a posterior must have at most ", kMostDirections,
               " directions, and a noise part for each, but has ",
               posterior.directions.rows(), " and ", noise_parts.size());
  RequireInput(posterior.mean.allFinite() && posterior.directions.allFinite(),
               "a posterior has a number that is not finite");
  RequireInput(
      (noise_parts.array() >= 0).all() && (noise_parts.array() <= 1).all(),
      "the noise parts of a posterior must be from 0 to 1");
  RequireInput(posterior.kernel.Parameters().size() <= kMostKernelParameters,
               "a kernel must have at most ", kMostKernelParameters,
               " parameters");
  posterior.kernel.CheckInputs(dimension);
}

}  // namespace

void RequireText(const std::string& text, const std::string& what) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
  } catch (const nlohmann::json::type_error&) {
    // The bytes are not shown: they are not text.
    throw InvalidInput(Text("the name of ", what,
                            " is not UTF-8, so no release can say it; convert "
                            "the table (iconv -t UTF-8) or rename it"));
  }
}

void ValidateInputs(const std::vector<InputColumn>& inputs) {
  RequireInput(!inputs.empty(), "a release needs an input");
  for (const InputColumn& input : inputs) {
    RequireText(input.name, "an input");
    RequireInput(-kFarthest <= input.lower && input.lower <= input.middle &&
                     input.middle <= input.upper && input.upper <= kFarthest,
                 "the range of input '", input.name, "' must have ", -kFarthest,
                 " <= lower <= middle <= upper <= ", kFarthest);
  }
}

void ValidateContent(const ReleaseContent& content) {
  ValidateInputs(content.inputs);
  RequireText(content.output, "the output");
  RequireText(content.privacy.unit, "the unit");
  ValidateParts(content);
  RequireInput(std::abs(content.offset) <= kFarthest,
               "the offset must be from ", -kFarthest, " to ", kFarthest,
               ", but is ", content.offset);
  RequireInput(std::isfinite(content.certified_gap),
               "the certified gap must be finite");
  ValidatePrivacy(content.privacy);
  ValidateStatistics(content);
  KindOf(content.task).validate(content);
  if (content.histogram) return;
  auto dimension = static_cast<Index>(content.inputs.size());
  if (content.projection) {
    ValidateProjection(*content.projection, dimension);
    dimension = content.projection->directions.rows();
  }
  const Matrix& Z = content.basis_points;
  RequireInput(Z.rows() > 0 && Z.rows() <= kMostBasisPoints &&
                   Z.cols() == dimension && Z.allFinite(),
               "a release needs 1 to ", kMostBasisPoints,
               " finite basis points with one number for each of its ",
               dimension, " inputs, but has ", Z.rows(), " with ", Z.cols());
  RequireInput(!content.posteriors.empty() &&
                   content.posteriors.size() <= kMostPosteriors,
               "a release needs 1 to ", kMostPosteriors,
               " posteriors, but has ", content.posteriors.size());
  double total = 0;
  for (const Posterior& posterior : content.posteriors) {
    ValidatePosterior(posterior, Z.rows(), dimension);
    total += posterior.weight;
  }
  ValidateSites(content, dimension);
  RequireText(content.no_sites, "what is said of sites");
  RequireInput(content.no_sites.empty() || !content.sites,
               "a release with sites cannot say why it has none");
  ValidateWork(content);
  RequireInput(std::abs(total - 1) < 1e-6,
               "the posteriors' weights must sum to 1, but sum to ", total);
}

}  // namespace cloak
