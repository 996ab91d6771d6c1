#ifndef CLOAK_EXPERIMENTS_HONKELA2021_SIMULATED_ROWS_H_
#define CLOAK_EXPERIMENTS_HONKELA2021_SIMULATED_ROWS_H_

#include "cloak/models/setting.h"
#include "experiments/rows_draws.h"

namespace cloak {

// Where x lies in sections 5.1 to 5.3, evenly: from −4 to 4.
inline constexpr double kFarthest = 4;

// sin(2x)/(2x).
double DampedSine(double x);

// Sections 5.1 and 5.3: that function at random x, and normal noise.
OpenRows DampedSineRows(Index count, double noise_sd, uint64_t seed);

// Section 5.2: the same with a function drawn from a process of kernel
// eq(1, lengthscale=1), one for each seed.
OpenRows DrawnFunctionRows(Index count, double noise_sd, uint64_t seed);

// What is public of such rows, with outputs from −bound to bound.
SharedSetting SimulatedSetting(Index rows, double bound);

// `count` places at equal distances from −end to end, as the rows of a column.
Matrix EvenGrid(double end, Index count);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_HONKELA2021_SIMULATED_ROWS_H_
