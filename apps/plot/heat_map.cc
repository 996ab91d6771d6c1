#include "apps/plot/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "apps/plot/html_text.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

using Colour = std::array<int, 3>;

// Nine evenly spaced colours of each map of matplotlib (van der Walt and
// Smith 2015); linear between them.
constexpr std::array<Colour, 9> kViridis = {{{68, 1, 84},
                                             {71, 45, 123},
                                             {59, 82, 139},
                                             {44, 114, 142},
                                             {33, 145, 140},
                                             {40, 174, 128},
                                             {94, 201, 98},
                                             {173, 220, 48},
                                             {253, 231, 37}}};
constexpr std::array<Colour, 9> kInferno = {{{0, 0, 4},
                                             {33, 12, 74},
                                             {87, 16, 110},
                                             {138, 34, 106},
                                             {188, 55, 84},
                                             {228, 90, 49},
                                             {249, 142, 9},
                                             {249, 203, 53},
                                             {252, 255, 164}}};

// More would not be seen, and cells of one colour share one path.
constexpr int kLevels = 64;
constexpr double kBarWidth = 14;

int Level(double value, double lower, double upper) {
  const double fraction = (value - lower) / (upper - lower);
  return std::clamp(static_cast<int>(fraction * kLevels), 0, kLevels - 1);
}

std::string LevelColour(ColourMap map, int level) {
  return ColourText(map, (level + 0.5) / kLevels);
}

// Neighbours of one colour in a row are drawn as one rectangle. Rectangles
// reach a little under their neighbours, so that no background shows through
// the seams.
std::string Cells(const HeatMap& map, const Frame& frame, double lower,
                  double upper) {
  const double width =
      (frame.x.end - frame.x.begin) / static_cast<double>(map.values.cols());
  const double height =
      (frame.y.begin - frame.y.end) / static_cast<double>(map.values.rows());
  std::vector<std::string> paths(kLevels);
  for (Index i = 0; i < map.values.rows(); ++i) {
    const double top = frame.y.begin - static_cast<double>(i + 1) * height;
    for (Index j = 0; j < map.values.cols();) {
      const int level = Level(map.values(i, j), lower, upper);
      Index end = j + 1;
      while (end < map.values.cols() &&
             Level(map.values(i, end), lower, upper) == level) {
        ++end;
      }
      const std::string run = Pixel(static_cast<double>(end - j) * width);
      paths[level] +=
          Text("M", Pixel(frame.x.begin + static_cast<double>(j) * width), " ",
               Pixel(top), "h", run, "v", Pixel(height), "h-", run, "z");
      j = end;
    }
  }
  std::string svg = "<g class=\"cells\">\n";
  for (int level = 0; level < kLevels; ++level) {
    if (paths[level].empty()) continue;
    const std::string colour = LevelColour(map.colours, level);
    svg += Text("<path fill=\"", colour, "\" stroke=\"", colour, "\" d=\"",
                paths[level], "\"/>\n");
  }
  return svg + "</g>\n";
}

std::string ColourBar(ColourMap colours, const Frame& frame, double lower,
                      double upper) {
  const double x = frame.x.end + 16;
  const double height = (frame.y.begin - frame.y.end) / kLevels;
  std::string svg = "<g class=\"cells\">\n";
  for (int level = 0; level < kLevels; ++level) {
    const std::string colour = LevelColour(colours, level);
    svg += Text("<path fill=\"", colour, "\" stroke=\"", colour, "\" d=\"M",
                Pixel(x), " ", Pixel(frame.y.begin - (level + 1) * height), "h",
                Pixel(kBarWidth), "v", Pixel(height), "h-", Pixel(kBarWidth),
                "z\"/>\n");
  }
  svg += "</g>\n";
  const Axis axis{lower, upper, frame.y.begin, frame.y.end};
  const Ticks ticks = NiceTicks(lower, upper, 6);
  for (size_t k = 0; k < ticks.values.size(); ++k) {
    svg += Text("<text class=\"tick\" x=\"", Pixel(x + kBarWidth + 6),
                "\" y=\"", Pixel(axis.At(ticks.values[k]) + 4), "\">",
                TickLabel(ticks, k), "</text>\n");
  }
  return svg;
}

}  // namespace

std::string ColourText(ColourMap map, double fraction) {
  const auto& colours = map == ColourMap::kViridis ? kViridis : kInferno;
  const double place = std::clamp(fraction, 0.0, 1.0) * 8;
  const size_t below = std::min<size_t>(static_cast<size_t>(place), 7);
  const double rest = place - static_cast<double>(below);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text = "#";
  for (size_t channel = 0; channel < 3; ++channel) {
    const auto value = static_cast<size_t>(std::lround(
        std::lerp(colours[below][channel], colours[below + 1][channel], rest)));
    text += kHex[value / 16];
    text += kHex[value % 16];
  }
  return text;
}

std::string HeatMapSvg(const HeatMap& map, const PlotSize& size) {
  if (map.values.size() == 0 || !map.values.allFinite()) return "";
  double lower = map.values.minCoeff();
  double upper = map.values.maxCoeff();
  WidenIfSingle(lower, upper);
  if (!std::isfinite(upper - lower)) return "";
  const Ticks ticks = NiceTicks(lower, upper, 6);
  double widest = 0;
  for (const double tick : ticks.values) {
    widest = std::max(widest, TextWidth(TickText(tick, ticks.step)));
  }
  const Frame frame = MakeFrame(size, map.x_lower, map.x_upper, map.y_lower,
                                map.y_upper, kBarWidth + widest + 26);
  return SvgOpening(size, map.description) + Cells(map, frame, lower, upper) +
         ColourBar(map.colours, frame, lower, upper) +
         AxesSvg(frame, map.x_label, map.y_label) + "</svg>\n";
}

}  // namespace cloak
