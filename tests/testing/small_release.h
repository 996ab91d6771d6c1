#ifndef CLOAK_TESTS_TESTING_SMALL_RELEASE_H_
#define CLOAK_TESTS_TESTING_SMALL_RELEASE_H_

#include "cloak/release/release.h"

namespace cloak {

// A small, valid release of made-up numbers, for tests.
inline ReleaseContent SmallContent() {
  ReleaseContent content;
  content.method = "optimal";
  content.design = "bayes";
  content.certified_gap = 0.005;
  content.inputs = {{"age", 0, 10, 4}};
  content.output = "height";
  content.offset = 130;
  content.privacy = {.epsilon = 1,
                     .delta = 0.001,
                     .rows = 300,
                     .lower = 60,
                     .upper = 200,
                     .mechanism = "exact Gaussian release",
                     .sensitivity = 140,
                     .noise_sd = 360};
  content.statistic = {{"123456789012345678901234567890", "-7"}, 1e-7};
  content.basis_points = Vector::LinSpaced(4, 0, 10);
  Posterior posterior;
  posterior.kernel = Kernel::Parse("bias(2) + eq(variance=4, lengthscale=2)");
  posterior.noise_variance = 0.5;
  posterior.jitter = 1e-9;
  posterior.mean = Vector::LinSpaced(4, -1, 2);
  posterior.explained = Matrix(2, 4);
  posterior.explained << 0.8, 0.1, 0.2, 0, 0, 0.5, -0.3, 0.1;
  posterior.noise = 0.3 * posterior.explained;
  content.posteriors.push_back(posterior);
  return content;
}

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_SMALL_RELEASE_H_
