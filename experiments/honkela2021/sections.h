#ifndef CLOAK_EXPERIMENTS_HONKELA2021_SECTIONS_H_
#define CLOAK_EXPERIMENTS_HONKELA2021_SECTIONS_H_

#include <filesystem>

#include "experiments/rows_draws.h"

namespace cloak {

// The experiments of Honkela and Melkas 2021, all at δ = 1e-4. Each prints its
// own table.
inline constexpr double kDelta = 1e-4;

// Section 5.1: a known function from 1024 noisy observations, noise and kernel
// known.
void InferFunction(const DrawOptions& options);

// Section 5.2: how many test observations central intervals hold. The figure's
// own levels are not in the text: 4 probabilities, 3 noises and 4 ε make its
// 48 scenarios.
void Calibrate(const DrawOptions& options);

// Section 5.3: how often a method finds the lengthscale and the noise among
// three of each.
void LearnHyperparameters(const DrawOptions& options);

// Section 5.4: heights of girls from age and weight.
void PredictHeights(const std::filesystem::path& data,
                    const DrawOptions& options);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_HONKELA2021_SECTIONS_H_
