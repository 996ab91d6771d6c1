#ifndef CLOAK_PRIVACY_LOSS_DISTRIBUTION_H_
#define CLOAK_PRIVACY_LOSS_DISTRIBUTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cloak {

// An upper bound of a privacy loss, on a grid.
//
// A mechanism is dominated by a pair of distributions (P, Q) when its privacy
// profile, the smallest delta as a function of epsilon = x, is at most
//   H(x) = sup_S P(S) - e^x Q(S) = E_P (1 - e^(x - L))_+,    L = log dP/dQ,
// for every real x. Adaptive compositions are dominated by the product of the
// pairs (Zhu, Dong and Wang 2022, "Optimal Accounting of Differential Privacy
// via Characteristic Function", Theorem 10), whose losses add up. So the
// distribution of L under P is all that is needed, and composing is
// convolving.
//
// Here L takes the values x_j = j h, h = 2^exponent, with masses w_j >= 0, and
// infinity with mass w. Whatever is done can only make E (1 - e^(x - L - L'))_+
// larger, for every x and every independent L':
//   - a mass at l between grid points is split between its two neighbours so
//     that mass and sum of w e^-l are kept. Given L' = l', the term is a convex
//     function of e^-l, so spreading makes it larger (this is the "connect the
//     dots" rule of Doroshenko et al. 2022; its error is of second order in h,
//     where that of rounding losses up is of first);
//   - losses in the upper tail become infinite, those in the lower tail rise to
//     the lowest point kept: the term increases with l;
//   - masses are rounded up: no term is negative.
// Nothing is ever subtracted, so floating point errs by a known *relative*
// amount, which is added. This is why masses are convolved directly: an FFT
// would be quicker on long arrays, but its errors are absolute, and drown small
// deltas. Arrays stay short, because h grows with the deviation (Compose).
//
// Every pair here is symmetric, (P, Q) like (Q, P), so one profile serves both
// directions.
class LossDistribution {
 public:
  // No loss at all.
  LossDistribution() = default;

  // (epsilon, delta)-privacy, delta in [0, 1): randomised response, its loss
  // epsilon or -epsilon, with mass delta at infinity (Kairouz, Oh and
  // Viswanath 2015, Theorem 3.4).
  static LossDistribution RandomisedResponse(double epsilon, double delta,
                                             int exponent);

  // From bounds of the profile: profile[j] >= H(x_j) for j = 0, 1, …, J. The
  // profile of a symmetric pair satisfies H(-x) = 1 - e^-x + e^-x H(x), and is
  // convex as a function of e^x, so below its chords. The result has the chords
  // as its profile, and profile[J] beyond x_J. `deviation` is about that of L.
  static LossDistribution FromProfile(const std::vector<double>& profile,
                                      int exponent, double deviation);

  // Both together.
  static LossDistribution Compose(LossDistribution a, LossDistribution b,
                                  int points_per_deviation);

  // The grid for a loss with this deviation: 2^exponent is at most
  // deviation/points_per_deviation, and more than half of that.
  static int Exponent(double deviation, int points_per_deviation);

  int exponent() const { return exponent_; }
  // j of the first mass.
  int64_t first() const { return first_; }
  const std::vector<double>& masses() const { return masses_; }
  double infinity() const { return infinity_; }
  // Roughly: it decides about grids, not about bounds.
  double deviation() const { return deviation_; }

 private:
  void AddSymmetric(int64_t j, double mass);
  // Doubles h until it is 2^exponent.
  void Coarsen(int exponent);
  void CutTails();

  int exponent_ = 0;
  int64_t first_ = 0;
  std::vector<double> masses_{1.0};
  double infinity_ = 0;
  double deviation_ = 0;
};

// The profile of a LossDistribution, both ways.
class LossCurve {
 public:
  explicit LossCurve(const LossDistribution& loss);

  // An upper bound of delta at this epsilon >= 0.
  double Delta(double epsilon) const;
  // The smallest double whose Delta is at most delta, or infinity.
  double Epsilon(double delta) const;

 private:
  int exponent_;
  int64_t first_;
  double infinity_;
  // A_j = sum_{i >= j} w_i and B_j = sum_{i >= j} w_i (1 - e^-(x_i - x_j)).
  std::vector<double> mass_above_;
  std::vector<double> delta_at_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_LOSS_DISTRIBUTION_H_
