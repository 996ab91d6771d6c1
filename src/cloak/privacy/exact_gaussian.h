#ifndef CLOAK_PRIVACY_EXACT_GAUSSIAN_H_
#define CLOAK_PRIVACY_EXACT_GAUSSIAN_H_

#include <string_view>
#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"
#include "cloak/privacy/scratch.h"

namespace cloak {

// Noise that has been drawn and waits for the private integers it is to hide.
// A mechanism draws it before it reads anything private: when random numbers
// fail, nothing has been read. It can be used once, since the same noise on two
// numbers would cancel in their difference.
class DrawnNoise {
 public:
  // Draws `count` independent round(scale N), N exact standard normals. Throws
  // PrivacyFailure when random numbers fail, or unless 1 <= scale <= 2^100.
  DrawnNoise(Uint128 scale, Index count, Randomness& random);
  DrawnNoise(DrawnNoise&&) = default;
  DrawnNoise& operator=(DrawnNoise&&) = default;
  DrawnNoise(const DrawnNoise&) = delete;
  DrawnNoise& operator=(const DrawnNoise&) = delete;
  ~DrawnNoise() = default;

  // Returns the integers to publish, t_k plus noise. Throws PrivacyFailure
  // unless there is noise for each of them and the sums fit 128 bits.
  std::vector<Int128> AddTo(const Scratch<Int128>& t) &&;

 private:
  std::vector<Int128> noise_;
};

// The exact Gaussian release of integers t: t_k + round(s N_k), with N_k exact
// standard normals. A mechanism supplies the integers and Delta^2 =
// sensitivity_squared(), with a proof that it is at least |t - t'|^2 for all
// neighbours. Then the release is (Delta/s)-Gaussian-DP (Dong, Roth and Su
// 2022), as rounding is post-processing (exact_normal.h).
//
//   const ExactGaussian gaussian(sensitivity_squared, sigma, step);
//   DrawnNoise noise = gaussian.Draw(size, random);
//   ...                                // only here is anything private read
//   result.integers = std::move(noise).AddTo(t);
//   result.value = gaussian.Value(result.integers);
//
// All of it is public and fixed before anything private is looked at.
class ExactGaussian {
 public:
  // `sigma` is the noise in sensitivities, and `step` what the integer 1 is
  // worth. Throws PrivacyFailure when sensitivity_squared or sigma is not
  // positive, or the scale would be above 2^100.
  ExactGaussian(Uint128 sensitivity_squared, double sigma, double step = 1);

  // In integers: Delta^2, and s, the smallest that is at least sigma Delta.
  Uint128 sensitivity_squared() const { return sensitivity_squared_; }
  Uint128 scale() const { return scale_; }
  // Delta/s, rounded up: what composes exactly.
  double mu() const { return mu_; }

  double step() const { return step_; }
  // The standard deviation of the noise on each number, in what they measure.
  double sd() const { return static_cast<double>(scale_) * step_; }
  // Delta in what the numbers measure, rounded up.
  double sensitivity() const;

  // Draws the noise of `count` numbers, before anything private is read.
  DrawnNoise Draw(Index count, Randomness& random) const;
  // Returns what published integers are worth: step() times each.
  Vector Value(const std::vector<Int128>& integers) const;

 private:
  Uint128 sensitivity_squared_;
  Uint128 scale_;
  double mu_;
  double step_;
};

// Returns `step`, in whose range every 128-bit multiple of it is a finite
// double and none underflows, so that nothing can fail once noise has been
// drawn. Otherwise throws InvalidInput: "<what> too small for double precision;
// <remedy>".
double ValidStep(double step, std::string_view what, std::string_view remedy);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_EXACT_GAUSSIAN_H_
