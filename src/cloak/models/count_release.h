#ifndef CLOAK_MODELS_COUNT_RELEASE_H_
#define CLOAK_MODELS_COUNT_RELEASE_H_

#include <vector>

#include "cloak/data/secret.h"
#include "cloak/gp/log_intensity.h"
#include "cloak/linalg/matrix.h"
#include "cloak/models/plan.h"
#include "cloak/privacy/count_mechanism.h"
#include "cloak/privacy/event.h"
#include "cloak/privacy/randomness.h"
#include "cloak/release/release.h"

namespace cloak {

// (ε, δ) where δ may be 0.
struct CountBudget {
  double epsilon = 0;
  double delta = 0;
  // Gaussian noise even where other noise would be smaller, with a δ: of
  // several releases together, that promises more.
  bool gaussian = false;
};

// The exact release of how many private rows are in each bin.
//
// Sensitivity. Every row is in one bin, whatever its cells are: outside all
// edges, infinite, not a number. Substituting one row by another takes 1 from
// one count and adds 1 to another, or changes nothing: the counts move by at
// most 2 in the sum of absolute values, and by at most 2 in the sum of squares,
// all of them integers. (Dandekar et al. 2019, section 3.3, take 2 for the
// latter's root.)
//
// Noise. Discrete Laplace of scale 2/ε, which is (ε, 0)-differentially private,
// or, where a δ is allowed, Gaussian, whichever has the smaller standard
// deviation: that depends on ε and δ alone. Laplace noise has it unless δ is
// large: above 0.002 at ε = 0.4, 0.007 at ε = 1.
class CountRelease {
 public:
  static constexpr Index kMostBins = 10000;

  // Throws InvalidInput when there are no rows or more than 2^40, no bins or
  // more than kMostBins, or the budget is not one.
  CountRelease(std::vector<HistogramAxis> axes, Index rows,
               const CountBudget& budget);

  const std::vector<HistogramAxis>& axes() const { return axes_; }
  Index bins() const { return bins_; }
  double noise_sd() const { return mechanism_.noise_sd(); }
  PrivacyEvent event() const;
  // What a release of these counts says of itself: delta is 0 where none was
  // needed.
  PrivacyStatement Statement() const;

  struct Published {
    NoisyBins bins;
    ReleasedStatistic statistic;
  };
  // Each call spends again. Throws InvalidInput if there is not a column for
  // each axis with as many cells as rows, PrivacyFailure if random numbers
  // fail.
  Published Release(const std::vector<Secret<Vector>>& inputs,
                    Randomness& random) const;

 private:
  std::vector<HistogramAxis> axes_;
  Index rows_;
  CountBudget budget_;
  Index bins_ = 1;
  CountMechanism mechanism_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_COUNT_RELEASE_H_
