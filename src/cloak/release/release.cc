#include "cloak/release/release.h"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/basis.h"
#include "cloak/gp/logistic_moments.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/release/answer_bound.h"
#include "cloak/release/kind.h"
#include "cloak/release/packed_rows.h"
#include "cloak/release/validate.h"

namespace cloak {
namespace {

constexpr Index kQueriesPerBlock = 1024;

void CheckOptions(const PredictOptions& options) {
  if (options.interval > 0 && options.interval < 1) return;
  throw InvalidInput(
      Text("the interval must be a probability between 0 and 1, such "
           "as 0.95, but is ",
           options.interval));
}

void CheckQueries(const Matrix& X, const ReleaseContent& content) {
  // Messages are made only when they are needed: one would cost more than the
  // prediction of one row.
  if (content.posteriors.empty()) {
    throw InvalidInput(Text("a release of the task '", NameOf(content.task),
                            "' has no function to predict"));
  }
  if (X.cols() != static_cast<Index>(content.inputs.size())) {
    throw InvalidInput(Text("a query needs ", content.inputs.size(),
                            " inputs, but has ", X.cols()));
  }
  RequireInput(X.allFinite(), "a query has an input that is not finite");
}

// Returns the queries, checked, as the kernels see them.
Matrix CheckedQueries(const Matrix& X, const ReleaseContent& content) {
  CheckQueries(X, content);
  return content.projection ? content.projection->Apply(X) : X;
}

Vector ExplainedParts(const Posterior& posterior) {
  return 1 - posterior.noise_parts.array();
}

// Mean, variance and privacy part of one posterior at a block of queries.
struct Marginals {
  Vector mean;
  Vector variance;
  Vector privacy_variance;
};

Marginals MarginalsOf(const Posterior& posterior, const ReleaseContent& content,
                      const Matrix& folded, const Matrix& X) {
  const Matrix values = folded * posterior.kernel.CrossCovariance(
                                     content.basis_points, X, Threads(1));
  const Index size = posterior.directions.rows();
  const Matrix squares = values.bottomRows(size).cwiseAbs2();
  Marginals marginals;
  marginals.mean = values.row(0);
  marginals.privacy_variance = squares.transpose() * posterior.noise_parts;
  if (KindOf(content.task).is_noise_alone) {
    marginals.variance = marginals.privacy_variance;
    return marginals;
  }
  marginals.variance =
      (posterior.kernel.Variances(X) + marginals.privacy_variance -
       squares.transpose() * ExplainedParts(posterior))
          .cwiseMax(0);
  return marginals;
}

}  // namespace

const std::vector<std::string>& CategoriesOf(const ReleaseContent& content,
                                             size_t input) {
  static const std::vector<std::string> none;
  if (!content.histogram) return none;
  return content.histogram->axes[input].categories;
}

size_t NumbersReleased(const ReleaseContent& content) {
  size_t numbers = content.statistic.integers.size();
  for (const ReleasedStatistic& earlier : content.earlier_statistics) {
    numbers += earlier.integers.size();
  }
  return numbers;
}

void SetFactors(const Matrix& E, const Matrix& N, Posterior& posterior) {
  posterior.directions.resize(E.rows() + N.rows(), E.cols());
  posterior.directions << E, N;
  posterior.noise_parts.resize(E.rows() + N.rows());
  posterior.noise_parts << Vector::Zero(E.rows()), Vector::Ones(N.rows());
}

Matrix InputProjection::Apply(const Matrix& X) const {
  return (X.rowwise() - centre.transpose()) * directions.transpose();
}

Release::Release(ReleaseContent content) : content_(std::move(content)) {
  ValidateContent(content_);
  if (content_.sites) {
    for (SiteRound& round : content_.sites->rounds) {
      round.R = Packable(round.R);
      round.centre = Packable(round.centre);
      round.half_width = Packable(round.half_width);
    }
  }
  const Threads threads;
  for (Posterior& posterior : content_.posteriors) {
    const Basis basis(posterior.kernel, content_.basis_points, posterior.jitter,
                      threads);
    posterior.directions = Packable(posterior.directions);
    Matrix stacked(1 + posterior.directions.rows(), basis.size());
    stacked << posterior.mean.transpose(), posterior.directions;
    folded_.push_back(basis.FoldIntoCovariance(stacked.transpose()));
    RequireFiniteAnswers(content_, posterior, folded_.back());
    if (!content_.link) continue;
    const Matrix whiten =
        basis.FoldIntoCovariance(Matrix::Identity(basis.size(), basis.size()));
    density_.emplace_back(content_, posterior, folded_.back(), whiten, threads);
  }
}

Predictions Release::Predict(const Matrix& queries,
                             const PredictOptions& options,
                             const Threads& threads) const {
  CheckOptions(options);
  const Matrix X = CheckedQueries(queries, content_);
  const Index n = X.rows();
  Predictions predictions{Vector(n), Vector(n), Vector(n), Vector(n),
                          Vector(n)};
  const double quantile =
      std::numbers::sqrt2 * boost::math::erf_inv(options.interval);
  threads.ForBlocks(n, kQueriesPerBlock, [&](Index begin, Index end) {
    const Index size = end - begin;
    const Matrix block = X.middleRows(begin, size);
    // Moments of the mixture, about the first component's mean.
    Vector centre;
    Vector shift = Vector::Zero(size);
    Vector variance = Vector::Zero(size);
    Vector privacy = Vector::Zero(size);
    for (size_t j = 0; j < folded_.size(); ++j) {
      const Posterior& posterior = content_.posteriors[j];
      const Marginals part =
          MarginalsOf(posterior, content_, folded_[j], block);
      if (j == 0) centre = part.mean;
      const Vector difference = part.mean - centre;
      shift += posterior.weight * difference;
      variance += posterior.weight * (part.variance + difference.cwiseAbs2());
      if (!options.latent) {
        variance.array() += posterior.weight * posterior.noise_variance;
      }
      privacy += posterior.weight * part.privacy_variance;
    }
    variance = (variance - shift.cwiseAbs2()).cwiseMax(0);
    predictions.mean.segment(begin, size) =
        (centre + shift).array() + content_.offset;
    predictions.sd.segment(begin, size) = variance.cwiseSqrt();
    predictions.privacy_sd.segment(begin, size) =
        privacy.cwiseMin(variance).cwiseSqrt();
  });
  predictions.lower = predictions.mean - quantile * predictions.sd;
  predictions.upper = predictions.mean + quantile * predictions.sd;
  return predictions;
}

namespace {

// The probabilities of both classes where f ~ N(mean, variance): that f is on
// each side of 0 where it is noise alone; else the means of 1 − π(f) and π(f).
struct ClassProbabilities {
  double negative = 0.5;
  double positive = 0.5;
};

ClassProbabilities ProbabilitiesOf(const ReleaseContent& content, double mean,
                                   double variance) {
  if (!KindOf(content.task).is_noise_alone) {
    const LogisticMoments moments = MomentsOfLogistic(mean, variance);
    return {moments.complement, moments.probability};
  }
  const double scaled = mean / std::sqrt(2 * variance);
  // Far from every basis point there is neither margin nor noise.
  if (std::isnan(scaled)) return {};
  return {std::erfc(scaled) / 2, std::erfc(-scaled) / 2};
}

}  // namespace

ClassPredictions Release::PredictClasses(const Matrix& queries,
                                         const Threads& threads) const {
  RequireInput(!content_.classes.empty(), "a release of the task '",
               NameOf(content_.task), "' has no classes to predict");
  const Matrix X = CheckedQueries(queries, content_);
  // The second class is where f is positive.
  constexpr size_t kNegative = 0;
  constexpr size_t kPositive = 1;
  ClassPredictions predictions{Matrix::Zero(X.rows(), 2),
                               std::vector<size_t>(X.rows())};
  threads.ForBlocks(X.rows(), kQueriesPerBlock, [&](Index begin, Index end) {
    const Matrix block = X.middleRows(begin, end - begin);
    for (size_t j = 0; j < folded_.size(); ++j) {
      const Posterior& posterior = content_.posteriors[j];
      const Marginals part =
          MarginalsOf(posterior, content_, folded_[j], block);
      for (Index i = begin; i < end; ++i) {
        const ClassProbabilities probabilities =
            ProbabilitiesOf(content_, part.mean(i - begin) + content_.offset,
                            part.variance(i - begin));
        predictions.probability(i, kNegative) +=
            posterior.weight * probabilities.negative;
        predictions.probability(i, kPositive) +=
            posterior.weight * probabilities.positive;
      }
    }
    for (Index i = begin; i < end; ++i) {
      // Weights sum to 1 up to rounding.
      predictions.probability.row(i) /= predictions.probability.row(i).sum();
      predictions.most_probable[i] =
          predictions.probability(i, kPositive) >
                  predictions.probability(i, kNegative)
              ? kPositive
              : kNegative;
    }
  });
  return predictions;
}

namespace {

Release::Joint JointOf(const Posterior& posterior,
                       const ReleaseContent& content, const Matrix& folded,
                       const Matrix& X, const PredictOptions& options,
                       const Threads& threads) {
  const Matrix values = folded * posterior.kernel.CrossCovariance(
                                     content.basis_points, X, threads);
  const auto along = values.bottomRows(posterior.directions.rows());
  Release::Joint joint;
  joint.mean = values.row(0);
  joint.covariance =
      along.transpose() * posterior.noise_parts.asDiagonal() * along;
  if (KindOf(content.task).is_noise_alone) return joint;
  joint.covariance +=
      posterior.kernel.Covariance(X, threads) -
      along.transpose() * ExplainedParts(posterior).asDiagonal() * along;
  if (!options.latent) {
    joint.covariance.diagonal().array() += posterior.noise_variance;
  }
  return joint;
}

// L with L·Lᵀ = covariance. A machine has none far from its basis points.
Matrix FactorOf(const Matrix& covariance, const Threads& threads) {
  if (covariance.isZero(0)) return covariance;
  const Cholesky cholesky(covariance, threads);
  if (cholesky.outcome() == Cholesky::kFailed) {
    throw InvalidInput(
        Text("the release has no joint distribution at these "
             "rows to draw from: ",
             cholesky.message()));
  }
  return cholesky.L();
}

}  // namespace

Release::Joint Release::PredictJoint(const Matrix& queries,
                                     const PredictOptions& options,
                                     const Threads& threads) const {
  const Matrix X = CheckedQueries(queries, content_);
  if (X.rows() == 0) return {};
  std::vector<Joint> parts;
  Vector mean = Vector::Zero(X.rows());
  for (size_t j = 0; j < folded_.size(); ++j) {
    parts.push_back(JointOf(content_.posteriors[j], content_, folded_[j], X,
                            options, threads));
    mean += content_.posteriors[j].weight * parts.back().mean;
  }
  Joint joint{mean.array() + content_.offset, Matrix::Zero(X.rows(), X.rows())};
  for (size_t j = 0; j < parts.size(); ++j) {
    const Vector difference = parts[j].mean - mean;
    joint.covariance +=
        content_.posteriors[j].weight *
        (parts[j].covariance + difference * difference.transpose());
  }
  return joint;
}

Matrix Release::Sample(const Matrix& queries, Index count, unsigned long seed,
                       const PredictOptions& options,
                       const Threads& threads) const {
  const Matrix X = CheckedQueries(queries, content_);
  RequireInput(count >= 0,
               "the number of samples must not be negative, "
               "but is ",
               count);
  if (X.rows() == 0) return {0, count};
  std::mt19937_64 generator(seed);
  std::vector<double> weights;
  std::vector<Joint> parts;
  std::vector<Matrix> factors;
  for (size_t j = 0; j < folded_.size(); ++j) {
    parts.push_back(JointOf(content_.posteriors[j], content_, folded_[j], X,
                            options, threads));
    factors.push_back(FactorOf(parts.back().covariance, threads));
    weights.push_back(content_.posteriors[j].weight);
  }
  std::discrete_distribution<size_t> component(weights.begin(), weights.end());
  std::normal_distribution<double> normal;
  Matrix samples(X.rows(), count);
  for (Index k = 0; k < count; ++k) {
    const size_t j = component(generator);
    const Vector z =
        Vector::NullaryExpr(X.rows(), [&] { return normal(generator); });
    samples.col(k) = (parts[j].mean + factors[j] * z).array() + content_.offset;
  }
  return samples;
}

}  // namespace cloak
