#ifndef CLOAK_SELECTION_WORTH_CHOOSING_H_
#define CLOAK_SELECTION_WORTH_CHOOSING_H_

#include <cstddef>
#include <vector>

namespace cloak {

// Everything public about a candidate before it is chosen or not.
struct CandidateFigures {
  double noise_sd = 0;     // root mean square of the noise in its predictions
  double sensitivity = 0;  // of its utility
};

// Returns the candidates to choose from. The largest sensitivity of all decides
// the odds of all, and each that is hopeless takes its share of them; both are
// public, so leaving some out costs nothing (Smith et al. 2021, section 5, do
// so at a threshold that they do not name). Left out are
//   those whose noise alone has a standard deviation above width/√12, which is
//     that of an output anywhere within the bounds: they tell nothing;
//   of the rest, those that are more than kMostSensitivity times as sensitive
//     as the least sensitive one.
inline constexpr double kMostSensitivity = 1.5;
std::vector<size_t> WorthChoosing(
    const std::vector<CandidateFigures>& candidates, double width);

}  // namespace cloak

#endif  // CLOAK_SELECTION_WORTH_CHOOSING_H_
