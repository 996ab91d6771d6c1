#include "cloak/models/rows/row_inference.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "cloak/models/release_parts.h"

namespace cloak {
namespace {

constexpr Index kMostRowBasisPoints = 150;
// The basis may leave this of f at a cell, as a fraction of the noise variance.
constexpr double kRowBasisResidual = 1e-3;

// Beliefs about the logarithm of the density: lengthscales, as fractions of the
// ranges, and variances.
constexpr double kDensityLengthscales[] = {0.2, 0.4};
constexpr double kDensityVariances[] = {1, 6, 30};
constexpr Index kMostAveragedInputs = 4;
constexpr Index kMostDensityPoints = 100;
constexpr double kDensityResidual = 0.01;

constexpr int kRowPasses = 2;

// Beliefs about how rows are spread over cells, from nearly even to a narrow
// ridge.
std::vector<DensityPrior> DensitiesOver(const CellTree& cells,
                                        const Matrix& centres,
                                        const Threads& threads) {
  std::vector<DensityPrior> densities;
  for (const double length : kDensityLengthscales) {
    std::vector<double> lengthscales;
    for (Index j = 0; j < cells.inputs(); ++j) {
      lengthscales.push_back(length * (cells.upper()(j) - cells.lower()(j)));
    }
    const Kernel kernel = Kernel::Eq(1, lengthscales);
    const Matrix Z = SelectBasisPoints(
        kernel, centres, threads,
        {.max_size = kMostDensityPoints, .tolerance = kDensityResidual});
    const Matrix Phi = Basis(kernel, Z, threads).Features(centres);
    for (const double variance : kDensityVariances) {
      densities.push_back({std::sqrt(variance) * Phi, cells.Shares()});
    }
  }
  return densities;
}

// Cells that span f where `weights` say that it matters, for the roughest of
// the hyperparameters that stand for all.
Matrix BasisOver(const HyperPrior& prior, const Matrix& centres,
                 const Vector& weights, const Threads& threads) {
  // The roughest of the nodes needs the most.
  Matrix best;
  for (const WeightedHyperparameters& node : prior.Nodes()) {
    Matrix points = SelectBasisPoints(
        node.value.kernel, centres, weights, threads,
        {.max_size = kMostRowBasisPoints,
         .tolerance = kRowBasisResidual * node.value.noise_variance});
    if (points.rows() > best.rows()) best = std::move(points);
  }
  return best;
}

}  // namespace

RowInference::RowInference(const CellTree& cells, const HyperPrior& prior,
                           double rows, const Threads& threads)
    : cells_(cells),
      centres_(cells.Centres()),
      prior_(prior),
      rows_(rows),
      threads_(threads),
      Z_(BasisOver(prior, centres_, Vector::Ones(cells.size()), threads)),
      densities_(DensitiesOver(cells, centres_, threads)) {}

void RowInference::PutInto(const CellTree& cells, const Vector& expected_rows) {
  cells_ = cells;
  centres_ = cells.Centres();
  Z_ = BasisOver(prior_, centres_,
                 (expected_rows / expected_rows.mean()).cwiseMin(1), threads_);
  densities_ = DensitiesOver(cells, centres_, threads_);
}

RowBelief RowInference::BeliefHere(RowBelief elsewhere,
                                   const Vector& expected_rows) const {
  RowBelief belief = std::move(elsewhere);
  belief.expected_rows = expected_rows;
  BelieveCells(MeansOver(belief.f->basis), belief);
  return belief;
}

RowBelief RowInference::Believe(const std::vector<PublishedSums>& rounds,
                                const RowBelief& before) const {
  const double rows = PresentRows(rounds, rows_);
  return Settle(rounds, RowStatistic(rounds, densities_, rows), before);
}

std::vector<Posterior> RowInference::Conclude(
    const std::vector<PublishedSums>& rounds, const RowBelief& before) const {
  const RowStatistic statistic(rounds, densities_, PresentRows(rounds, rows_));
  return Posteriors(statistic, Settle(rounds, statistic, before));
}

RowBelief RowInference::Settle(const std::vector<PublishedSums>& rounds,
                               const RowStatistic& statistic,
                               RowBelief belief) const {
  belief.expected_rows = statistic.counts.expected;
  for (int pass = 0; pass < kRowPasses; ++pass)
    Refine(rounds, statistic, belief);
  return belief;
}

Basis RowInference::BasisOf(const Hyperparameters& theta) const {
  return {theta.kernel, Z_, threads_};
}

CellMeans RowInference::MeansOver(const Basis& basis) const {
  const bool average = cells_.inputs() <= kMostAveragedInputs;
  const Index corners = average ? Index{1} << cells_.inputs() : 1;
  const Matrix widths = cells_.boxes().upper - cells_.boxes().lower;
  CellMeans means{Matrix::Zero(basis.size(), cells_.size()),
                  Vector::Zero(cells_.size())};
  for (Index corner = 0; corner < corners; ++corner) {
    Matrix x = centres_;
    for (Index j = 0; average && j < cells_.inputs(); ++j) {
      const double sign = (corner >> j) % 2 == 0 ? -1 : 1;
      x.col(j) += sign / (2 * std::numbers::sqrt3) * widths.col(j);
    }
    const Matrix Phi = basis.Features(x);
    means.residual += basis.ResidualVariances(x, Phi);
    means.Phi += Phi;
  }
  means.Phi /= static_cast<double>(corners);
  means.residual /= static_cast<double>(corners);
  return means;
}

Cholesky RowInference::FactoredNoise(Matrix A) const {
  return FactorNearly(std::move(A), threads_,
                      "the covariance of what was released");
}

Vector RowInference::EvenRows() const { return rows_ * cells_.Shares(); }

}  // namespace cloak
