#ifndef CLOAK_GP_BIN_PRIOR_H_
#define CLOAK_GP_BIN_PRIOR_H_

#include <vector>

#include "cloak/gp/log_intensity.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// One axis of a histogram as a prior sees it.
struct BinAxis {
  Index bins = 1;
  // Neighbouring bins are no more alike than others.
  bool categorical = false;
  // The widths of bins of numbers; empty when all are the same.
  std::vector<double> widths = {};
};

struct BinHyperparameters {
  double variance = 1;   // of log densities, as a function of the place
  double roughness = 1;  // the variance of each bin on its own
  // For each axis, as a fraction of it; categories need none.
  std::vector<double> lengthscales;
};

// How rows may be spread over the bins of a histogram (the last axis fastest):
//   g = log(rows · share of the volume) + constant + f + roughness,
// f of the covariance variance · Π_j (1 + k_j)/2, k_j the squared exponential
// of the place of the bin on axis j, or 1 for the same category and 0 for
// others. So f has a part for each axis alone, and one for each combination.
// Since the covariance is a product, its leading eigenfunctions, at most
// `most`, are products too; what they leave out is in the residual.
LogIntensityPrior PriorOfBins(const std::vector<BinAxis>& axes,
                              const BinHyperparameters& hyperparameters,
                              double rows, Index most);

}  // namespace cloak

#endif  // CLOAK_GP_BIN_PRIOR_H_
