#include "apps/plot/svg_axes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "apps/plot/html_text.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr double kLetter = 7.2;
constexpr double kTop = 34;
constexpr double kBottom = 50;

}  // namespace

void WidenIfSingle(double& lower, double& upper) {
  if (lower < upper) return;
  const double middle = lower;
  const double half = middle == 0 ? 1 : std::abs(middle) / 10;
  lower = middle - half;
  upper = middle + half;
}

std::string Pixel(double value) {
  std::array<char, 64> buffer{};
  // What lies outside the drawing is cut off anyway; far outside, it need not
  // be right.
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                    std::clamp(value, -1e5, 1e5), std::chars_format::fixed, 1);
  std::string text(buffer.data(), end.ptr);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

double TextWidth(const std::string& text) {
  return kLetter * static_cast<double>(text.size());
}

std::string SvgOpening(const PlotSize& size, const std::string& label) {
  return Text("<svg viewBox=\"0 0 ", size.width, " ", size.height,
              "\" role=\"img\" aria-label=\"", EscapeHtml(label), "\">\n");
}

Frame MakeFrame(const PlotSize& size, double x_lower, double x_upper,
                double y_lower, double y_upper, double right) {
  Frame frame;
  frame.y_ticks =
      NiceTicks(y_lower, y_upper, std::max(3, int(size.height / 65)));
  double widest = 0;
  for (const double tick : frame.y_ticks.values) {
    widest = std::max(widest, TextWidth(TickText(tick, frame.y_ticks.step)));
  }
  const double left = std::clamp(widest + 16, 36.0, size.width / 3);
  frame.x = {x_lower, x_upper, left, size.width - right};
  frame.y = {y_lower, y_upper, size.height - kBottom, kTop};
  // Tick labels as wide as these must not meet.
  const double label = TextWidth(TickText(x_upper, (x_upper - x_lower) / 10));
  const double room = (frame.x.end - frame.x.begin) / (label + 34);
  frame.x_ticks = NiceTicks(x_lower, x_upper, std::clamp(int(room), 2, 10));
  return frame;
}

std::string CurvePath(const Frame& frame, const Vector& x, const Vector& y) {
  std::string path;
  for (Index i = 0; i < x.size(); ++i) {
    path += Text(i > 0 ? "L" : "M", Pixel(frame.x.At(x[i])), " ",
                 Pixel(frame.y.At(y[i])));
  }
  return path;
}

std::string GridSvg(const Frame& frame) {
  std::string path;
  for (const double tick : frame.y_ticks.values) {
    path += Text("M", Pixel(frame.x.begin), " ", Pixel(frame.y.At(tick)), "H",
                 Pixel(frame.x.end));
  }
  for (const double tick : frame.x_ticks.values) {
    path += Text("M", Pixel(frame.x.At(tick)), " ", Pixel(frame.y.begin), "V",
                 Pixel(frame.y.end));
  }
  return Text("<path class=\"grid\" d=\"", path, "\"/>\n");
}

std::string AxesSvg(const Frame& frame, const std::string& x_label,
                    const std::string& y_label) {
  std::string svg =
      Text("<path class=\"axis\" d=\"M", Pixel(frame.x.begin), " ",
           Pixel(frame.y.begin), "H", Pixel(frame.x.end), "\"/>\n");
  for (size_t k = 0; k < frame.y_ticks.values.size(); ++k) {
    svg += Text("<text class=\"tick\" text-anchor=\"end\" x=\"",
                Pixel(frame.x.begin - 8), "\" y=\"",
                Pixel(frame.y.At(frame.y_ticks.values[k]) + 4), "\">",
                TickLabel(frame.y_ticks, k), "</text>\n");
  }
  for (size_t k = 0; k < frame.x_ticks.values.size(); ++k) {
    svg += Text("<text class=\"tick\" text-anchor=\"middle\" x=\"",
                Pixel(frame.x.At(frame.x_ticks.values[k])), "\" y=\"",
                Pixel(frame.y.begin + 19), "\">", TickLabel(frame.x_ticks, k),
                "</text>\n");
  }
  svg += Text("<text class=\"name\" text-anchor=\"middle\" x=\"",
              Pixel((frame.x.begin + frame.x.end) / 2), "\" y=\"",
              Pixel(frame.y.begin + 42), "\">",
              EscapeHtml(Shortened(x_label, 40)), "</text>\n");
  svg += Text("<text class=\"name\" x=\"", Pixel(4), "\" y=\"", Pixel(16),
              "\">", EscapeHtml(Shortened(y_label, 40)), "</text>\n");
  return svg;
}

}  // namespace cloak
