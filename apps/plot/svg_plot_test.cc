#include "apps/plot/svg_plot.h"

#include <gmock/gmock.h>

#include <limits>

#include "apps/plot/heat_map.h"
#include "apps/plot/html_text.h"

namespace cloak {
namespace {

using testing::HasSubstr;
using testing::Not;

CurvePlot Line() {
  CurvePlot plot;
  plot.description = "a line";
  plot.x_label = "<age>";
  plot.y_label = "height";
  plot.x = Vector::LinSpaced(11, 0, 100);
  plot.mean = Vector::LinSpaced(11, 60, 180);
  plot.bands = {{"new", plot.mean.array() - 10, plot.mean.array() + 10}};
  return plot;
}

TEST(EscapeHtml, LeavesNoWayOutOfTextOrAttribute) {
  EXPECT_EQ(EscapeHtml("<script>a & \"b\" 'c'"),
            "&lt;script&gt;a &amp; &quot;b&quot; &#39;c&#39;");
  EXPECT_EQ(EscapeHtml("é\n\x1b["), "é  [");
}

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(Shortened("größe", 5), "größe");
  EXPECT_EQ(Shortened("größe", 3), "grö…");
}

TEST(CurveSvg, NamesAxesAndEscapesThem) {
  const std::string svg = CurveSvg(Line(), {});
  EXPECT_THAT(svg, HasSubstr("&lt;age&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("<age>")));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"a line\""));
  EXPECT_THAT(svg, HasSubstr(">100</text>"));
}

TEST(CurveSvg, MarksBoundsUnlessTheyWouldFlattenTheCurve) {
  CurvePlot plot = Line();
  plot.marks = {{190, "upper bound"}, {1e6, "far away"}};
  EXPECT_THAT(CurveSvg(plot, {}), Not(HasSubstr("far away")));
  plot.marks = {{190, "upper bound"}};
  EXPECT_THAT(CurveSvg(plot, {}), HasSubstr("upper bound"));
}

TEST(CurveSvg, DrawsAConstant) {
  CurvePlot plot = Line();
  plot.mean.setConstant(5);
  plot.bands.clear();
  EXPECT_THAT(CurveSvg(plot, {}), HasSubstr("class=\"mean\""));
  EXPECT_THAT(CurveSvg(plot, {}), Not(HasSubstr("nan")));
}

TEST(CurveSvg, IsEmptyWhenThereIsNothingToDraw) {
  CurvePlot plot = Line();
  plot.mean[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(CurveSvg(plot, {}), "");
}

TEST(HeatMapSvg, ColoursRiseFromDarkToLight) {
  EXPECT_EQ(ColourText(ColourMap::kViridis, 0), "#440154");
  EXPECT_EQ(ColourText(ColourMap::kViridis, 1), "#fde725");
  EXPECT_EQ(ColourText(ColourMap::kInferno, 0.5), "#bc3754");
  EXPECT_EQ(ColourText(ColourMap::kInferno, -3), "#000004");
}

TEST(HeatMapSvg, DrawsEachCellOnceWhereItBelongs) {
  HeatMap map;
  map.values = Matrix(2, 2);
  map.values << 0, 0, 0, 1;  // only the top right is high
  const std::string svg = HeatMapSvg(map, {400, 300});
  EXPECT_THAT(svg, HasSubstr(ColourText(ColourMap::kViridis, 0.5 / 64)));
  EXPECT_THAT(svg, HasSubstr(ColourText(ColourMap::kViridis, 63.5 / 64)));
  map.values(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(HeatMapSvg(map, {400, 300}), "");
}

}  // namespace
}  // namespace cloak
