#include "cloak/models/outputs/binning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/basis_candidates.h"
#include "cloak/kernels/bins.h"
#include "cloak/linalg/rounded_range.h"
#include "cloak/models/nuisance_parameters.h"
#include "cloak/models/release_parts.h"
#include "cloak/models/released_numbers.h"
#include "cloak/privacy/integer128.h"
#include "cloak/selection/hyper_prior.h"

namespace cloak {
namespace {

// A release has at most so many basis points.
constexpr size_t kMostBins = 2000;
constexpr double kBins = 10;  // in each input, where nothing is said
// The basis may leave this of f at a row, as a fraction of the noise variance,
// and have so many points.
constexpr double kBinResidual = 1e-4;
constexpr Index kMostBinBasisPoints = 400;
// A bin counts as having at least so many outputs.
constexpr double kLeastPresent = 0.1;

const Regression& ValidBinning(const Regression& options, Index inputs) {
  for (const auto& range : {options.lower, options.upper}) {
    RequireInput(!range || range->size() == inputs,
                 "the range of the bins must be given for each of the ", inputs,
                 " inputs, but has ", range ? range->size() : 0);
  }
  if (options.noise_variance) {
    RequireInput(
        std::isfinite(*options.noise_variance) && *options.noise_variance > 0,
        "the noise variance must be finite and positive, but is ",
        *options.noise_variance);
  }
  if (options.method == Regression::kIntegralBinning) {
    RequireInput(options.kernel && options.noise_variance,
                 "the method 'integral-binning' infers with one kernel: give "
                 "the kernel and the noise variance");
  } else {
    RequireInput(!options.kernel,
                 "the method 'binning' has no kernel: leave it out, or use "
                 "the method 'integral-binning'");
  }
  return options;
}

PerInput ListOf(const Vector& numbers) {
  return std::vector<double>(numbers.begin(), numbers.end());
}

// Where nothing is said, over the rounded ranges of the inputs; an input that
// is always the same is in the middle of its bin.
Grid GridOf(const Matrix& X, const Regression& options) {
  const RoundedBox box = RoundBox(X);
  Vector lower = options.lower.value_or(box.lower);
  Vector upper = options.upper.value_or(box.upper);
  for (Index d = 0; d < X.cols(); ++d) {
    if (options.lower || options.upper || lower(d) < upper(d)) continue;
    const double room = std::max(0.5, 0.5 * std::abs(lower(d)));
    lower(d) -= room;
    upper(d) += room;
  }
  const PerInput bins = options.bins.value_or(kBins);
  CheckBins(ListOf(lower), ListOf(upper), bins);
  return BinGrid(ListOf(lower), ListOf(upper), bins, X.cols());
}

std::vector<Index> Occupied(std::vector<Index> cells) {
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  RequireInput(cells.size() <= kMostBins, "the rows may occupy at most ",
               kMostBins, " bins, but occupy ", cells.size(), "; take fewer");
  return cells;
}

}  // namespace

BinningPlan::BinningPlan(const SharedSetting& setting, const Regression& task)
    : Plan(setting), task_(task) {
  setting->Validate();
  const Matrix& X = setting->X();
  ValidBinning(task, X.cols());
  const std::vector<Index> cell_of_row = GridOf(X, task_).CellsOf(X);
  cells_ = Occupied(cell_of_row);
  counts_ = Vector::Zero(static_cast<Index>(cells_.size()));
  std::vector<Index> bin_of_row;
  for (const Index cell : cell_of_row) {
    bin_of_row.push_back(std::ranges::lower_bound(cells_, cell) -
                         cells_.begin());
    ++counts_(bin_of_row.back());
  }
  const double epsilon = std::get<PureBudget>(task.budget).epsilon();
  sums_.emplace(std::move(bin_of_row), counts_.size(), privacy_units(),
                setting->bounds(), epsilon);
  noise_variance_ = task_.noise_variance.value_or(
      HyperPrior(X, setting->bounds().width(), std::nullopt, std::nullopt)
          .Nodes()
          .front()
          .value.noise_variance);

  const bool integral = task_.method == Regression::kIntegralBinning;
  summary_.method = integral ? "integral-binning" : "binning";
  summary_.design = "bins";
  summary_.rank = 2 * counts_.size();
  summary_.privacy = StatementOf(*setting, epsilon, /*delta=*/0);
  summary_.privacy.mechanism = "exact discrete Laplace release";
  summary_.privacy.sensitivity = sums_->sensitivity();
  summary_.privacy.noise_sd = sums_->noise_sd();
  event_ = [epsilon = sums_->epsilon()] { return PureEvent(epsilon); };
  integral ? ModelIntegrals() : ModelBins();
  CheckReleasable(Content(), *basis_);
}

// The bins as a process: f is constant on each, with a variance v around the
// prior mean that makes a whole width of the bounds its two standard
// deviations, or at least as much as the noise.
void BinningPlan::ModelBins() {
  const double half_width = setting().bounds().width() / 2;
  const Grid grid = GridOf(setting().X(), task_);
  const Boxes boxes = grid.BoxesOf(cells_);
  const Matrix centres = boxes.lower + (boxes.upper - boxes.lower) / 2;
  RequireInput(grid.CellsOf(centres) == cells_,
               "the bins are too narrow for double precision; take fewer");
  const Kernel kernel = Kernel::Bins(
      std::max(half_width * half_width, noise_variance_), ListOf(grid.lower()),
      ListOf(grid.upper()), task_.bins.value_or(kBins));
  basis_.emplace(kernel, centres, /*jitter=*/0, setting().threads);

  // The variance of f in a bin of n rows is noise_variance/n + (noise_sd/n)².
  const double rows = counts_.sum();
  const double noise = summary_.privacy.noise_sd;
  const double without =
      noise_variance_ * static_cast<double>(counts_.size()) / rows;
  summary_.expected_sd_without_privacy = std::sqrt(without);
  summary_.expected_sd =
      std::sqrt(without + noise * noise * counts_.cwiseInverse().sum() / rows);
}

// With F_b the mean of f over bin b, the sum over the n_b rows of the bin
// (those that have an output) is taken for n_b F_b + N(0, n_b σ²): that the
// rows are not spread evenly over the bin is neglected, as in the paper. Sums,
// not means, because their privacy noise is the same in all bins.
void BinningPlan::ModelIntegrals() {
  const Threads& threads = setting().threads;
  const Matrix& X = setting().X();
  const Kernel& kernel = *task_.kernel;
  const Boxes boxes = GridOf(X, task_).BoxesOf(cells_);
  setting().progress("choosing basis points", 0);
  const Matrix Z =
      SelectBasisPoints(kernel, BasisCandidates(X), threads,
                        {.max_size = kMostBinBasisPoints,
                         .tolerance = kBinResidual * noise_variance_});
  basis_.emplace(kernel, Z, threads);
  H_ = basis_->WhitenValues(kernel.BoxCovariance({Z, Z}, boxes, threads))
           .transpose();
  V_ = kernel.BoxCovariance(boxes, boxes, threads) - H_ * H_.transpose();

  const Matrix phi = basis_->Features(X);
  const double residual = basis_->ResidualVariances(X, phi).mean();
  const auto expected = [&](double noise_sd) {
    const LinearPosterior posterior =
        InferFromSums(Vector::Zero(counts_.size()), counts_, noise_sd);
    const double variance = phi.squaredNorm() -
                            (posterior.explained * phi).squaredNorm() +
                            (posterior.noise * phi).squaredNorm();
    return std::sqrt(std::max(0.0, variance / counts_.sum() + residual));
  };
  summary_.expected_sd = expected(summary_.privacy.noise_sd);
  summary_.expected_sd_without_privacy = expected(0);
}

LinearPosterior BinningPlan::InferFromSums(const Vector& sums,
                                           const Vector& present,
                                           double noise_sd) const {
  Matrix V0 = present.asDiagonal() * V_ * present.asDiagonal();
  V0.diagonal() += noise_variance_ * present;
  return InferWeights(present.asDiagonal() * H_, V0, noise_sd, sums);
}

// f on bin b is the released mean: for u = f/√v,
//   variance of u = 1 − (1 − σ²/(n v)) + (noise_sd/(n √v))².
LinearPosterior BinningPlan::BinPosterior(const Vector& sums,
                                          const Vector& present,
                                          double noise_sd) const {
  const double v = basis_->kernel().VarianceBound();
  const Eigen::ArrayXd n = present.array();
  LinearPosterior posterior;
  posterior.mean = sums.array() / n / std::sqrt(v);
  posterior.explained =
      (1 - noise_variance_ / v / n).max(0).sqrt().matrix().asDiagonal();
  posterior.noise = (noise_sd / std::sqrt(v) / n).matrix().asDiagonal();
  return posterior;
}

Posterior BinningPlan::Infer(const Vector& sums, const Vector& present) const {
  const double noise_sd = summary_.privacy.noise_sd;
  return AsPosterior(*basis_, noise_variance_,
                     task_.method == Regression::kIntegralBinning
                         ? InferFromSums(sums, present, noise_sd)
                         : BinPosterior(sums, present, noise_sd));
}

// How many outputs of each bin are not missing: if a share π of all is not, n_b
// π are expected, up to chance, n_b π (1 − π), and a noisy number of them is
// known.
Vector BinningPlan::PresentIn(const NoisyBinSums& noisy) const {
  const double rows = counts_.sum();
  const double noise = sums_->present_noise_sd();
  Vector published(counts_.size());
  for (Index b = 0; b < published.size(); ++b) {
    published(b) = static_cast<double>(noisy.present[static_cast<size_t>(b)]) *
                   sums_->present_step();
  }
  const auto bins = static_cast<double>(counts_.size());
  const double share =
      PresentShare({{published.sum() / rows, noise * std::sqrt(bins) / rows}});
  const Eigen::ArrayXd expected = share * counts_.array();
  const Eigen::ArrayXd chance = (1 - share) * expected;
  const Eigen::ArrayXd present = expected + chance / (chance + noise * noise) *
                                                (published.array() - expected);
  return present.max(kLeastPresent).min(counts_.array());
}

Release BinningPlan::Run(const PrivateRows& rows, Randomness& randomness,
                         const ReleaseObserver& /*observer*/) const {
  const NoisyBinSums noisy = sums_->Release(rows.outputs(), randomness);

  // From here on everything is post-processing of what was released.
  ReleaseContent content = Content();
  const double sensitivity = summary_.privacy.sensitivity;
  content.statistic = {
      DecimalTexts(noisy.sums), sums_->sum_step(),
      StatisticCost{"sums of outputs in bins", NoiseKind::kLaplace, sensitivity,
                    sensitivity / sums_->epsilon(), sums_->epsilon()}};
  content.earlier_statistics = {PublishedWith(content.statistic, noisy.present,
                                              sums_->present_step(),
                                              "numbers of outputs in bins")};
  content.basis_points = basis_->points();
  const Vector present = PresentIn(noisy);
  Vector sums = present * (setting().bounds().middle() - setting().PriorMean());
  for (Index b = 0; b < counts_.size(); ++b) {
    sums(b) += static_cast<double>(noisy.sums[static_cast<size_t>(b)]) *
               sums_->sum_step();
  }
  content.posteriors.push_back(Infer(sums, present));
  return Release(std::move(content));
}

}  // namespace cloak
