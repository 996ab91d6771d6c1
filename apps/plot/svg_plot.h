#ifndef CLOAK_APPS_PLOT_SVG_PLOT_H_
#define CLOAK_APPS_PLOT_SVG_PLOT_H_

#include <string>
#include <vector>

#include "apps/plot/svg_axes.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// The area between two curves; the style sheet of the page gives the class its
// colour, so that it can follow the reader's dark mode.
struct Band {
  std::string css_class;
  Vector lower;
  Vector upper;
};

// A horizontal line with a name, such as a bound.
struct Mark {
  double value = 0;
  std::string label;
};

// A curve with nested bands, outermost first, over an increasing x.
struct CurvePlot {
  // What a reader who cannot see the drawing is told.
  std::string description;
  std::string x_label;
  std::string y_label;
  Vector x;
  Vector mean;
  std::vector<Band> bands;
  std::vector<Mark> marks;
};

// Empty when something is not finite: there is then nothing to be drawn.
std::string CurveSvg(const CurvePlot& plot, const PlotSize& size);

}  // namespace cloak

#endif  // CLOAK_APPS_PLOT_SVG_PLOT_H_
