#ifndef CLOAK_GP_LOG_INTENSITY_H_
#define CLOAK_GP_LOG_INTENSITY_H_

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// Numbers of rows in C bins, each with independent noise added, of which the
// total without noise is known.
struct NoisyBins {
  Vector counts;              // C
  double noise_variance = 0;  // of each, positive
  double rows = 0;            // the total
};

// A prior of the logarithm g of the number of rows to be expected in each bin,
// before any is known: g = base + Φᵀu + r, u ~ N(0, I), r independent with the
// variances `residual`. A constant with a wide prior must be among the
// functions Φ: how rows are spread is then all that matters.
struct LogIntensityPrior {
  Vector base;      // C
  Matrix Phi;       // M x C
  Vector residual;  // C
};

// Infers g, and the numbers n behind them, from noisy counts t:
//   n_c ~ Poisson(m_c), m = e^g;   t_c = n_c + noise.
// (Poisson with a free constant is multinomial given the total.) As
// t_c ~ N(m_c, m_c + v), by Laplace's approximation around the mode of (u, r):
// all in the time of C M² operations, since the prior is a few functions and a
// diagonal.
class LogIntensity {
 public:
  // Throws InvalidInput when sizes do not fit, Error when there is no mode.
  LogIntensity(LogIntensityPrior prior, const NoisyBins& bins,
               const Threads& threads);

  // −log of the evidence, up to a constant.
  double Cost() const { return cost_; }
  // The mode of u, and m there.
  const Vector& weights() const { return u_; }
  const Vector& expected() const { return m_; }
  // Returns p, which says what is known of u: its posterior precision is I + Φ
  // diag(p) Φᵀ, and would be so with a larger p without the noise.
  Vector Precision() const;
  Vector PrecisionWithoutNoise() const;

  // Mean and variance of each n, given t, around the mode:
  //   n ~ N(m − m∘(g − base), diag(m) (ΦᵀΦ + D) diag(m) + diag(m)),
  //   t = n + noise.
  // The mean may be below zero. A bin that all others make look impossible,
  // more than kUnlikely standard deviations off, stands alone: its mean is t,
  // and its variance that of the noise. (A spike among empty bins is where a
  // linear view of e^g, from the foot of the spike, does not see it.)
  static constexpr double kUnlikely = 2.5;
  struct Moments {
    Vector mean;
    Vector variance;
  };
  Moments Counts() const;

 private:
  Vector Expected(const Vector& u, const Vector& r) const;
  double Objective(const Vector& u, const Vector& r, const Vector& s) const;
  void FindMode(const Vector& s);
  double EvidenceCost() const;

  Threads threads_;
  LogIntensityPrior prior_;
  Vector t_;  // with the noise of their total taken out
  double noise_variance_;
  Vector u_;
  Vector r_;
  Vector m_;
  double cost_ = 0;
};

}  // namespace cloak

#endif  // CLOAK_GP_LOG_INTENSITY_H_
