#ifndef CLOAK_MODELS_HISTOGRAM_H_
#define CLOAK_MODELS_HISTOGRAM_H_

#include <vector>

#include "cloak/base/progress.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/count_release.h"
#include "cloak/models/plan.h"

namespace cloak {

// All that is public of a table whose rows are counted.
struct HistogramSetting {
  Index rows = 0;
  std::vector<HistogramAxis> axes;  // 1 to 3
  CountBudget budget;
  Threads threads = {};
  Progress progress = NoProgress;
};

// `bins` bins of equal width from lower to upper. Throws InvalidInput unless
// lower < upper, both finite, and there is a bin.
HistogramAxis EqualBins(const std::string& name, double lower, double upper,
                        Index bins);

// What noisy counts say of the true ones. Neighbouring bins are alike as far as
// the counts themselves say so (log_intensity.h, bin_prior.h: variance,
// lengthscales and the roughness of single bins have the largest evidence), and
// the result is not negative and sums to the number of rows.
Histogram InferHistogram(const std::vector<HistogramAxis>& axes,
                         const NoisyBins& bins, const Threads& threads);

// How many rows there are in each bin, with whole rows private.
class HistogramPlan : public Plan {
 public:
  static constexpr size_t kMostInputs = 3;

  // Throws InvalidInput when the setting does not fit.
  explicit HistogramPlan(const HistogramSetting& setting);

  const PlanSummary& summary() const override { return summary_; }
  PrivacyEvent event() const override { return counts_.event(); }
  const PrivacyUnits& units() const override { return units_; }
  const GaussianMechanism* mechanism() const override { return nullptr; }
  Release Execute(const PrivateRows& rows,
                  Randomness& randomness) const override;

 private:
  // What a release says whatever the counts are.
  ReleaseContent Beforehand() const;

  HistogramSetting setting_;
  PrivacyUnits units_;
  CountRelease counts_;
  PlanSummary summary_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_HISTOGRAM_H_
