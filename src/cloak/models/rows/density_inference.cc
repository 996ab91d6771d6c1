#include "cloak/models/rows/density_inference.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/gp/basis.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/grid.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"
#include "cloak/selection/pattern_search.h"

namespace cloak {
namespace {

// By the number of inputs: points of the basis in each, and the shortest
// lengthscale they can follow, as a fraction of the range.
constexpr Index kBasisPerInput[] = {40, 11, 5};
constexpr double kShortest[] = {0.03, 0.08, 0.16};
constexpr double kLongest = 4;

constexpr double kBias = 9;
// Log-normal beliefs of variance and lengthscale: median and spread.
constexpr double kLogDensityVariance = 3;
constexpr double kVarianceSpread = 1.5;
constexpr double kLeastVariance = 0.05;
constexpr double kMostVariance = 100;
constexpr double kDensityLengthscale = 0.25;
constexpr double kLengthscaleSpread = 1;
// And of the variance of single cells around it: ages are whole numbers, and
// people like some of them better than others.
constexpr double kDensityRoughness = 1e-3;
constexpr double kRoughnessSpread = 2.5;
constexpr double kLeastRoughness = 1e-6;
constexpr double kMostRoughness = 5;

// Away from the best hyperparameters in each direction, in logarithms: what is
// averaged over. What has e^(−this) of the largest weight or less is left out.
constexpr double kNearby = 0.4;
constexpr double kMostCost = 4;
constexpr size_t kMostPosteriors = 8;

// Rows F with FᵀF = A, of those directions that matter against I.
Matrix RootOf(const Matrix& A) {
  const SymmetricEigen eigen = EigenDecomposition(A);
  const Index size = A.rows();
  Index first = 0;
  while (first < size && eigen.values(first) < 1e-7) ++first;
  return eigen.values.tail(size - first).cwiseSqrt().asDiagonal() *
         eigen.vectors.rightCols(size - first).transpose();
}

// (I + Φ diag(p) Φᵀ)⁻¹.
Matrix CovarianceOf(const Matrix& Phi, const Vector& p,
                    const Threads& threads) {
  Matrix A = WeightedGram(Phi, p, threads);
  A.diagonal().array() += 1;
  const Index size = A.rows();
  const Matrix inverse = FactorExactly(std::move(A), threads, "a precision")
                             .Solve(Matrix::Identity(size, size));
  return 0.5 * (inverse + inverse.transpose());
}

// Very smooth, or smooth only: a density that bends sharply somewhere is not
// overlooked.
using Family = Kernel (*)(double, const PerInput&);

// Over the logarithms of the variance, of the roughness and of the
// lengthscales.
class DensitySearch {
 public:
  DensitySearch(const Setting& setting, const Matrix& centres,
                const NoisyBins& bins, Family family)
      : setting_(setting),
        centres_(centres),
        bins_(bins),
        family_(family),
        points_(DensityBasis(setting.lower(), setting.upper())) {}

  SearchBox Box() const {
    const Index inputs = setting_.lower().size();
    SearchBox box{Vector(inputs + 2), Vector(inputs + 2), Vector(inputs + 2)};
    box.start.setConstant(std::log(kDensityLengthscale));
    box.lower.setConstant(std::log(kShortest[inputs - 1]));
    box.upper.setConstant(std::log(kLongest));
    box.start(0) = std::log(kLogDensityVariance);
    box.lower(0) = std::log(kLeastVariance);
    box.upper(0) = std::log(kMostVariance);
    box.start(1) = std::log(kDensityRoughness);
    box.lower(1) = std::log(kLeastRoughness);
    box.upper(1) = std::log(kMostRoughness);
    return box;
  }

  double Cost(const Vector& logs) const {
    try {
      return Cost(logs, Fit(PriorFor(logs, BasisFor(logs))));
    } catch (const Error&) {
      return HUGE_VAL;  // another may do
    }
  }

  // With −log of its weight, up to a constant.
  std::pair<Posterior, double> PosteriorAt(const Vector& logs) const {
    const Basis basis = BasisFor(logs);
    const LogIntensityPrior prior = PriorFor(logs, basis);
    const LogIntensity fit = Fit(prior);
    const Matrix S = CovarianceOf(prior.Phi, fit.Precision(), setting_.threads);
    const Matrix without =
        CovarianceOf(prior.Phi, fit.PrecisionWithoutNoise(), setting_.threads);
    Posterior posterior;
    posterior.kernel = basis.kernel();
    posterior.jitter = basis.jitter();
    posterior.mean = fit.weights();
    SetFactors(RootOf(Matrix::Identity(S.rows(), S.rows()) - without),
               RootOf(S - without), posterior);
    return {std::move(posterior), Cost(logs, fit)};
  }

