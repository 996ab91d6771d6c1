#ifndef CLOAK_APPS_PLOT_HEAT_MAP_H_
#define CLOAK_APPS_PLOT_HEAT_MAP_H_

#include <string>

#include "apps/plot/svg_axes.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// Maps that rise evenly in lightness, so that equal steps look equal and
// nothing is lost to the colour-blind or in grey.
enum class ColourMap { kViridis, kInferno };

// "#rrggbb" for a fraction in [0, 1].
std::string ColourText(ColourMap map, double fraction);

// A function of two inputs as coloured cells with a colour bar.
struct HeatMap {
  std::string description;
  std::string x_label;
  std::string y_label;
  ColourMap colours = ColourMap::kViridis;
  double x_lower = 0;
  double x_upper = 1;
  double y_lower = 0;
  double y_upper = 1;
  // values(i, j) at the i-th of the cells from the bottom and the j-th from
  // the left.
  Matrix values;
};

// Empty when something is not finite.
std::string HeatMapSvg(const HeatMap& map, const PlotSize& size);

}  // namespace cloak

#endif  // CLOAK_APPS_PLOT_HEAT_MAP_H_
