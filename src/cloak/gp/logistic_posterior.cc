#include "cloak/gp/logistic_posterior.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/gp/logistic_moments.h"
#include "cloak/linalg/products.h"

namespace cloak {
namespace {

constexpr int kMostLogisticSteps = 60;
// Iteration ends when means move by at most this share of a posterior standard
// deviation.
constexpr double kLogisticConverged = 1e-4;

// A label is never known better than this, for the sake of rounding.
constexpr double kLeastNoise = 1e-9;

struct Marginals {
  Vector mean;
  Vector variance;
};

Marginals Prior(const LabelModel& labels) {
  return {Vector::Zero(labels.Phi.cols()),
          labels.Phi.colwise().squaredNorm().transpose()};
}

// Returns mean and variance of each g_i = φ_iᵀu.
Marginals MarginalsOf(const LinearPosterior& posterior,
                      const LabelModel& labels, const Threads& threads) {
  const Matrix explained = Product(posterior.explained, labels.Phi, threads);
  const Matrix noise = Product(posterior.noise, labels.Phi, threads);
  return {labels.Phi.transpose() * posterior.mean,
          (labels.Phi.colwise().squaredNorm() -
           explained.colwise().squaredNorm() + noise.colwise().squaredNorm())
              .cwiseMax(0)
              .transpose()};
}

OutputModel AsOutputs(const LabelModel& labels, const LinearizedLabels& line) {
  return {labels.Phi * line.slope.asDiagonal(),
          labels.repeats.size() == 0
              ? line.noise
              : Vector(line.noise.cwiseQuotient(labels.repeats))};
}

LinearPosterior Step(const LabelModel& labels, const Marginals& at,
                     const Matrix& R, double s, const Vector& w,
                     const Threads& threads) {
  const LinearizedLabels line =
      Linearize(at.mean, at.variance, labels.residual);
  const StatisticMoments moments =
      ModelStatistic(AsOutputs(labels, line), R, threads);
  return InferWeights(moments.H, moments.V0, s, w - R * line.intercept);
}

// How far the means and standard deviations are apart, in standard deviations
// (or in 1, the scale of the link, if that is more).
double Distance(const Marginals& a, const Marginals& b) {
  const Eigen::ArrayXd sd = b.variance.array().sqrt();
  const Eigen::ArrayXd scale = sd.max(1.0);
  return std::max(((a.mean - b.mean).array().abs() / scale).maxCoeff(),
                  ((a.variance.array().sqrt() - sd).abs() / scale).maxCoeff());
}

bool IsFinite(const LinearPosterior& posterior) {
  return posterior.mean.allFinite() && posterior.explained.allFinite() &&
         posterior.noise.allFinite();
}

}  // namespace

LabelModel ModelLabels(const Basis& basis, const Matrix& X) {
  Matrix Phi = basis.Features(X);
  Vector residual = basis.ResidualVariances(X, Phi);
  return {std::move(Phi), std::move(residual), {}};
}

LinearizedLabels Linearize(const Vector& mean, const Vector& variance,
                           const Vector& residual) {
  const Index n = mean.size();
  LinearizedLabels line{Vector(n), Vector(n), Vector(n)};
  // Rows before anything is known are often all alike.
  LogisticMoments moments;
  for (Index i = 0; i < n; ++i) {
    if (i == 0 || mean(i) != mean(i - 1) || variance(i) != variance(i - 1) ||
        residual(i) != residual(i - 1)) {
      moments = MomentsOfLogistic(mean(i), variance(i) + residual(i));
    }
    const double slope = 2 * moments.slope;
    line.slope(i) = slope;
    line.intercept(i) =
        moments.probability - moments.complement - slope * mean(i);
    // 1 − E[y]² = 4 P(y = 1) P(y = −1), without cancellation.
    line.noise(i) =
        std::max(kLeastNoise, 4 * moments.probability * moments.complement -
                                  slope * slope * variance(i));
  }
  return line;
}

OutputModel LabelsBeforehand(const LabelModel& labels) {
  const Marginals prior = Prior(labels);
  return AsOutputs(labels,
                   Linearize(prior.mean, prior.variance, labels.residual));
}

LinearPosterior InferFromLabels(const LabelModel& labels, const Matrix& R,
                                double s, const Vector& w,
                                const Threads& threads) {
  Marginals at = Prior(labels);
  LinearPosterior posterior = Step(labels, at, R, s, w, threads);
  // Full steps while they come closer to a fixed point, else shorter ones.
  double share = 1;
  double before = HUGE_VAL;
  try {
    for (int step = 1; step < kMostLogisticSteps; ++step) {
      const Marginals next = MarginalsOf(posterior, labels, threads);
      const double distance = Distance(next, at);
      if (!(distance > kLogisticConverged)) break;
      if (distance > 0.9 * before) share = std::max(0.1, 0.7 * share);
      before = distance;
      at.mean += share * (next.mean - at.mean);
      at.variance += share * (next.variance - at.variance);
      LinearPosterior better = Step(labels, at, R, s, w, threads);
      if (!IsFinite(better)) break;
      posterior = std::move(better);
    }
  } catch (const Error&) {
    // The release is made: what was inferred so far has to do.
  }
  return posterior;
}

}  // namespace cloak