  Basis BasisBeforehand() const { return BasisFor(Box().start); }

  // Where nothing else can be said: what was believed beforehand.
  Posterior Beforehand() const {
    const Basis basis = BasisBeforehand();
    Posterior posterior;
    posterior.kernel = basis.kernel();
    posterior.jitter = basis.jitter();
    posterior.mean = Vector::Zero(basis.size());
    posterior.directions.resize(0, basis.size());
    return posterior;
  }

 private:
  Basis BasisFor(const Vector& logs) const {
    std::vector<double> lengthscales;
    for (Index j = 0; j < setting_.lower().size(); ++j) {
      lengthscales.push_back(std::exp(logs(j + 2)) *
                             (setting_.upper()(j) - setting_.lower()(j)));
    }
    return {Kernel::Bias(kBias) +
                family_(std::exp(logs(0)), PerInput(lengthscales)),
            points_, setting_.threads};
  }

  LogIntensityPrior PriorFor(const Vector& logs, const Basis& basis) const {
    LogIntensityPrior prior;
    const auto cells = static_cast<double>(centres_.rows());
    prior.base =
        Vector::Constant(centres_.rows(), std::log(bins_.rows / cells));
    prior.Phi = basis.Features(centres_);
    prior.residual = basis.ResidualVariances(centres_, prior.Phi).array() +
                     std::exp(logs(1));
    return prior;
  }

  LogIntensity Fit(const LogIntensityPrior& prior) const {
    return {prior, bins_, setting_.threads};
  }

  static double Cost(const Vector& logs, const LogIntensity& fit) {
    double cost = fit.Cost();
    const auto believe = [&](Index j, double median, double spread) {
      const double z = (logs(j) - std::log(median)) / spread;
      cost += 0.5 * z * z;
    };
    believe(0, kLogDensityVariance, kVarianceSpread);
    believe(1, kDensityRoughness, kRoughnessSpread);
    for (Index j = 2; j < logs.size(); ++j) {
      believe(j, kDensityLengthscale, kLengthscaleSpread);
    }
    return cost;
  }

  const Setting& setting_;
  const Matrix& centres_;
  const NoisyBins& bins_;
  Family family_;
  Matrix points_;
};

std::vector<Vector> Around(const SearchBox& box, const Vector& best) {
  std::vector<Vector> nodes = {best};
  for (Index j = 0; j < best.size(); ++j) {
    if (j == 1) continue;  // roughness, which hardly matters to the density
    for (const double step : {-kNearby, kNearby}) {
      Vector node = best;
      node(j) += step;
      if (node(j) >= box.lower(j) && node(j) <= box.upper(j)) {
        nodes.push_back(std::move(node));
      }
    }
  }
  return nodes;
}

}  // namespace

Matrix DensityBasis(const Vector& lower, const Vector& upper) {
  const auto inputs = static_cast<size_t>(lower.size());
  return Grid(lower, upper,
              std::vector<Index>(inputs, kBasisPerInput[inputs - 1]))
      .Centres();
}

Basis DensityBeforehand(const Setting& setting) {
  return DensitySearch(setting, {}, {}, &Kernel::Eq).BasisBeforehand();
}

std::vector<Posterior> InferDensity(const Setting& setting,
                                    const Matrix& centres,
                                    const NoisyBins& bins) {
  std::vector<std::pair<Posterior, double>> found;
  double least = HUGE_VAL;
  for (const Family family : {&Kernel::Eq, &Kernel::Matern52}) {
    const DensitySearch search(setting, centres, bins, family);
    const SearchBox box = search.Box();
    const Vector best = PatternSearch(
        box, [&](const Vector& logs) { return search.Cost(logs); });
    least = std::min(least, search.Cost(best));
    for (const Vector& node : Around(box, best)) {
      if (!(search.Cost(node) < least + kMostCost)) continue;
      try {
        found.push_back(search.PosteriorAt(node));
      } catch (const Error&) {
        // The others must do.
      }
    }
  }
  std::stable_sort(
      found.begin(), found.end(),
      [](const auto& a, const auto& b) { return a.second < b.second; });
  if (found.size() > kMostPosteriors) found.resize(kMostPosteriors);
  std::vector<Posterior> posteriors;
  double total = 0;
  for (auto& [posterior, cost] : found) {
    if (cost > least + kMostCost) break;
    posterior.weight = std::exp(least - cost);
    total += posterior.weight;
    posteriors.push_back(std::move(posterior));
  }
  // A release that is paid for must tell something.
  if (posteriors.empty()) {
    return {DensitySearch(setting, centres, bins, &Kernel::Eq).Beforehand()};
  }
  for (Posterior& posterior : posteriors) posterior.weight /= total;
  return posteriors;
}

}  // namespace cloak
