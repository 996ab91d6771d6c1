#include "cloak/models/rows/variational.h"

#include <cmath>
#include <string>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/variational_posterior.h"
#include "cloak/linalg/spread_points.h"
#include "cloak/models/magnitudes.h"
#include "cloak/models/release_parts.h"
#include "cloak/models/released_numbers.h"

namespace cloak {
namespace {

const Setting& ValidVariational(const Setting& setting,
                                const VariationalOptions& options) {
  setting.Validate();
  RequireInput(!setting.HasLabels(),
               "the method 'variational' is for numbers, not for labels");
  RequireInput(
      std::isfinite(options.noise_variance) && options.noise_variance > 0,
      "the noise variance must be finite and positive, but is ",
      options.noise_variance);
  RequireFewInputs(setting);
  RequireModel(setting, options.kernel, options.noise_variance);
  RequireInput(options.rho > 0 && options.rho < 1,
               "rho must be between 0 and 1 (exclusive), but is ", options.rho);
  return setting;
}

// The regular grid, the first input fastest.
Matrix RegularGrid(const Setting& setting, const std::vector<Index>& grid) {
  const Index inputs = setting.lower().size();
  RequireInput(
      grid.size() == 1 || static_cast<Index>(grid.size()) == inputs,
      "the inducing points must be one number for all inputs or one for "
      "each of the ",
      inputs, ", but there are ", grid.size());
  std::vector<Index> counts(static_cast<size_t>(inputs), grid[0]);
  if (grid.size() > 1) counts = grid;
  Index total = 1;
  for (const Index count : counts) {
    RequireInput(count >= 1 && count <= VariationalPlan::kMostPoints / total,
                 "there must be from 1 to ", VariationalPlan::kMostPoints,
                 " inducing points in all, but an input has ", count, " times ",
                 total, " of the others");
    total *= count;
  }
  Matrix Z(total, inputs);
  Index repeat = 1;
  for (Index d = 0; d < inputs; ++d) {
    const Index count = counts[static_cast<size_t>(d)];
    const double width = setting.upper()(d) - setting.lower()(d);
    for (Index i = 0; i < total; ++i) {
      const auto step = static_cast<double>(i / repeat % count);
      Z(i, d) =
          setting.lower()(d) +
          width * (count == 1 ? 0.5 : step / static_cast<double>(count - 1));
    }
    repeat *= count;
  }
  return Z;
}

MomentSetting MomentSettingOf(const Setting& setting, const Budget& budget,
                              const VariationalOptions& options,
                              const Matrix& Z) {
  return {.rows = setting.rows(),
          .lower = setting.lower(),
          .upper = setting.upper(),
          .bounds = setting.bounds(),
          .centre = setting.PriorMean(),
          .features = Z.rows(),
          .norm = FeatureNorm(options.kernel, Z, setting.lower(),
                              setting.upper(), options.norm),
          .budget = budget};
}

Matrix PointsOf(const Setting& setting, const VariationalOptions& options) {
  if (!options.inducing_points) {
    return RegularGrid(setting, options.grid);
  }
  RequireInput(options.inducing_points->rows() <= VariationalPlan::kMostPoints,
               "there must be at most ", VariationalPlan::kMostPoints,
               " inducing points, but there are ",
               options.inducing_points->rows());
  return *options.inducing_points;
}

// The root mean square deviation of f at X, whose features are the columns of
// Phi.
double RootMeanVariance(const Basis& basis, const Matrix& X, const Matrix& Phi,
                        const VariationalPosterior& posterior) {
  const double mean = basis.kernel().Variances(X).mean() +
                      ((posterior.noise * Phi).squaredNorm() -
                       (posterior.explained * Phi).squaredNorm()) /
                          static_cast<double>(X.rows());
  return std::sqrt(std::max(0.0, mean));
}

// One vector, in units of the noise. The noise on numbers off the diagonal of
// B, which stand for two each, is smaller by √2 than that on the diagonal,
// which is what is stated.
void AddMoments(const MomentMechanism& moments, const NoisyMoments& noisy,
                ReleaseContent& content) {
  const double mu = moments.mu();
  content.statistic = {
      DecimalTexts(noisy.first_integers), moments.first_step(),
      StatisticCost{"sums of features times outputs", NoiseKind::kGaussian,
                    moments.sensitivity(), moments.first_sd(), mu}};
  const double second_sd = moments.diagonal_sd();
  content.earlier_statistics = {
      {DecimalTexts(noisy.second_integers), moments.second_step(),
       StatisticCost{"sums of products of features", NoiseKind::kGaussian,
                     mu * second_sd * (1 + 0x1p-50), second_sd, mu,
                     /*with_next=*/true}}};
}

}  // namespace

VariationalPlan::VariationalPlan(const SharedSetting& setting,
                                 const Budget& budget,
                                 const VariationalOptions& options)
    : Plan(setting),
      options_(options),
      basis_(options.kernel,
             PointsOf(ValidVariational(*setting, options), options),
             setting->threads),
      moments_(MomentSettingOf(*setting, budget, options, basis_.points()),
               {.ratio = options.ratio, .bound = options.sensitivity}) {
  Summarise(budget);
  CheckReleasable(Content(), basis_);
}

// Expects what follows if rows are spread evenly over the ranges.
void VariationalPlan::Summarise(const Budget& budget) {
  constexpr Index kPoints = 512;
  const Matrix X = SpreadPoints(setting().lower(), setting().upper(), kPoints);
  const Matrix K =
      basis_.kernel().CrossCovariance(basis_.points(), X, setting().threads);
  const Matrix Phi = basis_.WhitenValues(K);
  const VariationalMoments noisy{
      .B = K * K.transpose() * static_cast<double>(setting().rows()) / kPoints,
      .a_sd = moments_.first_sd(),
      .b_sd = moments_.diagonal_sd()};
  VariationalMoments without = noisy;
  without.a_sd = without.b_sd = 0;
  const auto expect = [&](const VariationalMoments& moments) {
    return RootMeanVariance(basis_, X, Phi,
                            ExpectVariational(basis_, options_.noise_variance,
                                              moments, options_.rho));
  };
  summary_.method = "variational";
  summary_.design = NameOf(options_.norm);
  summary_.rank = basis_.size() * (basis_.size() + 3) / 2;
  summary_.expected_sd = expect(noisy);
  summary_.expected_sd_without_privacy = expect(without);
  summary_.privacy = StatementOf(setting(), budget);
  event_ = [mu = moments_.mu()] { return GaussianEvent(mu); };
  summary_.privacy.mechanism =
      options_.sensitivity == MomentBound::kPublished
          ? "exact Gaussian release of moments, published sensitivity"
          : "exact Gaussian release of moments";
  summary_.privacy.sensitivity = moments_.sensitivity();
  summary_.privacy.noise_sd = moments_.first_sd();
}

Release VariationalPlan::Run(const PrivateRows& rows, Randomness& randomness,
                             const ReleaseObserver& /*observer*/) const {
  const FeatureMap features = [this](const Matrix& X) {
    return basis_.kernel().CrossCovariance(X, basis_.points(), Threads(1));
  };
  setting().progress("adding up rows", 0);
  const NoisyMoments noisy = moments_.Release(
      rows.inputs(), rows.outputs(), features, randomness, setting().threads);

  // From here on everything is post-processing of what was released.
  const VariationalPosterior inferred =
      InferVariational(basis_, options_.noise_variance,
                       {.A = noisy.A,
                        .B = noisy.B,
                        .a_sd = moments_.first_sd(),
                        .b_sd = moments_.diagonal_sd()},
                       options_.rho);
  ReleaseContent content = Content();
  // Outputs were really counted from this.
  content.offset = moments_.centre();
  AddMoments(moments_, noisy, content);
  content.basis_points = basis_.points();
  content.posteriors.push_back(
      AsPosterior(basis_, options_.noise_variance,
                  {inferred.mean, inferred.explained, inferred.noise}));
  return Release(std::move(content));
}

}  // namespace cloak
