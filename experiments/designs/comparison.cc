#include "experiments/designs/comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "benchmarks/report.h"
#include "cloak/base/error.h"
#include "cloak/design/bayes.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"
#include "cloak/gp/basis.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/linalg/cholesky.h"

namespace cloak {
namespace {

constexpr int kRounds = 5;

Matrix NoisyCovariance(const DesignTask& task, const Threads& threads) {
  Matrix K = task.kernel.Covariance(task.X, threads);
  K.diagonal().array() += task.noise_variance;
  return K;
}

// As OptimalPlan does it: in a basis that leaves next to nothing of f.
NoiseDesign DesignByBayes(const DesignTask& task, const Threads& threads) {
  const Basis basis(
      task.kernel,
      SelectBasisPoints(task.kernel, task.X, threads,
                        {.tolerance = 1e-4 * task.noise_variance}),
      threads);
  OutputModel outputs = ModelOutputs(basis, task.noise_variance, task.X);
  const Matrix phi = basis.Features(task.Xs);
  return BayesDesign(
      {{1, std::move(outputs.Phi), std::move(outputs.D),
        phi * phi.transpose() / static_cast<double>(phi.cols())}},
      task.s, threads);
}

DesignOutcome Measure(std::string name, const DesignTask& task,
                      const Threads& threads,
                      const std::function<NoiseDesign()>& make) {
  DesignOutcome outcome;
  outcome.name = std::move(name);
  outcome.seconds =
      BestSecondsInTurn({[&] { outcome.design = make(); }}, kRounds)[0];
  const NoiseDesign& design = outcome.design;
  LinearRelease by_bayes = DecodedByBayes(task, design.R, threads);
  outcome.error_by_bayes = ErrorCovariance(task, by_bayes, threads);
  if (design.decoder.size() == 0) {
    outcome.release = std::move(by_bayes);
  } else {
    outcome.release = {design.decoder * design.R, task.s * design.decoder};
  }
  outcome.error = ErrorCovariance(task, outcome.release, threads);
  return outcome;
}

}  // namespace

Matrix ErrorCovariance(const DesignTask& task, const LinearRelease& release,
                       const Threads& threads) {
  const Matrix cross =
      release.C * task.kernel.CrossCovariance(task.X, task.Xs, threads);
  return task.kernel.Covariance(task.Xs, threads) - cross - cross.transpose() +
         release.C * NoisyCovariance(task, threads) * release.C.transpose() +
         NoiseCovariance(release);
}

LinearRelease WithoutPrivacy(const DesignTask& task, const Threads& threads) {
  return {ExactGp(task.kernel, task.noise_variance, task.X, threads)
              .CloakingMatrix(task.Xs),
          Matrix::Zero(task.Xs.rows(), 1)};
}

LinearRelease DecodedByBayes(const DesignTask& task, const Matrix& R,
                             const Threads& threads) {
  Matrix A = R * NoisyCovariance(task, threads) * R.transpose();
  A.diagonal().array() += task.s * task.s;
  const Cholesky cholesky(std::move(A), threads);
  if (cholesky.outcome() == Cholesky::kFailed) {
    throw Error(cholesky.message());
  }
  const Matrix decoder =
      cholesky.Solve(R * task.kernel.CrossCovariance(task.X, task.Xs, threads))
          .transpose();
  return {decoder * R, task.s * decoder};
}

Comparison CompareDesigns(const DesignTask& task, const Threads& threads) {
  const LinearRelease exact = WithoutPrivacy(task, threads);
  const Matrix& C = exact.C;
  Comparison comparison;
  comparison.prior = task.kernel.Covariance(task.Xs, threads);
  comparison.without_privacy = ErrorCovariance(task, exact, threads);
  comparison.outcomes = {
      Measure("volume", task, threads,
              [&] { return VolumeDesign(C, threads); }),
      Measure("trace", task, threads,
              [&] { return TraceDesign(C, Vector::Ones(C.rows()), threads); }),
      Measure("bayes", task, threads,
              [&] { return DesignByBayes(task, threads); })};
  return comparison;
}

double RootMeanVariance(const Matrix& covariance) {
  return std::sqrt(covariance.diagonal().mean());
}

double RootMeanVarianceAtRows(const DesignTask& task,
                              const Matrix& covariance) {
  double sum = 0;
  for (Index i = 0; i < task.X.rows(); ++i) {
    Index nearest = 0;
    (task.Xs.rowwise() - task.X.row(i))
        .rowwise()
        .squaredNorm()
        .minCoeff(&nearest);
    sum += covariance(nearest, nearest);
  }
  return std::sqrt(sum / static_cast<double>(task.X.rows()));
}

double EllipseArea(const Matrix& covariance) {
  const double determinant =
      covariance(0, 0) * covariance(1, 1) - covariance(0, 1) * covariance(1, 0);
  return std::numbers::pi * std::sqrt(std::max(0.0, determinant));
}

Vector RowPulls(const DesignTask& task, const LinearRelease& release) {
  return task.width *
         release.C.array().square().colwise().mean().sqrt().transpose();
}

Matrix NoiseCovariance(const LinearRelease& release) {
  return release.noise * release.noise.transpose();
}

}  // namespace cloak
