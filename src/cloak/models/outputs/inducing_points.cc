#include "cloak/models/outputs/inducing_points.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/basis_candidates.h"
#include "cloak/linalg/kmeans.h"
#include "cloak/linalg/microaggregate.h"

namespace cloak {

Matrix InducingPoints(const Setting& setting, Index count) {
  setting.progress("choosing inducing points", 0);
  const Index different = FindDistinctRows(setting.X()).rows.rows();
  RequireInput(count >= 1 && count <= different, "there must be 1 to ",
               different,
               " inducing points, as many as there are different rows of "
               "inputs, but ",
               count, " are asked for");
  KMeansClusters clusters = KMeans(setting.X(), count, setting.threads);
  // What stands in the file is nobody's.
  const BasisCandidates candidates(setting.X());
  std::vector<bool> taken(static_cast<size_t>(candidates.points().rows()));
  for (Index k = 0; k < count; ++k) {
    const bool of_few =
        clusters.weights(k) < static_cast<double>(kLeastGroup) ||
        candidates.IsSomebodys(clusters.centres.row(k));
    if (!of_few) continue;
    clusters.centres.row(k) = candidates.points().row(
        candidates.TakeNearest(clusters.centres.row(k), taken));
  }
  return clusters.centres;
}

}  // namespace cloak
