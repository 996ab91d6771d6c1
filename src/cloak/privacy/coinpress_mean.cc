#include "cloak/privacy/coinpress_mean.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/clipped_rows.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/mpfr_number.h"
#include "cloak/privacy/scratch.h"

namespace cloak {
namespace {

// The square of the distance of two rows, each of at most 2^b in length.
constexpr Uint128 kSquaredChange = Uint128{1}
                                   << (2 * CoinpressMean::kRowBits + 2);
constexpr double kLargestRow = double{1 << CoinpressMean::kRowBits};
// The floating-point error of a norm is far below this, so that what is
// clipped fits its integers.
constexpr double kCoinpressMargin = 0x1p-40;
// Where an infinite number is put, so that norms stay finite.
constexpr double kFar = 1e300;

void RequireBetween(double value, double lower, double upper,
                    std::string_view name) {
  RequireInput(value >= lower && value <= upper, name, " must be from ", lower,
               " to ", upper, ", but is ", value);
}

void RequireShare(double value, std::string_view name) {
  RequireInput(value > 0 && value < 1, name,
               " must be between 0 and 1 (exclusive), but is ", value);
}

// sigma for each step, rounded up: sigma/sqrt(last_share) for the last and
// sigma sqrt((steps - 1)/(1 - last_share)) for the others.
std::vector<double> StepSigmas(double sigma, const CoinpressOptions& options) {
  if (options.steps == 1) return {sigma};
  MpfrNumber rest(128), factor(128);
  const auto scaled_sigma = [&] {
    mpfr_sqrt(factor, factor, MPFR_RNDU);
    mpfr_mul_d(factor, factor, sigma, MPFR_RNDU);
    return mpfr_get_d(factor, MPFR_RNDU);
  };
  mpfr_set_d(rest, options.last_share, MPFR_RNDU);
  mpfr_ui_sub(rest, 1, rest, MPFR_RNDD);
  mpfr_ui_div(factor, static_cast<unsigned long>(options.steps - 1), rest,
              MPFR_RNDU);
  std::vector<double> sigmas(static_cast<size_t>(options.steps),
                             scaled_sigma());
  mpfr_set_d(factor, options.last_share, MPFR_RNDD);
  mpfr_ui_div(factor, 1, factor, MPFR_RNDU);
  sigmas.back() = scaled_sigma();
  return sigmas;
}

// A bound on the norm of a standard normal vector, exceeded with probability
// exp(-log_odds) at most (Laurent and Massart 2000, Lemma 1): the gammas of
// MVMRec.
double NormBound(Index columns, double log_odds) {
  const auto d = static_cast<double>(columns);
  return std::sqrt(d + 2 * std::sqrt(d * log_odds) + 2 * log_odds);
}

// q for one row. Its squared norm is at most 2^(2b), whatever the row is:
// that is what the sensitivity rests on, and it is enforced on integers.
void ClipRow(const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& row,
             const Vector& centre, double radius, double unit,
             Scratch<double>& difference, Scratch<int64_t>& q) {
  double largest = 0;
  bool is_number = true;
  for (Index k = 0; k < row.size(); ++k) {
    const double z = row(k) - centre(k);
    is_number = is_number && !std::isnan(z);
    difference[k] = std::clamp(z, -kFar, kFar);
    largest = std::max(largest, std::abs(difference[k]));
  }
  double squared = 0;
  for (Index k = 0; k < row.size(); ++k) {
    const double part = largest > 0 ? difference[k] / largest : 0;
    squared += part * part;
  }
  const double norm = largest * std::sqrt(squared);
  const double scale = (norm > radius ? radius / norm : 1) / unit;
  Uint128 squared_units = 0;
  for (Index k = 0; k < row.size(); ++k) {
    const double units = is_number ? std::trunc(difference[k] * scale) : 0;
    q[k] = static_cast<int64_t>(std::clamp(units, -kLargestRow, kLargestRow));
    squared_units += static_cast<Uint128>(q[k] * q[k]);
  }
  const int64_t keep =
      squared_units <= Uint128{1} << (2 * CoinpressMean::kRowBits) ? 1 : 0;
  for (Index k = 0; k < row.size(); ++k) q[k] *= keep;
}

}  // namespace

CoinpressMean::CoinpressMean(Index n, const Vector& centre, double radius,
                             const Budget& budget,
                             const CoinpressOptions& options)
    : n_(n), ball_{centre, radius}, budget_(budget), options_(options) {
  RequireRowCount(n);
  RequireInput(centre.size() >= 1 && centre.allFinite(),
               "the centre of the ball must have at least one number, and all "
               "must be finite");
  RequireBetween(radius, 1e-100, 1e100, "the radius of the ball");
  RequireBetween(options.deviation, 1e-100, 1e100, "the rows' deviation");
  RequireBetween(options.steps, 1, 100, "the number of steps");
  RequireShare(options.last_share, "the last step's share of the budget");
  RequireShare(options.failure, "the probability of failure");
  MpfrNumber total(128), square(128);
  mpfr_set_zero(total, 1);
  for (const double sigma : StepSigmas(GaussianSigma(budget), options)) {
    noises_.emplace_back(kSquaredChange, sigma);
    mpfr_set_d(square, noises_.back().mu(), MPFR_RNDU);
    mpfr_sqr(square, square, MPFR_RNDU);
    mpfr_add(total, total, square, MPFR_RNDU);
  }
  mpfr_sqrt(total, total, MPFR_RNDU);
  mu_ = mpfr_get_d(total, MPFR_RNDU);
}

double CoinpressMean::StepFailure(size_t step) const {
  const size_t others = noises_.size() - 1;
  return options_.failure / 4 /
         (step == others ? 1 : static_cast<double>(others));
}

NoisyMean CoinpressMean::Release(const Secret<Matrix>& rows,
                                 Randomness& random) const {
  const MechanismKey key;
  const Matrix& X = rows.Open(key);
  const Index columns = ball_.centre.size();
  RequireInput(X.rows() == n_ && X.cols() == columns, "the mean is of ", n_,
               " rows of ", columns, " numbers, but there ", "are ", X.rows(),
               " of ", X.cols());
  // The noise of all steps comes first: when it fails, no row has been read.
  std::vector<DrawnNoise> noise;
  for (const ExactGaussian& step : noises_) {
    noise.push_back(step.Draw(columns, random));
  }
  Ball ball = ball_;
  for (size_t step = 0;; ++step) {
    NoisyMean noisy = Step(X, ball, step, std::move(noise[step]));
    if (step + 1 == noises_.size()) return noisy;
    ball = Tighten(ball, noisy, step);
  }
}

NoisyMean CoinpressMean::Step(const Matrix& X, const Ball& ball, size_t step,
                              DrawnNoise noise) const {
  const Index columns = X.cols();
  const auto n = static_cast<double>(n_);
  NoisyMean noisy;
  noisy.clip_centre = ball.centre;
  noisy.clip_radius =
      ball.radius +
      options_.deviation * NormBound(columns, std::log(n / StepFailure(step)));
  noisy.step = noisy.clip_radius * (1 + kCoinpressMargin) / kLargestRow;
  noisy.noise_sd = noises_[step].sd() * noisy.step / n;

  Scratch<Int128> t(columns);
  Scratch<int64_t> q(columns);
  Scratch<double> difference(columns);
  for (Index i = 0; i < n_; ++i) {
    ClipRow(X.row(i).transpose(), ball.centre, noisy.clip_radius, noisy.step,
            difference, q);
    for (Index k = 0; k < columns; ++k) t[k] += q[k];
  }
  noisy.integers = std::move(noise).AddTo(t);
  noisy.mean =
      ball.centre + noises_[step].Value(noisy.integers) * noisy.step / n;
  return noisy;
}

CoinpressMean::Ball CoinpressMean::Tighten(const Ball& ball,
                                           const NoisyMean& noisy,
                                           size_t step) const {
  const double gamma =
      NormBound(ball.centre.size(), -std::log(StepFailure(step)));
  const double radius =
      gamma *
      std::hypot(options_.deviation / std::sqrt(static_cast<double>(n_)),
                 noisy.noise_sd);
  // When the budget is too small to learn anything, the ball stays as it was.
  return radius < ball.radius ? Ball{noisy.mean, radius} : ball;
}

}  // namespace cloak
