#ifndef CLOAK_PRIVACY_COUNT_MECHANISM_H_
#define CLOAK_PRIVACY_COUNT_MECHANISM_H_

#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/privacy/discrete_laplace.h"
#include "cloak/privacy/exact_gaussian.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

template <typename T>
class Scratch;

// Publishes private integers, such as the counts of a histogram, with exact
// integer noise. How far one record moves them is declared by the caller, in
// integers, and not checked. So a release goes through the mechanisms that
// count themselves and know it: BinCountMechanism and BinSumMechanism.
//
//   const CountMechanism mechanism = CountMechanism::Laplace(2, /*epsilon=*/1);
//   Randomness random = Randomness::FromSystem();
//   const std::vector<Int128> noisy = mechanism.Release(counts, random);
//
// Laplace. Noise of scale t/s >= l1_sensitivity/epsilon: for any result, the
// probabilities given t and t' differ by a factor of at most
// exp(sum_k |t_k - t_k'| s/t) <= exp(epsilon).
//
// Gaussian. The counts times 2^30 are integers, which move by at most
// Delta = 2^30 sqrt(squared_l2_sensitivity); published are these plus
// round(s N), N exact standard normals (exact_gaussian.h), s >= sigma Delta:
// Delta/s-Gaussian-DP, of which the exact privacy curve is known.
class CountMechanism {
 public:
  // Throws InvalidInput unless the sensitivity is from 1 to 2^32 and epsilon
  // is positive and at most Budget::kMaxEpsilon; PrivacyFailure when the scale
  // of the noise would be above 2^62.
  static CountMechanism Laplace(uint64_t l1_sensitivity, double epsilon);
  // `sigma`: the noise, in sensitivities. Throws InvalidInput for a sensitivity
  // as above, PrivacyFailure as ExactGaussian does.
  static CountMechanism Gaussian(uint64_t squared_l2_sensitivity, double sigma);

  // The epsilon of one release, at most what was given: it is (epsilon,
  // 0)-differentially private. Infinity for Gaussian noise.
  double epsilon() const { return epsilon_; }
  // The mu of one release: it is mu-Gaussian-DP. Infinity for Laplace noise.
  double mu() const { return mu_; }

  // The count that a published 1 is worth: 1, but 2^-30 with Gaussian noise.
  double step() const;

  // The standard deviation of the noise on each number.
  double noise_sd() const;

  // Publishes counts plus noise, in steps of step(). Each call spends again.
  // How many counts there are is public. Throws PrivacyFailure if random
  // numbers fail, before any count is read. The time depends on the noise
  // alone.
  std::vector<Int128> Release(const Secret<std::vector<int64_t>>& counts,
                              Randomness& random) const;

  // The same of `size` counts that `tally` is to add up from 0, for mechanisms
  // that know what they count. It is called when the noise has been drawn, and
  // not when that fails.
  std::vector<Int128> ReleaseTally(
      size_t size, const std::function<void(Scratch<int64_t>&)>& tally,
      Randomness& random) const;

 private:
  using Noise = std::variant<DiscreteLaplace, ExactGaussian>;

  CountMechanism(const Noise& noise, double epsilon, double mu)
      : noise_(noise), epsilon_(epsilon), mu_(mu) {}

  Noise noise_;
  double epsilon_;
  double mu_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_COUNT_MECHANISM_H_
