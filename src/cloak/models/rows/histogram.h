#ifndef CLOAK_MODELS_ROWS_HISTOGRAM_H_
#define CLOAK_MODELS_ROWS_HISTOGRAM_H_

#include <vector>

#include "cloak/linalg/threads.h"
#include "cloak/models/plan.h"
#include "cloak/models/rows/count_release.h"
#include "cloak/models/task.h"

namespace cloak {

// Returns `bins` bins of equal width from lower to upper. Throws InvalidInput
// unless lower < upper, both finite, and there is a bin.
HistogramAxis EqualBins(const std::string& name, double lower, double upper,
                        Index bins);

// Infers the true counts from noisy ones. Neighbouring bins are alike as far as
// the counts themselves say so (log_intensity.h, bin_prior.h: variance,
// lengthscales and the roughness of single bins have the largest evidence), and
// the result is not negative and sums to the number of rows.
Histogram InferHistogram(const std::vector<HistogramAxis>& axes,
                         const NoisyBins& bins, const Threads& threads);

// How many rows there are in each bin, with whole rows private.
class HistogramPlan : public Plan {
 public:
  static constexpr size_t kMostInputs = 3;

  // Throws InvalidInput when the axes do not fit.
  HistogramPlan(const SharedSetting& setting, const HistogramTask& task);

 private:
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override;
  // Returns all that a release says whatever the counts are.
  ReleaseContent Beforehand() const;

  CountRelease counts_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_HISTOGRAM_H_
