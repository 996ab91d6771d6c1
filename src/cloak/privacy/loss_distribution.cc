#include "cloak/privacy/loss_distribution.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/directed.h"
#include "cloak/privacy/mpfr_number.h"

namespace cloak {
namespace {

// Each composition may move this much to infinity: far below any delta that
// anybody asks for.
constexpr double kUpperTail = 1e-45;
// And this much up to the lowest point, where it hardly matters: such a loss
// was good luck.
constexpr double kLowerTail = 1e-16;
// Smaller masses are rounded up to this one, so that products neither
// underflow nor become slow.
constexpr double kSmallestMass = 1e-100;

double AtLeastSmallest(double mass) {
  return mass > 0 ? std::max(mass, kSmallestMass) : 0;
}

size_t CountPositive(const std::vector<double>& masses) {
  return static_cast<size_t>(std::count_if(
      masses.begin(), masses.end(), [](double mass) { return mass > 0; }));
}

// The masses of the sum of two independent losses.
std::vector<double> Convolve(const std::vector<double>& a,
                             const std::vector<double>& b) {
  const size_t terms = CountPositive(a);
  if (CountPositive(b) < terms) return Convolve(b, a);
  std::vector<double> sum(a.size() + b.size() - 1, 0.0);
  for (size_t i = 0; i < a.size(); ++i) {
    const double factor = a[i];
    if (factor == 0) continue;
    double* out = sum.data() + i;
    const double* in = b.data();
    const size_t count = b.size();
    for (size_t j = 0; j < count; ++j) out[j] += factor * in[j];
  }
  // Each is a sum of at most `terms` products, none of which underflows.
  const double inflation = Up(1, 2 * static_cast<double>(terms));
  for (double& mass : sum) mass = AtLeastSmallest(Up(mass * inflation));
  return sum;
}

}  // namespace

int LossDistribution::Exponent(double deviation, int points_per_deviation) {
  // A finer grid would bring underflow; no loss is as small as this one.
  return std::max(std::ilogb(deviation / points_per_deviation), -200);
}

void LossDistribution::AddSymmetric(int64_t j, double mass) {
  if (!(mass > 0)) return;
  const double x = std::ldexp(static_cast<double>(j), exponent_);
  const auto at = [this](int64_t index) -> double& {
    return masses_[static_cast<size_t>(index - first_)];
  };
  at(j) = AtLeastSmallest(Up(at(j) + mass));
  // P(L = -x) = Q(L = x) = e^-x P(L = x).
  at(-j) = std::max(kSmallestMass, Up(at(-j) + Up(mass * ExpUp(-x))));
}

LossDistribution LossDistribution::RandomisedResponse(double epsilon,
                                                      double delta,
                                                      int exponent) {
  // The masses e^e/(1 + e^e) at e = epsilon and 1/(1 + e^e) at -e. With d = e -
  // x_j in [0, h), the former is split in the shares
  //   (1 - e^-d)/(1 - e^-h)  to x_(j+1)   and
  //   (e^-d - e^-h)/(1 - e^-h) = e^-d (1 - e^-(h - d))/(1 - e^-h)  to x_j.
  LossDistribution loss;
  loss.exponent_ = exponent;
  loss.deviation_ = epsilon;
  loss.infinity_ = delta;
  const double h = std::ldexp(1.0, exponent);
  const double scaled = std::floor(std::ldexp(epsilon, -exponent));
  RequirePrivacy(scaled < 0x1p24, "a privacy loss is too large for its grid");
  const auto j = static_cast<int64_t>(scaled);
  // Exact: both are multiples of the last bit of epsilon, below h.
  const double d = epsilon - std::ldexp(scaled, exponent);
  const double total =
      Up((1 - delta) / Below(1 + ExpDown(-epsilon)) / OneMinusExpDown(h), 4);
  const double to_upper = Up(total * OneMinusExpUp(d));
  const double to_lower =
      Up(total * ExpUp(-d) * OneMinusExpUp(Above(h - d)), 4);
  loss.first_ = -(j + 1);
  loss.masses_.assign(static_cast<size_t>(2 * j + 3), 0.0);
  loss.AddSymmetric(j, to_lower);
  loss.AddSymmetric(j + 1, to_upper);
  return loss;
}

LossDistribution LossDistribution::FromProfile(
    const std::vector<double>& profile, int exponent, double deviation) {
  RequirePrivacy(profile.size() >= 2, "a privacy profile needs two points");
  LossDistribution loss;
  loss.exponent_ = exponent;
  loss.deviation_ = deviation;
  const auto last = static_cast<int64_t>(profile.size()) - 1;
  loss.infinity_ = profile.back();
  loss.first_ = -last;
  loss.masses_.assign(static_cast<size_t>(2 * last + 1), 0.0);

  // With E = e^-h and f_j the bounds, the slopes of the chords (as functions of
  // e^x) change at x_j by e^-x_j w_j, hence
  //   w_j = (E f_(j+1) - (1 + E) f_j + f_(j-1))/(1 - E)
  // with f_(J+1) = f_J, and by symmetry w_0 = (2 E f_1 - (1 + E) f_0)/(1 - E) +
  // 1, half of which AddSymmetric adds from each side. Where the bounds are not
  // convex w_j comes out negative; 0 is more, and the profile only larger.
  constexpr mpfr_prec_t kPrecision = 256;
  MpfrNumber E(kPrecision), gap(kPrecision), w(kPrecision), term(kPrecision);
  mpfr_set_d(E, -std::ldexp(1.0, exponent), MPFR_RNDN);
  mpfr_expm1(gap, E, MPFR_RNDN);
  mpfr_neg(gap, gap, MPFR_RNDN);
  mpfr_exp(E, E, MPFR_RNDN);
  for (int64_t j = 0; j <= last; ++j) {
    const auto f = [&](int64_t i) {
      return profile[static_cast<size_t>(std::min(i, last))];
    };
    // E (f_(j+1) - f_j) + (f_(j-1) - f_j). At 0, f_(-1) = 1 - E + E f_1.
    mpfr_set_d(w, f(j + 1), MPFR_RNDN);
    mpfr_sub_d(w, w, f(j), MPFR_RNDN);
    mpfr_mul(w, w, E, MPFR_RNDN);
    if (j == 0) {
      mpfr_mul_d(term, E, f(1), MPFR_RNDN);
      mpfr_add(term, term, gap, MPFR_RNDN);
    } else {
      mpfr_set_d(term, f(j - 1), MPFR_RNDN);
    }
    mpfr_sub_d(term, term, f(j), MPFR_RNDN);
    mpfr_add(w, w, term, MPFR_RNDN);
    mpfr_div(w, w, gap, MPFR_RNDN);
    if (j == 0) mpfr_div_2ui(w, w, 1, MPFR_RNDN);
    // The error of a dozen roundings to 256 bits, of terms that add up to at
    // most 4/(1 - E), is below 2^-250/(1 - E).
    mpfr_ui_div(term, 1, gap, MPFR_RNDU);
    mpfr_mul_2si(term, term, -250, MPFR_RNDU);
    mpfr_add(w, w, term, MPFR_RNDU);
    loss.AddSymmetric(j, mpfr_get_d(w, MPFR_RNDU));
  }
  return loss;
}

void LossDistribution::Coarsen(int exponent) {
  while (exponent_ < exponent) {
    // A mass at an odd j goes to its neighbours at distance h in the shares
    // 1/(1 + E) (up) and E/(1 + E) (down), E = e^-h.
    const double h = std::ldexp(1.0, exponent_);
    const double up = Up(1 / (1 + ExpDown(-h)), 4);
    const double down = Up(ExpUp(-h) / (1 + ExpDown(-h)), 4);
    const int64_t first = first_ >> 1;  // rounds down
    std::vector<double> coarse(masses_.size() / 2 + 2, 0.0);
    for (size_t i = 0; i < masses_.size(); ++i) {
      const int64_t j = first_ + static_cast<int64_t>(i);
      const auto below = static_cast<size_t>((j >> 1) - first);
      if (j % 2 == 0) {
        coarse[below] += masses_[i];
      } else {
        coarse[below] += down * masses_[i];
        coarse[below + 1] += up * masses_[i];
      }
    }
    for (double& mass : coarse) mass = AtLeastSmallest(Up(mass, 8));
    masses_ = std::move(coarse);
    first_ = first;
    ++exponent_;
  }
}

void LossDistribution::CutTails() {
  size_t end = masses_.size();
  double tail = 0;
  while (end > 1 && tail + masses_[end - 1] <= kUpperTail) {
    tail = Up(tail + masses_[--end]);
  }
  infinity_ = SumUp(infinity_, tail);
  size_t begin = 0;
  tail = 0;
  while (begin + 1 < end && tail + masses_[begin] <= kLowerTail) {
    tail = Up(tail + masses_[begin++]);
  }
  masses_.erase(masses_.begin() + static_cast<ptrdiff_t>(end), masses_.end());
  masses_.erase(masses_.begin(),
                masses_.begin() + static_cast<ptrdiff_t>(begin));
  masses_.front() = SumUp(masses_.front(), tail);
  first_ += static_cast<int64_t>(begin);
}

LossDistribution LossDistribution::Compose(LossDistribution a,
                                           LossDistribution b,
                                           int points_per_deviation) {
  LossDistribution sum;
  sum.deviation_ = std::hypot(a.deviation_, b.deviation_);
  const int exponent = Exponent(sum.deviation_, points_per_deviation);
  // Halving resolution of the sum once costs less than of both.
  const int common = std::max({a.exponent_, b.exponent_, exponent - 1});
  a.Coarsen(common);
  b.Coarsen(common);
  sum.exponent_ = common;
  sum.first_ = a.first_ + b.first_;
  sum.masses_ = Convolve(a.masses_, b.masses_);
  // 1 - (1 - a)(1 - b); the finite masses have the other factors.
  sum.infinity_ = SumUp(a.infinity_, b.infinity_ * Above(1 - a.infinity_));
  sum.CutTails();
  sum.Coarsen(exponent);
  return sum;
}

LossCurve::LossCurve(const LossDistribution& loss)
    : exponent_(loss.exponent()),
      first_(loss.first()),
      infinity_(loss.infinity()),
      mass_above_(loss.masses().size()),
      delta_at_(loss.masses().size()) {
  const double h = std::ldexp(1.0, exponent_);
  const double E = ExpUp(-h);
  const double gap = OneMinusExpUp(h);
  // B_j = E B_(j+1) + (1 - E) A_(j+1).
  double mass = 0;
  double delta = 0;
  for (size_t i = loss.masses().size(); i-- > 0;) {
    delta = Up(E * delta + gap * mass);
    mass = Up(mass + loss.masses()[i]);
    delta_at_[i] = delta;
    mass_above_[i] = mass;
  }
}

double LossCurve::Delta(double epsilon) const {
  // The first grid point at or above epsilon is x_j = epsilon + y, and
  //   delta = (1 - e^-y) A_j + e^-y B_j.
  const double scaled = std::ceil(std::ldexp(epsilon, -exponent_));
  const double last =
      static_cast<double>(first_) + static_cast<double>(delta_at_.size()) - 1;
  if (scaled > last) return std::min(1.0, infinity_);
  const double j = std::max(scaled, static_cast<double>(first_));
  const auto i = static_cast<size_t>(j - static_cast<double>(first_));
  const double y = std::ldexp(j, exponent_) - epsilon;
  // y is rounded when epsilon has more bits than the grid.
  const double up = y > 0 ? Above(y) : 0;
  const double down = y > 0 ? std::max(0.0, Below(y)) : 0;
  const double delta =
      Up(OneMinusExpUp(up) * mass_above_[i] + ExpUp(-down) * delta_at_[i], 4);
  return std::min(1.0, SumUp(infinity_, delta));
}

double LossCurve::Epsilon(double delta) const {
  if (Delta(0) <= delta) return 0;
  const double last = std::ldexp(
      static_cast<double>(first_) + static_cast<double>(delta_at_.size()),
      exponent_);
  if (!(last > 0) || Delta(last) > delta) return kInfinity;
  return SmallestDouble(0, last, [&](double x) { return Delta(x) <= delta; });
}

}  // namespace cloak
