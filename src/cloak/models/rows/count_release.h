#ifndef CLOAK_MODELS_ROWS_COUNT_RELEASE_H_
#define CLOAK_MODELS_ROWS_COUNT_RELEASE_H_

#include <vector>

#include "cloak/data/secret.h"
#include "cloak/gp/log_intensity.h"
#include "cloak/linalg/matrix.h"
#include "cloak/models/plan.h"
#include "cloak/privacy/bin_count_mechanism.h"
#include "cloak/privacy/event.h"
#include "cloak/privacy/randomness.h"
#include "cloak/release/release.h"

namespace cloak {

// How many private rows are in each bin of a histogram, as a release has it.
class CountRelease {
 public:
  static constexpr Index kMostBins = BinCountMechanism::kMostBins;

  // Throws InvalidInput as BinCountMechanism does.
  CountRelease(std::vector<HistogramAxis> axes, Index rows,
               const CountBudget& budget);

  const std::vector<HistogramAxis>& axes() const { return axes_; }
  Index bins() const { return mechanism_.bins(); }
  double noise_sd() const { return mechanism_.noise_sd(); }
  PrivacyEvent event() const { return mechanism_.event(); }
  // Returns what a release of these counts says of itself. Its delta is 0 where
  // none was needed.
  PrivacyStatement Statement() const;

  struct Published {
    // The total is that of the rows of which no cell is missing, as far as it
    // can be told.
    NoisyBins bins;
    ReleasedStatistic counts;
    ReleasedStatistic missing;
  };
  // Each call spends again. Throws as BinCountMechanism::Release does.
  Published Release(const std::vector<Secret<Vector>>& inputs,
                    Randomness& random) const;

 private:
  std::vector<HistogramAxis> axes_;
  CountBudget budget_;
  BinCountMechanism mechanism_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_COUNT_RELEASE_H_
