#include "cloak/gp/count_posterior.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cloak/base/error.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/threads.h"

namespace cloak {
namespace {

// The covariance that sampling leaves is that of the mode, which depends on
// it: a few rounds settle both.
constexpr int kMostCovarianceRounds = 8;
constexpr int kMostCountSteps = 60;
constexpr double kCountsConverged = 1e-4;
constexpr double kCovarianceSettled = 1e-2;
constexpr double kMostCountDamping = 1e10;

Cholesky Factored(Matrix A) {
  return FactorNearly(std::move(A), Threads(1), "a covariance of counts");
}

class Fit {
 public:
  Fit(const DensityPrior& prior, const Matrix& B, const Vector& t, double rows)
      : F_(prior.F),
        share_(prior.share),
        B_(B),
        t_(t),
        rows_(rows),
        v_(Vector::Zero(F_.rows())) {
    for (int outer = 0; outer < kMostCovarianceRounds; ++outer) {
      const Vector before = v_;
      precision_ = SamplingPrecision(Expected(v_));
      FindMode();
      if ((v_ - before).cwiseAbs().maxCoeff() < kCovarianceSettled) break;
    }
  }

  // −log of the evidence, up to what all priors have in common.
  double Cost() const {
    const Matrix J = B_ * Slope(Expected(v_));
    const Matrix curvature =
        Matrix::Identity(v_.size(), v_.size()) + J.transpose() * precision_ * J;
    const Cholesky factor = Factored(curvature);
    const Cholesky precision = Factored(precision_);
    return Objective(v_) + 0.5 * factor.LogDeterminant() -
           0.5 * precision.LogDeterminant();
  }

  CountPosterior Posterior() const {
    CountPosterior posterior;
    posterior.expected = Expected(v_);
    const Vector& n = posterior.expected;
    const Matrix slope = Slope(n);
    // Around the mode, before t: n ~ N(n(v) − slope v, prior).
    Matrix prior = slope * slope.transpose() - n * n.transpose() / rows_;
    prior.diagonal() += n;
    const Vector centre = n - slope * v_;
    const Matrix BP = B_ * prior;
    Matrix A = BP * B_.transpose();
    A.diagonal().array() += 1;
    const Cholesky factor = Factored(std::move(A));
    posterior.mean = centre + BP.transpose() * factor.Solve(t_ - B_ * centre);
    const Matrix half = factor.SolveLower(BP);
    posterior.covariance = prior - half.transpose() * half;
    return posterior;
  }

 private:
  // N p(v).
  Vector Expected(const Vector& v) const {
    Vector g = F_.transpose() * v;
    g.array() -= g.maxCoeff();
    const Vector p = share_.array() * g.array().exp();
    return p * (rows_ / p.sum());
  }

  // ∂ Expected/∂v: C x M.
  Matrix Slope(const Vector& n) const {
    return n.asDiagonal() * F_.transpose() - (n / rows_) * (F_ * n).transpose();
  }

  Matrix SamplingPrecision(const Vector& n) const {
    const Vector total = B_ * n;
    Matrix V = B_ * n.asDiagonal() * B_.transpose() -
               total * total.transpose() / rows_;
    V.diagonal().array() += 1;
    return Factored(std::move(V)).Solve(Matrix::Identity(t_.size(), t_.size()));
  }

  double Objective(const Vector& v) const {
    const Vector r = t_ - B_ * Expected(v);
    return 0.5 * r.dot(precision_ * r) + 0.5 * v.squaredNorm();
  }

  // Levenberg and Marquardt.
  void FindMode() {
    double cost = Objective(v_);
    double damping = 1e-3;
    for (int step = 0; step < kMostCountSteps; ++step) {
      const Vector n = Expected(v_);
      const Matrix J = B_ * Slope(n);
      const Matrix PJ = precision_ * J;
      const Vector gradient = v_ - PJ.transpose() * (t_ - B_ * n);
      Matrix H = J.transpose() * PJ;
      H.diagonal().array() += 1;
      const Vector diagonal = H.diagonal();
      double decrease = -1;
      while (decrease < 0 && damping < kMostCountDamping) {
        Matrix damped = H;
        damped.diagonal() += damping * diagonal;
        const Vector next = v_ - Factored(std::move(damped)).Solve(gradient);
        const double there = Objective(next);
        if (there <= cost) {
          decrease = cost - there;
          v_ = next;
          cost = there;
          damping = std::max(1e-6, damping / 5);
        } else {
          damping *= 5;
        }
      }
      if (decrease < kCountsConverged) return;
    }
  }

  const Matrix& F_;
  const Vector& share_;
  const Matrix& B_;
  const Vector& t_;
  double rows_;
  Vector v_;
  Matrix precision_;
};

}  // namespace

CountPosterior InferCounts(const std::vector<DensityPrior>& priors,
                           const Matrix& B, const Vector& t, double rows) {
  std::optional<Fit> best;
  double least = HUGE_VAL;
  for (const DensityPrior& prior : priors) {
    try {
      Fit fit(prior, B, t, rows);
      const double cost = fit.Cost();
      if (!(cost < least)) continue;
      least = cost;
      best.emplace(std::move(fit));
    } catch (const Error&) {
      // Another may do.
    }
  }
  if (!best) throw Error("no density fits the numbers of rows");
  return best->Posterior();
}

}  // namespace cloak
