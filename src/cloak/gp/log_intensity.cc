#include "cloak/gp/log_intensity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"

namespace cloak {
namespace {

// The variance m + v is that of the mode, which depends on it: a few rounds
// settle both.
constexpr int kMostVarianceRounds = 8;
constexpr int kMostModeSteps = 40;
constexpr double kModeConverged = 1e-4;
constexpr double kVarianceSettled = 1e-2;
constexpr double kMostModeDamping = 1e10;
// So that a bin may be told apart from its neighbours in arithmetic, if not in
// belief.
constexpr double kLeastResidual = 1e-8;
// e^g stays a number.
constexpr double kMostLog = 50;

void Check(const LogIntensityPrior& prior, const NoisyBins& bins) {
  const Index size = bins.counts.size();
  RequireInput(size > 0 && prior.base.size() == size &&
                   prior.Phi.cols() == size && prior.residual.size() == size &&
                   prior.Phi.rows() > 0,
               "each bin must have a count, a base, features and a residual");
  RequireInput(bins.counts.allFinite() && prior.Phi.allFinite() &&
                   prior.base.allFinite() && prior.residual.allFinite() &&
                   bins.noise_variance > 0 && bins.rows > 0,
               "noisy counts and what is believed of them must be finite, and "
               "their noise and number positive");
}

}  // namespace

LogIntensity::LogIntensity(LogIntensityPrior prior, const NoisyBins& bins,
                           const Threads& threads)
    : threads_(threads),
      prior_(std::move(prior)),
      noise_variance_(bins.noise_variance) {
  Check(prior_, bins);
  prior_.residual = prior_.residual.cwiseMax(kLeastResidual);
  const auto size = static_cast<double>(bins.counts.size());
  t_ = bins.counts.array() + (bins.rows - bins.counts.sum()) / size;
  u_ = Vector::Zero(prior_.Phi.rows());
  r_ = Vector::Zero(t_.size());
  for (int outer = 0; outer < kMostVarianceRounds; ++outer) {
    const Vector before = prior_.Phi.transpose() * u_ + r_;
    FindMode(Expected(u_, r_).array() + noise_variance_);
    const Vector after = prior_.Phi.transpose() * u_ + r_;
    if ((after - before).cwiseAbs().maxCoeff() < kVarianceSettled) break;
  }
  m_ = Expected(u_, r_);
  cost_ = EvidenceCost();
  if (!std::isfinite(cost_)) throw Error("no density fits the counts");
}

Vector LogIntensity::Expected(const Vector& u, const Vector& r) const {
  return (prior_.base + prior_.Phi.transpose() * u + r)
      .array()
      .max(-kMostLog)
      .min(kMostLog)
      .exp();
}

// −log of the density of (t, u, r) where t has the variances s, up to what does
// not depend on u and r.
double LogIntensity::Objective(const Vector& u, const Vector& r,
                               const Vector& s) const {
  const Vector error = t_ - Expected(u, r);
  return 0.5 * (error.cwiseAbs2().cwiseQuotient(s).sum() + u.squaredNorm() +
                r.cwiseAbs2().cwiseQuotient(prior_.residual).sum());
}

// Levenberg and Marquardt. With W = m²/s, the Hessian of Gauss and Newton is
//   [ I + Φ W Φᵀ   Φ W     ]
//   [ W Φᵀ         W + D⁻¹ ],
// whose lower right part is diagonal.
void LogIntensity::FindMode(const Vector& s) {
  const Matrix& Phi = prior_.Phi;
  const Eigen::ArrayXd D = prior_.residual.array();
  double cost = Objective(u_, r_, s);
  double damping = 1e-3;
  for (int step = 0; step < kMostModeSteps; ++step) {
    const Vector m = Expected(u_, r_);
    const Eigen::ArrayXd W = m.array().square() / s.array();
    const Vector slope = -(t_ - m).cwiseProduct(m).cwiseQuotient(s);
    const Vector gradient_u = u_ + Phi * slope;
    const Vector gradient_r = r_.array() / D + slope.array();
    double decrease = -1;
    while (decrease < 0 && damping < kMostModeDamping) {
      const Eigen::ArrayXd inverse = 1 / ((1 + damping) * (W + 1 / D));
      Matrix A = WeightedGram(Phi, W - W.square() * inverse, threads_);
      A.diagonal().array() += 1 + damping;
      const Cholesky factor =
          FactorExactly(std::move(A), threads_, "a curvature of counts");
      const Vector step_u = factor.Solve(
          gradient_u - Phi * (W * inverse * gradient_r.array()).matrix());
      const Vector step_r = inverse * (gradient_r.array() -
                                       W * (Phi.transpose() * step_u).array());
      const Vector u = u_ - step_u;
      const Vector r = r_ - step_r;
      const double there = Objective(u, r, s);
      if (there <= cost) {
        decrease = cost - there;
        cost = there;
        u_ = u;
        r_ = r;
        damping = std::max(1e-6, damping / 5);
      } else {
        damping *= 5;
      }
    }
    if (decrease < kModeConverged) return;
  }
}

Vector LogIntensity::Precision() const {
  const Eigen::ArrayXd W = m_.array().square() / (m_.array() + noise_variance_);
  return W / (1 + prior_.residual.array() * W);
}

Vector LogIntensity::PrecisionWithoutNoise() const {
  return m_.array() / (1 + prior_.residual.array() * m_.array());
}

// ½ log |I + (ΦᵀΦ + D) W| = ½ log |I + Φ P Φᵀ| + ½ Σ log(1 + D W), P as in
// Precision().
double LogIntensity::EvidenceCost() const {
  const Vector s = m_.array() + noise_variance_;
  const Eigen::ArrayXd W = m_.array().square() / s.array();
  Matrix A = WeightedGram(prior_.Phi, Precision(), threads_);
  A.diagonal().array() += 1;
  const Cholesky factor =
      FactorExactly(std::move(A), threads_, "a precision of counts");
  return Objective(u_, r_, s) +
         0.5 * (s.array().log().sum() + factor.LogDeterminant() +
                (prior_.residual.array() * W).log1p().sum());
}

// With P = UᵀU + diag(d) the covariance of n before t, U = Φ diag(m), and
// Q = (P + v I)⁻¹: the mean is t − v Q (t − centre), the covariance v I − v² Q.
// Given all others, t_c is [Q (t − centre)]_c/Q_cc off, with variance 1/Q_cc.
LogIntensity::Moments LogIntensity::Counts() const {
  const double v = noise_variance_;
  const Vector g = prior_.Phi.transpose() * u_ + r_;
  const Vector centre = m_ - m_.cwiseProduct(g);
  const Matrix U = prior_.Phi * m_.asDiagonal();
  const Eigen::ArrayXd d =
      m_.array().square() * prior_.residual.array() + m_.array();
  const Vector q = 1 / (d + v);
  Matrix A = WeightedGram(U, q, threads_);
  A.diagonal().array() += 1;
  const Cholesky factor =
      FactorExactly(std::move(A), threads_, "a covariance of counts");
  const Vector weighted = q.cwiseProduct(t_ - centre);
  const Vector solved =
      weighted -
      q.cwiseProduct(U.transpose() * Vector(factor.Solve(U * weighted)));
  const Vector lowered =
      factor.SolveLower(U * q.asDiagonal()).colwise().squaredNorm().transpose();
  const Eigen::ArrayXd diagonal = (q - lowered).array();
  Moments moments{t_ - v * solved, (v - v * v * diagonal).max(1e-9 * v)};
  for (Index c = 0; c < t_.size(); ++c) {
    if (std::abs(solved(c)) <= kUnlikely * std::sqrt(diagonal(c))) continue;
    moments.mean(c) = t_(c);
    moments.variance(c) = v;
  }
  return moments;
}

}  // namespace cloak
