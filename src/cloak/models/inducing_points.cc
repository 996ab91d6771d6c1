#include "cloak/models/inducing_points.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/kmeans.h"

namespace cloak {

Matrix InducingPoints(const PlanSetting& setting, Index count) {
  setting.progress("choosing inducing points", 0);
  const Index different = FindDistinctRows(setting.X).rows.rows();
  RequireInput(count >= 1 && count <= different,
               Text("there must be 1 to ", different,
                    " inducing points, as many as there are different rows of "
                    "inputs, but ",
                    count, " are asked for"));
  return KMeans(setting.X, count, setting.threads).centres;
}

}  // namespace cloak
