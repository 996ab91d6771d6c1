#ifndef CLOAK_PRIVACY_BOUNDED_RANGE_H_
#define CLOAK_PRIVACY_BOUNDED_RANGE_H_

#include <cstdint>
#include <vector>

namespace cloak {

// The privacy profile of k adaptively chosen mechanisms of epsilon-bounded
// range, an upper bound: the best possible one but for the grid.
//
// Write F(x) for a profile as a function of x = log a. Seen from its start,
//   F_k(x) = sup_t p_t F_(k-1)(x - t) + (1 - p_t) F_(k-1)(x - t + epsilon),
//   p_t = (1 - e^(t - epsilon))/(1 - e^-epsilon),   0 <= t <= epsilon,
// with F_0(x) = (1 - e^x)_+ (Dong, Durfee and Rogers 2020, section 5): the
// neighbours' losses lie in [t - epsilon, t], F is convex in a, so losses at
// the two ends are worst, and t may depend on all that was released before.
//
// On the grid x_j = j h, h = epsilon/m, let f_j bound F_(k-1)(x_j). F is below
// the chords of f, as a function of a. For x = x_j and t between t_i = i h and
// t_(i+1) both arguments stay in one cell, where the chords are A + B a e^-t
// and C + D a e^-t; with u = e^-t the expression to be maximised is
//   constant + constant u - c/u,   c = (A - C) e^-epsilon/(1 - e^-epsilon).
// It exceeds the larger of its values at the ends by nothing if c <= 0, and
// otherwise by at most (u_i - u_(i+1))^2/8 times its largest second derivative:
//   (h^2/4) e^(3h) e^(t_i - epsilon)/(1 - e^-epsilon) A,
// as C >= 0. That adds a share of 1/m^2 to the variance.
//
// The class of mechanisms is symmetric, so F(-x) = 1 - e^-x + e^-x F(x).
class BoundedRangeProfile {
 public:
  // Beyond it takes more than a second.
  static constexpr int64_t kMaxTimes = 10'000;

  BoundedRangeProfile(double epsilon, int64_t times);

  // F(x) or a little more, x >= 0.
  double Delta(double x) const;

 private:
  void Step();

  double epsilon_;
  // m, a power of two, so that h is exact.
  int cells_;
  double h_;
  // f_j for j = 0, …, J, and f_J beyond.
  std::vector<double> profile_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_BOUNDED_RANGE_H_
