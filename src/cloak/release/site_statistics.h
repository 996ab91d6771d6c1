#ifndef CLOAK_RELEASE_SITE_STATISTICS_H_
#define CLOAK_RELEASE_SITE_STATISTICS_H_

#include <vector>

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// What the sums of one round are of. An output y of site s counted as far as it
// lies within half_width of the centre there, and what was released is
//   Σ_s R_s Σ_(i in s) (d/2)/half_width_s (y_i − centre_s) + noise
// for bounds of the width d.
struct SiteRound {
  Matrix R;           // r x S, a row for each number of the statistic
  Vector centre;      // S
  Vector half_width;  // S
};

// All that it takes to infer anew from the statistics of a release: the sites
// of public inputs that they are sums over, and what was believed beforehand.
// The sum of f over the rows of a site is that over its points, each as often
// as it stands for rows. No point stands for fewer than kLeastGroup rows
// (microaggregate.h), so that none is anybody's.
struct SiteStatistics {
  Matrix points;  // P x inputs: the means of rows that lie together
  Vector rows;    // P: how many
  // Root mean squares of the distances of these from the point, in each input;
  // empty where all are 0.
  Matrix deviations = {};
  // Empty where each point is a site of its own.
  std::vector<Index> site_of_point = {};
  // S: the noise variances of the outputs of a site, summed, where rows differ
  // in them; empty otherwise.
  Vector noise_variances = {};
  // The medians of the prior of what was learned, and the value of what was
  // given.
  Kernel kernel = Kernel::Bias(1);
  double noise_variance = 0;
  bool kernel_is_learned = false;
  bool noise_is_learned = false;
  // One for each statistic of weighted sums, in the order of their release.
  std::vector<SiteRound> rounds = {};

  Index count() const {
    return rounds.empty() ? 0 : rounds.front().centre.size();
  }
};

}  // namespace cloak

#endif  // CLOAK_RELEASE_SITE_STATISTICS_H_
