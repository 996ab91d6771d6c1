#ifndef CLOAK_EXPERIMENTS_DESIGNS_FIGURE_H_
#define CLOAK_EXPERIMENTS_DESIGNS_FIGURE_H_

#include <string>
#include <string_view>
#include <vector>

#include "apps/plot/svg_axes.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// Axes, and curves and dots in them. The class of each gives its colour.
class Panel {
 public:
  Panel(std::string title, Frame frame, std::string x_label,
        std::string y_label);

  void Curve(std::string_view css_class, const Vector& x, const Vector& y);
  void Dots(std::string_view css_class, const Vector& x, const Vector& y);
  // A small text with its middle there.
  void Label(double x, double y, std::string_view text);
  // {x : xᵀ covariance⁻¹ x = 1} around 0, of a 2 x 2 matrix.
  void Ellipse(std::string_view css_class, const Matrix& covariance);
  // A line at the foot of the panel at each x, longer where there are more.
  void Rug(const Vector& x);

  // `id` is unique in the drawing.
  std::string Svg(std::string_view id) const;

 private:
  std::string title_;
  Frame frame_;
  std::string x_label_;
  std::string y_label_;
  std::string content_;
};

struct LegendEntry {
  std::string css_class;  // as of a Curve; "dots …" as of Dots; or "rug"
  std::string text;
};

// Panels of `size` side by side above a legend, as a whole SVG file that
// stands alone. `description` is for readers who cannot see it.
std::string FigureSvg(const std::string& description,
                      const std::vector<Panel>& panels, const PlotSize& size,
                      const std::vector<LegendEntry>& legend);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_DESIGNS_FIGURE_H_
