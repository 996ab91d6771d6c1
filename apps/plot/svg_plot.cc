#include "apps/plot/svg_plot.h"

#include <algorithm>

#include "apps/plot/html_text.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

struct Range {
  double lower;
  double upper;

  void Include(double low, double high) {
    lower = std::min(lower, low);
    upper = std::max(upper, high);
  }
  double width() const { return upper - lower; }
};

bool AllFinite(const CurvePlot& plot) {
  bool finite = plot.x.allFinite() && plot.mean.allFinite();
  for (const Band& band : plot.bands) {
    finite = finite && band.lower.allFinite() && band.upper.allFinite();
  }
  return finite;
}

// The curves with some air, and the marks too unless they are so far away
// that the curves would become flat lines.
Range YRange(const CurvePlot& plot) {
  Range range{plot.mean.minCoeff(), plot.mean.maxCoeff()};
  for (const Band& band : plot.bands) {
    range.Include(band.lower.minCoeff(), band.upper.maxCoeff());
  }
  WidenIfSingle(range.lower, range.upper);
  Range with_marks = range;
  for (const Mark& mark : plot.marks) {
    with_marks.Include(mark.value, mark.value);
  }
  if (with_marks.width() <= 3 * range.width()) range = with_marks;
  const double air = 0.04 * range.width();
  return {range.lower - air, range.upper + air};
}

std::string MarkSvg(const Frame& frame, const Mark& mark) {
  if (mark.value < frame.y.lower || mark.value > frame.y.upper) return "";
  const double y = frame.y.At(mark.value);
  // Above the line, unless that is outside the drawing.
  const double label = y - frame.y.end < 18 ? y + 16 : y - 6;
  return Text("<path class=\"mark\" d=\"M", Pixel(frame.x.begin), " ", Pixel(y),
              "H", Pixel(frame.x.end), "\"/>\n<text class=\"mark-label\" x=\"",
              Pixel(frame.x.begin + 6), "\" y=\"", Pixel(label), "\">",
              EscapeHtml(mark.label), "</text>\n");
}

}  // namespace

std::string CurveSvg(const CurvePlot& plot, const PlotSize& size) {
  if (plot.x.size() < 2 || !AllFinite(plot)) return "";
  const Range y = YRange(plot);
  const Frame frame = MakeFrame(size, plot.x[0], plot.x[plot.x.size() - 1],
                                y.lower, y.upper, 14);
  std::string svg = SvgOpening(size, plot.description);
  for (const Band& band : plot.bands) {
    svg +=
        Text("<path class=\"", band.css_class, "\" d=\"",
             CurvePath(frame, plot.x, band.upper), "L",
             CurvePath(frame, plot.x.reverse(), band.lower.reverse()).substr(1),
             "Z\"/>\n");
  }
  svg += GridSvg(frame);
  for (const Mark& mark : plot.marks) svg += MarkSvg(frame, mark);
  svg += Text("<path class=\"mean\" d=\"", CurvePath(frame, plot.x, plot.mean),
              "\"/>\n");
  svg += AxesSvg(frame, plot.x_label, plot.y_label);
  return svg + "</svg>\n";
}

}  // namespace cloak
