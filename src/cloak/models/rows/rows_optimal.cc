#include "cloak/models/rows/rows_optimal.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"
#include "cloak/models/adaptive_releases.h"
#include "cloak/models/magnitudes.h"
#include "cloak/models/release_parts.h"
#include "cloak/models/released_numbers.h"
#include "cloak/models/rows/row_cells.h"
#include "cloak/models/rows/row_models.h"
#include "cloak/models/rows/rows_design.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/cell_mechanism.h"

namespace cloak {
namespace {

// Labels keep even cells: with cells that adapt, probabilities become too sure.
bool WhetherCellsAdapt(const Setting& setting, const OptimalOptions& options) {
  return !options.cells && !setting.HasLabels() &&
         CellsAdapt(setting.lower().size());
}

std::shared_ptr<const RowInference> ModelFor(const Setting& setting,
                                             const OptimalOptions& options) {
  setting.Validate();
  RequireFewInputs(setting);
  const Grid even = EvenCells(setting.lower(), setting.upper(), options.cells);
  RequireModel(setting, options.kernel, options.noise_variance);
  const bool labels = setting.HasLabels();
  RequireInput(!labels || !options.noise_variance,
               "labels have no noise variance of their own");
  const HyperPrior prior =
      labels ? HyperPrior::ForLabels(even.Centres(), options.kernel)
             : HyperPrior(even.Centres(), setting.bounds().width(),
                          options.kernel, options.noise_variance);
  const CellTree cells = WhetherCellsAdapt(setting, options)
                             ? FirstCells(setting.lower(), setting.upper(),
                                          prior.Nodes().front().value.kernel)
                             : CellTree(even);
  const auto rows = static_cast<double>(setting.rows());
  if (labels) {
    return std::make_shared<RowLabelModel>(cells, prior, rows, setting.threads);
  }
  return std::make_shared<RowModel>(cells, prior, rows, setting.threads);
}

std::vector<OutputBounds> EqualBounds(const OutputBounds& bounds,
                                      const CellTree& cells) {
  return std::vector<OutputBounds>(static_cast<size_t>(cells.size()), bounds);
}

PublishedSums AsRound(const CellMechanism& mechanism,
                      const std::vector<OutputBounds>& bounds,
                      double prior_mean, const NoisyCells& noisy) {
  PublishedSums round;
  round.features = mechanism.features();
  round.half_width = HalfWidths(bounds);
  round.centre.resize(round.half_width.size());
  for (Index c = 0; c < round.centre.size(); ++c) {
    round.centre(c) = bounds[static_cast<size_t>(c)].middle() - prior_mean;
  }
  round.count_weight = mechanism.count_weight();
  round.square_weight = mechanism.square_weight();
  round.noise_sd = mechanism.noise().sd();
  round.sums = noisy.sums;
  round.counts = noisy.counts;
  round.squares = noisy.squares;
  round.present_weight = mechanism.present_weight();
  round.present = noisy.present;
  return round;
}

}  // namespace

RowsOptimalPlan::RowsOptimalPlan(const SharedSetting& shared,
                                 const OptimalOptions& options)
    : Plan(shared),
      budget_(options.budget),
      cells_adapt_(WhetherCellsAdapt(*shared, options)),
      model_(ModelFor(*shared, options)),
      first_features_(FirstFeatures(*model_)) {
  const Setting& setting = *shared;
  summary_.task =
      setting.HasLabels() ? TaskKind::kClassification : TaskKind::kRegression;
  summary_.method = "optimal";
  summary_.design = "bayes";
  summary_.privacy = StatementOf(setting, budget_);
  summary_.privacy.in_half_widths = true;
  event_ = [mu = GaussianMu(budget_)] { return GaussianEvent(mu); };
  summary_.privacy.mechanism =
      Text(std::size(kBudgetShares),
           " exact Gaussian releases in turn, analytic calibration");
  const CellMechanism first(model_->cells(), first_features_,
                            EqualBounds(setting.bounds(), model_->cells()),
                            setting.rows(),
                            SharedBudget(budget_).Sigma(kBudgetShares[0]));
  summary_.privacy.sensitivity = first.noise().sensitivity();
  // The noise is that of the last round, if its features are as bounded.
  summary_.privacy.noise_sd =
      first.noise().sd() *
      std::sqrt(kBudgetShares[0] / *std::rbegin(kBudgetShares));
  summary_.rank = static_cast<Index>(std::size(kBudgetShares)) *
                  (2 * first.features().rows() + 2);
  summary_.rank_is_a_guess = true;
  summary_.rounds = static_cast<int>(std::size(kBudgetShares));
  const Hyperparameters theta = model_->prior().Nodes().front().value;
  ExpectError();
  CheckReleasable(Content(),
                  Basis(theta.kernel, model_->basis_points(), setting.threads));
}

Matrix RowsOptimalPlan::FirstFeatures(const RowInference& model) const {
  setting().progress("designing the noise", 0);
  const CellTree& cells = model.cells();
  const Vector half = HalfWidths(EqualBounds(setting().bounds(), cells));
  std::vector<DesignPrior> priors;
  for (const WeightedHyperparameters& node : model.prior().Nodes()) {
    priors.push_back(DesignForRows(model.Beforehand(node.value), node.weight,
                                   cells, half, setting().threads));
  }
  return FeaturesFor(priors, SharedBudget(budget_).Sigma(kBudgetShares[0]),
                     setting().threads);
}

// Around what is believed, within what the custodian said. A cell's bounds are
// public: they are computed from what was published before.
std::vector<OutputBounds> RowsOptimalPlan::BoundsAround(
    const RowBelief& belief) const {
  const OutputBounds outer = setting().bounds();
  const double least = kLeastWidth * outer.width();
  const Vector variances = belief.Variances();
  std::vector<OutputBounds> bounds;
  for (Index c = 0; c < belief.mean.size(); ++c) {
    const double centre = belief.mean(c) + setting().PriorMean();
    const double half = HalfWidthAround(std::sqrt(variances(c)),
                                        std::sqrt(belief.noise_variance));
    const double lower =
        std::clamp(centre - half, outer.lower(), outer.upper() - least);
    const double upper = std::clamp(
        centre + half, std::min(lower + least, outer.upper()), outer.upper());
    bounds.emplace_back(lower, upper);
  }
  return bounds;
}

Release RowsOptimalPlan::Run(const PrivateRows& rows, Randomness& randomness,
                             const ReleaseObserver& observer) const {
  ReleaseContent content = Content();
  std::vector<PublishedSums> rounds;
  std::shared_ptr<const RowInference> model = model_;
  std::vector<OutputBounds> bounds =
      EqualBounds(setting().bounds(), model->cells());
  RowBelief belief = model->Beforehand(model->prior().Nodes().front().value);
  Matrix features = first_features_;
  SharedBudget budget(budget_);
  for (size_t j = 0; j < std::size(kBudgetShares); ++j) {
    setting().progress("releasing",
                       static_cast<double>(j) / std::size(kBudgetShares));
    if (j > 0) {
      // Post-processing of what the rounds before published.
      belief = model->Believe(rounds, belief);
      if (cells_adapt_) model = CutForRound(j, *model, rounds, belief);
      // A label may be either class, however probable one of them is.
      bounds = setting().HasLabels()
                   ? EqualBounds(setting().bounds(), model->cells())
                   : BoundsAround(belief);
      features =
          FeaturesFor({DesignForRows(belief, 1, model->cells(),
                                     HalfWidths(bounds), setting().threads)},
                      budget.Sigma(kBudgetShares[j]), setting().threads);
    }
    const CellMechanism mechanism(model->cells(), features, bounds,
                                  setting().rows(),
                                  budget.Sigma(kBudgetShares[j]));
    budget.Spend(mechanism.noise().mu());
    observer({ReleaseName(j),
              [&](const PrivateRows& shown, Randomness& random) {
                return mechanism
                    .Release(shown.inputs(), shown.outputs(), random)
                    .integers;
              },
              ObservedCells{&mechanism, bounds}});
    const NoisyCells noisy =
        mechanism.Release(rows.inputs(), rows.outputs(), randomness);
    rounds.push_back(AsRound(mechanism, bounds, setting().PriorMean(), noisy));
    if (j > 0) content.earlier_statistics.push_back(content.statistic);
    content.statistic =
        PublishedBy(mechanism.noise(), noisy.integers,
                    Text(ReleaseName(j), ": weighted sums of ",
                         setting().HasLabels() ? "labels" : "outputs",
                         " and numbers of rows, sum of squares"));
    content.privacy.sensitivity = mechanism.noise().sensitivity();
    content.privacy.noise_sd = mechanism.noise().sd();
  }
  content.basis_points = model->basis_points();
  content.posteriors = model->Conclude(rounds, belief);
  return Release(std::move(content));
}

// If rows were spread evenly and everything were as expected: in all rounds the
// cells of an early one and the same features, and bounds as wide as the
// belief.
void RowsOptimalPlan::ExpectError() {
  const Threads& threads = setting().threads;
  std::shared_ptr<const RowInference> model = model_;
  Matrix features = first_features_;
  const Hyperparameters theta = model->prior().Nodes().front().value;
  if (cells_adapt_) {
    CellTree cells = model->cells();
    CutEvenly(theta.kernel, cells);
    model = model->OnCells(cells, cells.Shares());
    features = FirstFeatures(*model);
  }
  const RowBelief beforehand = model->Beforehand(theta);
  const SharedBudget budget(budget_);
  const Vector n = beforehand.expected_rows;
  const Matrix& Phi = beforehand.features;
  const double widest = setting().bounds().width() / 2;
  const auto mean_variance = [&](const Matrix& precision) {
    const Cholesky factor(precision, threads);
    const Matrix of_f = Phi * beforehand.slope.cwiseInverse().asDiagonal();
    return factor.SolveLower(of_f).squaredNorm() /
               static_cast<double>(Phi.cols()) +
           beforehand.residual.cwiseQuotient(beforehand.slope.cwiseAbs2())
               .mean();
  };
  Vector half = Vector::Constant(n.size(), widest);
  Matrix precision;
  Matrix A(0, n.size());  // in units of the privacy noise
  for (const double share : kBudgetShares) {
    const Index before = A.rows();
    A.conservativeResize(before + features.rows(), Eigen::NoChange);
    A.bottomRows(features.rows()) =
        features * (kRowSensitivity * budget.Sigma(share) * half)
                       .cwiseInverse()
                       .asDiagonal();
    Matrix V = A * (beforehand.noise_variance * n).asDiagonal() * A.transpose();
    V.diagonal().array() += 1;
    const Cholesky factor(std::move(V), threads);
    const Matrix H = factor.SolveLower(A * n.asDiagonal() * Phi.transpose());
    precision = H.transpose() * H;
    precision.diagonal().array() += 1;
    const Vector variance = Cholesky(precision, threads)
                                .SolveLower(Phi)
                                .colwise()
                                .squaredNorm()
                                .transpose() +
                            beforehand.residual;
    if (setting().HasLabels()) continue;  // their bounds stay
    const double noise = std::sqrt(beforehand.noise_variance);
    for (Index c = 0; c < n.size(); ++c) {
      half(c) =
          std::min(widest, HalfWidthAround(std::sqrt(variance(c)), noise));
    }
  }
  summary_.expected_sd = std::sqrt(mean_variance(precision));
  const Matrix weighted =
      Phi * (n / beforehand.noise_variance).cwiseSqrt().asDiagonal();
  precision = Matrix::Identity(Phi.rows(), Phi.rows()) +
              ProductTransposed(weighted, weighted, threads);
  summary_.expected_sd_without_privacy = std::sqrt(mean_variance(precision));
}

}  // namespace cloak
