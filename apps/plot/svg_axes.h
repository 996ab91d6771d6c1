#ifndef CLOAK_APPS_PLOT_SVG_AXES_H_
#define CLOAK_APPS_PLOT_SVG_AXES_H_

#include <string>

#include "apps/plot/ticks.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// In the units of the drawing, which are pixels when it is shown at its own
// size.
struct PlotSize {
  double width = 860;
  double height = 460;
};

// Maps [lower, upper] to [begin, end]; end may lie before begin, as it does
// for y, which grows downwards in SVG.
struct Axis {
  double lower = 0;
  double upper = 1;
  double begin = 0;
  double end = 1;

  double At(double value) const {
    return begin + (value - lower) / (upper - lower) * (end - begin);
  }
};

// The range to draw for values in [lower, upper]: some width is left around a
// single value.
void WidenIfSingle(double& lower, double& upper);

// A coordinate with one decimal: finer than any screen.
std::string Pixel(double value);

// How wide `text` is about, for margins.
double TextWidth(const std::string& text);

// The opening <svg> tag with its accessible name; `label` is escaped here.
std::string SvgOpening(const PlotSize& size, const std::string& label);

// Places the axes in a drawing of `size` so that tick labels fit; `right` is
// kept free.
struct Frame {
  Axis x;
  Axis y;
  Ticks x_ticks;
  Ticks y_ticks;
};
Frame MakeFrame(const PlotSize& size, double x_lower, double x_upper,
                double y_lower, double y_upper, double right);

// The d attribute of a <path> through the points: M, then L.
std::string CurvePath(const Frame& frame, const Vector& x, const Vector& y);

// Grid lines, tick labels and the names of the axes; the name of y stands
// above its axis, where it can be read without turning one's head.
std::string GridSvg(const Frame& frame);
std::string AxesSvg(const Frame& frame, const std::string& x_label,
                    const std::string& y_label);

}  // namespace cloak

#endif  // CLOAK_APPS_PLOT_SVG_AXES_H_
