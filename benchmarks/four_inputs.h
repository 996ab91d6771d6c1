#ifndef CLOAK_BENCHMARKS_FOUR_INPUTS_H_
#define CLOAK_BENCHMARKS_FOUR_INPUTS_H_

#include "cloak/linalg/threads.h"
#include "cloak/release/release.h"

namespace cloak {

// A release of four inputs and 2000 simulated rows, with 200 basis points.
Release ReleaseFourInputs(const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_BENCHMARKS_FOUR_INPUTS_H_
