#include "cloak/privacy/hinge_solver.h"

#include <algorithm>
#include <cmath>

#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"

namespace cloak {
namespace {

constexpr int kMostHingeSteps = 100;

// The machine of hinge_dual.h in doubles. With x_i the columns of X and
// w = W K/T, minimise |w|²/2 + c Σ ξ_i over x_i·w + ξ_i − r_i = 1, ξ, r >= 0,
// where c = A K²/T. With multipliers b in [0, c] of those equations, the
// optimum has w = Σ b_i x_i, b_i r_i = 0 and (c − b_i) ξ_i = 0; a path of
// points where these are μ instead leads to it (Mehrotra 1992; Ferris and
// Munson 2002 for machines with few features): a step costs one Cholesky
// factor of I + Σ x_i x_iᵀ/θ_i.
class InteriorPoint {
 public:
  InteriorPoint(const Matrix& X, double c, const Threads& threads)
      : X_(X), c_(c), threads_(threads), b_(Vector::Constant(X.cols(), c / 2)) {
    w_ = X_ * b_;
    const Vector z = (X_.transpose() * w_).array() - 1;
    r_ = z.cwiseMax(0).array() + std::max(1.0, z.cwiseAbs().mean());
    xi_ = r_ - z;
  }

  // b/c: the weights of rows, as fractions of the largest.
  Vector Fractions() const { return b_ / c_; }

  // The duality gap (hinge_dual.h, (3)) at b.
  double Gap() const {
    const Vector s = 1 - (X_.transpose() * (X_ * b_)).array();
    return (s.array() > 0)
        .select((c_ - b_.array()) * s.array(), -b_.array() * s.array())
        .sum();
  }

  // Whether it went well.
  bool Step() {
    const Vector theta = xi_.cwiseQuotient(Room()) + r_.cwiseQuotient(b_);
    Matrix H = WeightedGram(X_, theta.cwiseInverse(), threads_);
    H.diagonal().array() += 1;
    if (!H.allFinite()) return false;
    const Cholesky factor(std::move(H), threads_);
    if (factor.outcome() == Cholesky::kFailed) return false;

    const Vector br = b_.cwiseProduct(r_);
    const Vector gx = Room().cwiseProduct(xi_);
    const Direction predictor = Solve(factor, theta, -br, -gx);
    const double mu = Complementarity({}, 0);
    const double ratio = Complementarity(predictor, Longest(predictor)) / mu;
    const double target = ratio * ratio * ratio * mu;
    const Direction direction =
        Solve(factor, theta,
              target - br.array() - predictor.b.array() * predictor.r.array(),
              target - gx.array() + predictor.b.array() * predictor.xi.array());
    const double length = std::min(1.0, 0.995 * Longest(direction));
    w_ += length * direction.w;
    b_ += length * direction.b;
    r_ += length * direction.r;
    xi_ += length * direction.xi;
    return std::isfinite(length) && length > 1e-10 && b_.allFinite() &&
           b_.minCoeff() > 0 && Room().minCoeff() > 0 && r_.minCoeff() > 0 &&
           xi_.minCoeff() > 0;
  }

 private:
  struct Direction {
    Vector w = {};
    Vector b = {};
    Vector r = {};
    Vector xi = {};
  };

  Vector Room() const { return c_ - b_.array(); }

  // The Newton direction towards b r = b r + e1 and (c − b) ξ = (c − b) ξ + e2.
  Direction Solve(const Cholesky& factor, const Vector& theta, const Vector& e1,
                  const Vector& e2) const {
    const Vector room = Room();
    const Vector residual = (1 - (X_.transpose() * w_).array()).matrix() - xi_ +
                            r_ - e2.cwiseQuotient(room) + e1.cwiseQuotient(b_);
    const Vector q = residual.cwiseQuotient(theta);
    Direction d;
    d.w = factor.Solve(X_ * (b_ + q) - w_);
    d.b = q - (X_.transpose() * d.w).cwiseQuotient(theta);
    d.r = (e1 - r_.cwiseProduct(d.b)).cwiseQuotient(b_);
    d.xi = (e2 + xi_.cwiseProduct(d.b)).cwiseQuotient(room);
    return d;
  }

  double Complementarity(const Direction& d, double length) const {
    if (length == 0) return (b_.dot(r_) + Room().dot(xi_)) / Pairs();
    const Vector b = b_ + length * d.b;
    return (b.dot(r_ + length * d.r) +
            (c_ - b.array()).matrix().dot(xi_ + length * d.xi)) /
           Pairs();
  }
  double Pairs() const { return 2 * static_cast<double>(b_.size()); }

  // How far along d everything stays positive, at most 1.
  double Longest(const Direction& d) const {
    const auto shorten = [](const Vector& v, const Vector& dv, double length) {
      for (Index i = 0; i < v.size(); ++i) {
        if (dv(i) < 0) length = std::min(length, -v(i) / dv(i));
      }
      return length;
    };
    return shorten(
        b_, d.b,
        shorten(Room(), -d.b, shorten(r_, d.r, shorten(xi_, d.xi, 1))));
  }

  const Matrix& X_;
  double c_;
  Threads threads_;
  Vector w_;
  Vector b_;
  Vector r_;
  Vector xi_;
};

// Whether `dual` is certified by what the interior point finds.
bool SolveInDoubles(const Matrix& X, Int128 margin, const Threads& threads,
                    HingeDual& dual) {
  constexpr auto kK = static_cast<double>(kLargestFeatures);
  constexpr auto kA = static_cast<double>(HingeDual::kLargestWeight);
  const auto T = static_cast<double>(margin);
  // The target of (1) in w, where it is K²/T² times (1) in W.
  const double target = HingeDual::kGapTarget * (kK / T) * (kK / T);
  InteriorPoint point(X, kA * kK * kK / T, threads);
  for (int step = 0; step < kMostHingeSteps; ++step) {
    // Above the certified bound by what rounding to integers costs.
    if (point.Gap() <= 0.5 * target) {
      dual.Set(point.Fractions());
      if (dual.Certified()) return true;
    }
    const Vector last = point.Fractions();
    if (!point.Step()) {
      dual.Set(last);
      return dual.Certified();
    }
  }
  dual.Set(point.Fractions());
  return dual.Certified();
}

}  // namespace

void SolveHinge(const Matrix& X, Int128 margin, const Threads& threads,
                HingeDual& dual) {
  if (SolveInDoubles(X, margin, threads, dual)) return;
  while (!dual.Certified()) dual.Sweep();
}

}  // namespace cloak
