#ifndef CLOAK_KERNELS_BINS_H_
#define CLOAK_KERNELS_BINS_H_

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/grid.h"

namespace cloak {

// Throws InvalidInput unless these can be parameters of the kernel bins() for
// some number of inputs: every number is finite, lower < upper, and counts are
// whole numbers, at least 1.
void CheckBins(const PerInput& lower, const PerInput& upper,
               const PerInput& count);

// Returns the grid that the kernel bins() with these parameters cuts so many
// inputs into. Throws InvalidInput when a list has another length, or when
// there are more than 2^53 cells.
Grid BinGrid(const PerInput& lower, const PerInput& upper,
             const PerInput& count, Index inputs);

}  // namespace cloak

#endif  // CLOAK_KERNELS_BINS_H_
