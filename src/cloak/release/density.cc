#include "cloak/release/density.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/grid.h"
#include "cloak/release/kind.h"
#include "cloak/release/validate.h"

namespace cloak {
namespace {

constexpr Index kPointsPerInput[] = {2048, 96, 24};
constexpr Index kPointsPerBlock = 1024;
// The least volume and integral: whatever a posterior may answer
// (answer_bound.h) is finite when it is divided by it.
constexpr double kLeast = 1e-150;
constexpr char kTooLarge[] = "the numbers of a density are too large";

// The middles of the cells of the grid that integrals are taken on.
struct CellMiddles {
  Matrix points;
  double volume = 0;  // of a cell
};

CellMiddles MiddlesOf(const std::vector<InputColumn>& inputs) {
  const auto size = static_cast<Index>(inputs.size());
  Vector lower(size);
  Vector upper(size);
  const Index count = kPointsPerInput[size - 1];
  double volume = 1;
  for (Index j = 0; j < size; ++j) {
    lower(j) = inputs[static_cast<size_t>(j)].lower;
    upper(j) = inputs[static_cast<size_t>(j)].upper;
    volume *= (upper(j) - lower(j)) / static_cast<double>(count);
  }
  const Grid cells(lower, upper,
                   std::vector<Index>(static_cast<size_t>(size), count));
  return {cells.Centres(), volume};
}

bool IsInside(const std::vector<InputColumn>& inputs, const Vector& x) {
  for (size_t j = 0; j < inputs.size(); ++j) {
    const double value = x(static_cast<Index>(j));
    if (value < inputs[j].lower || value > inputs[j].upper) return false;
  }
  return true;
}

}  // namespace

DensityPart::DensityPart(const ReleaseContent& content,
                         const Posterior& posterior, const Matrix& folded,
                         const Matrix& whiten, const Threads& threads)
    : is_log_(content.link == DensityLink::kLog) {
  const CellMiddles grid = MiddlesOf(content.inputs);
  RequireInput(grid.volume >= kLeast && grid.volume <= 1 / kLeast,
               "the ranges of a density are too narrow or too wide");
  const Matrix& Z = content.basis_points;
  Vector f(grid.points.rows());
  const auto for_blocks = [&](const auto& use) {
    threads.ForBlocks(f.size(), kPointsPerBlock, [&](Index begin, Index end) {
      use(begin, end,
          posterior.kernel.CrossCovariance(
              Z, grid.points.middleRows(begin, end - begin), Threads(1)));
    });
  };
  for_blocks([&](Index begin, Index end, const Matrix& K) {
    f.segment(begin, end - begin) = (folded.row(0) * K).transpose();
  });
  if (!is_log_) {
    scale_ = f.cwiseMax(0).sum() * grid.volume;
    RequireInput(std::isfinite(scale_) && (scale_ == 0 || scale_ >= kLeast),
                 "the numbers of a density are too large or too small");
    // Where the noise left f nowhere positive, nothing is known.
    uniform_ = 1 / (static_cast<double>(f.size()) * grid.volume);
    return;
  }
  const double most = f.maxCoeff();
  Vector p = (f.array() - most).exp();
  scale_ = most + std::log(p.sum() * grid.volume);
  RequireInput(std::isfinite(scale_), kTooLarge);
  p /= p.sum();
  const Index blocks = (f.size() + kPointsPerBlock - 1) / kPointsPerBlock;
  Matrix sums(Z.rows(), blocks);
  for_blocks([&](Index begin, Index end, const Matrix& K) {
    sums.col(begin / kPointsPerBlock) = K * p.segment(begin, end - begin);
  });
  const Vector mean_covariance = sums.rowwise().sum();
  mean_values_ = folded * mean_covariance;
  const Vector phi = whiten * mean_covariance;
  mean_norm_ = phi.squaredNorm();
  mean_fold_ = whiten.transpose() * phi;
}

DensityPart::Marginals DensityPart::At(const Posterior& posterior,
                                       const Matrix& Z, const Matrix& folded,
                                       const Matrix& X) const {
  const Matrix K = posterior.kernel.CrossCovariance(Z, X, Threads(1));
  Matrix values = folded * K;
  const Vector f = values.row(0);
  const Vector& noise = posterior.noise_parts;
  const auto squares = values.bottomRows(noise.size()).cwiseAbs2();
  if (!is_log_) {
    const Vector sd = (squares.transpose() * noise).cwiseSqrt();
    if (scale_ > 0) return {f / scale_, sd / scale_};
    return {Vector::Constant(f.size(), uniform_),
            Vector::Constant(f.size(), uniform_)};
  }
  values.colwise() -= mean_values_;
  const Vector variance = posterior.kernel.Variances(X) -
                          2 * (K.transpose() * mean_fold_) +
                          Vector::Constant(X.rows(), mean_norm_) -
                          squares.transpose() * Vector(1 - 2 * noise.array());
  return {f.array() - scale_, variance.cwiseMax(0).cwiseSqrt()};
}

namespace {

// Returns e^x, or something finite where that is too large: between the points
// of the grid that the integral was taken on, a function from a stranger may be
// as large as it likes.
double BoundedExp(double x) {
  constexpr double kMost = 700;
  return std::exp(std::min(x, kMost));
}

// Returns log Σ_j weight_j e^(value_j) at query i, also where a term is too
// small for a double.
double LogOfMixture(const std::vector<DensityPart::Marginals>& parts,
                    const std::vector<Posterior>& posteriors, Index i) {
  double most = -HUGE_VAL;
  for (size_t j = 0; j < parts.size(); ++j) {
    if (posteriors[j].weight > 0) most = std::max(most, parts[j].value(i));
  }
  double sum = 0;
  for (size_t j = 0; j < parts.size(); ++j) {
    if (posteriors[j].weight > 0) {
      sum += posteriors[j].weight * std::exp(parts[j].value(i) - most);
    }
  }
  return most + std::log(sum);
}

// Mixes the parts by their weights; the interval is around the logarithm of the
// mixture.
void MixLogs(const std::vector<DensityPart::Marginals>& parts,
             const std::vector<Posterior>& posteriors, double quantile,
             Index begin, DensityPredictions& all) {
  const Index size = parts.front().value.size();
  for (Index i = 0; i < size; ++i) {
    const double centre = LogOfMixture(parts, posteriors, i);
    double variance = 0;
    for (size_t j = 0; j < parts.size(); ++j) {
      const double apart = parts[j].value(i) - centre;
      variance += posteriors[j].weight *
                  (parts[j].sd(i) * parts[j].sd(i) + apart * apart);
    }
    const double reach = quantile * std::sqrt(variance);
    all.density(begin + i) = BoundedExp(centre);
    all.lower(begin + i) = BoundedExp(centre - reach);
    all.upper(begin + i) = BoundedExp(centre + reach);
  }
}

void CutAtZero(const DensityPart::Marginals& part, double quantile, Index begin,
               DensityPredictions& all) {
  const Index size = part.value.size();
  all.density.segment(begin, size) = part.value.cwiseMax(0);
  all.lower.segment(begin, size) =
      (part.value - quantile * part.sd).cwiseMax(0);
  all.upper.segment(begin, size) =
      (part.value + quantile * part.sd).cwiseMax(0);
}

}  // namespace

DensityPredictions Release::PredictDensity(const Matrix& queries,
                                           double interval,
                                           const Threads& threads) const {
  RequireInput(content_.link.has_value(), "a release of the task '",
               NameOf(content_.task), "' has no density");
  RequireInput(interval > 0 && interval < 1,
               "the interval must be a probability between 0 and 1, such "
               "as 0.95, but is ",
               interval);
  RequireInput(queries.cols() == static_cast<Index>(content_.inputs.size()) &&
                   queries.allFinite(),
               "a query needs ", content_.inputs.size(), " inputs, all finite");
  const double quantile = std::numbers::sqrt2 * boost::math::erf_inv(interval);
  const Index n = queries.rows();
  DensityPredictions all{Vector(n), Vector(n), Vector(n)};
  threads.ForBlocks(n, kPointsPerBlock, [&](Index begin, Index end) {
    const Matrix X = queries.middleRows(begin, end - begin);
    std::vector<DensityPart::Marginals> parts;
    for (size_t j = 0; j < density_.size(); ++j) {
      parts.push_back(density_[j].At(content_.posteriors[j],
                                     content_.basis_points, folded_[j], X));
    }
    if (content_.link == DensityLink::kLog) {
      MixLogs(parts, content_.posteriors, quantile, begin, all);
    } else {
      CutAtZero(parts.front(), quantile, begin, all);
    }
    for (Index i = begin; i < end; ++i) {
      if (IsInside(content_.inputs, queries.row(i))) continue;
      all.density(i) = all.lower(i) = all.upper(i) = 0;
    }
  });
  return all;
}

namespace {

void ValidateDensity(const ReleaseContent& content) {
  RequireInput(
      content.inputs.size() <= kMostSpreadInputs && !content.projection,
      "a density must be of 1 to ", kMostSpreadInputs,
      " inputs, without a projection");
  for (const InputColumn& input : content.inputs) {
    RequireInput(input.lower < input.upper, "a density needs a range of '",
                 input.name, "'");
  }
  RequireInput(
      content.link == DensityLink::kLog || content.posteriors.size() == 1,
      "a density with the link 'identity' has one posterior");
}

std::vector<AnswerColumn> DensityColumns(const Release& release,
                                         const Matrix& X,
                                         const PredictOptions& options,
                                         const Threads& threads) {
  const DensityPredictions predictions =
      release.PredictDensity(X, options.interval, threads);
  return {{"density", predictions.density},
          {"lower", predictions.lower},
          {"upper", predictions.upper}};
}

std::string DensityWords(const ReleaseContent& /*content*/) {
  return "the density of the rows";
}

std::string LinkWords(const ReleaseContent& content,
                      const Posterior& /*posterior*/) {
  switch (*content.link) {
    case DensityLink::kLog:
      return " of the log density";
    case DensityLink::kIdentity:
      return " around each row";
  }
  return "";
}

}  // namespace

constexpr ReleaseKind kDensityKind = {
    .name = "density",
    .has_output = false,
    .plots = {"density", "density"},
    .public_words = "ranges, bins and categories",
    .validate = ValidateDensity,
    .columns = DensityColumns,
    .output_words = DensityWords,
    .posterior_words = LinkWords,
};

}  // namespace cloak
