#ifndef CLOAK_SERVER_PLOT_DATA_H_
#define CLOAK_SERVER_PLOT_DATA_H_

#include <string>
#include <string_view>
#include <vector>

#include "cloak/linalg/threads.h"
#include "cloak/release/release.h"
#include "cloak/server/api.h"

namespace cloak {

// A plot that is asked for: the release on a grid over the ranges of one input
// (a curve) or two (a map). A histogram has no grid and is sent whole.
struct PlotRequest {
  std::vector<Index> inputs = {};
  Index points = 0;  // along each of them
  Vector at = {};    // where the other inputs are held; one for each input
};

// Reads {"inputs": ["age"], "points": 200, "at": {"weight": 30}}; inputs that
// `at` does not name are held at their middle. Of a histogram, {}. Throws
// HttpError.
PlotRequest ParsePlot(const Release& release, std::string_view body,
                      const ApiLimits& limits);

// Appends the members of a JSON object to `out`:
//   "kind"         what is drawn: "curve" or "map" of a number, "probability",
//                  "margin", "density" or "histogram"
//   "inputs"       the names, as asked
//   "axes"         the grid of each
//   "at"           where the other inputs were held
//   "function"     columns of the function itself; with two axes, the second
//                  one varies fastest. privacy_lower and privacy_upper hold
//                  95 % of the privacy noise alone. With a probability, all
//                  bounds are probabilities.
//   "observation"  columns of a new observation; of a number alone
// A histogram has "axes" with edges or categories, "count", "sd", "lower" and
// "upper" instead.
void AppendPlot(const Release& release, const PlotRequest& plot,
                const Threads& threads, std::string& out);

}  // namespace cloak

#endif  // CLOAK_SERVER_PLOT_DATA_H_
