#ifndef CLOAK_MODELS_INFER_ANEW_H_
#define CLOAK_MODELS_INFER_ANEW_H_

#include <optional>

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/threads.h"
#include "cloak/release/release.h"

namespace cloak {

// What to believe instead of what a release was made with. What is absent stays
// as it was: learned where it was learned, and given where it was given.
struct InferOptions {
  std::optional<Kernel> kernel = {};
  // The variance of a new observation around f.
  std::optional<double> noise_variance = {};
  // Where f is believed to lie far from all data.
  std::optional<double> prior_mean = {};
};

// Returns a release with the same statistics and the same promise, and what
// follows from them with another kernel, noise or prior mean: what the release
// would have said if it had been concluded with them. Nothing private is
// touched, so it costs nothing. The basis stays where the kernel is one that
// the release already has; for another, points of the sites span it.
//
// Throws InvalidInput where the release does not hold the sites that its
// statistics are sums over, or an option does not fit it.
Release InferAnew(const Release& release, const InferOptions& options,
                  const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_MODELS_INFER_ANEW_H_
