#include "apps/plot/heat_map.h"

#include <gmock/gmock.h>

#include <limits>

#include "apps/plot/html_text.h"

namespace cloak {
namespace {

using testing::HasSubstr;

TEST(EscapeHtml, LeavesNoWayOutOfTextOrAttribute) {
  EXPECT_EQ(EscapeHtml("<script>a & \"b\" 'c'"),
            "&lt;script&gt;a &amp; &quot;b&quot; &#39;c&#39;");
  EXPECT_EQ(EscapeHtml("é\n\x1b["), "é  [");
}

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(Shortened("größe", 5), "größe");
  EXPECT_EQ(Shortened("größe", 3), "grö…");
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
