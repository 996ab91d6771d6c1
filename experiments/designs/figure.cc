#include "experiments/designs/figure.h"

#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "apps/plot/html_text.h"
#include "cloak/base/text.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

constexpr double kTitleHeight = 26;
constexpr double kLegendHeight = 34;

// The colours of Okabe and Ito, which colour-blind readers can tell apart, and
// a dash pattern for each. The card is white in either theme of the reader.
constexpr char kStyle[] = R"css(
text { font: 13px "DejaVu Sans", "Segoe UI", Roboto, sans-serif; fill: #1d2530; }
.tick { fill: #5a6675; }
.title { font-weight: 600; }
.name { font-size: 12px; }
.grid { fill: none; stroke: #1d2530; stroke-opacity: .08; }
.axis { fill: none; stroke: #5a6675; }
.curve { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
.dots { fill: none; stroke-linecap: round; }
.rug { fill: none; stroke: #8a94a1; }
.label { font-size: 11px; fill: #5a6675; }
.volume { stroke: #d55e00; } .curve.volume { stroke-dasharray: 9 4; }
.trace { stroke: #0072b2; } .curve.trace { stroke-dasharray: 9 3 2 3; }
.bayes { stroke: #009e73; } .curve.bayes { stroke-width: 2.6; }
.none { stroke: #1d2530; stroke-width: 1.6; }
.prior { stroke: #5a6675; stroke-dasharray: 2 4; }
.dots.volume { stroke-width: 7.4; } .dots.trace { stroke-width: 5; }
.dots.bayes { stroke-width: 3.2; }
.dots.row { stroke: #8a94a1; stroke-width: 5; }
)css";

// Characters of UTF-8.
double Length(const std::string& text) {
  double length = 0;
  for (const char c : text)
    length += (static_cast<unsigned>(c) & 0xC0U) != 0x80;
  return length;
}

std::string LegendKey(const std::string& css_class, double x, double y) {
  if (css_class == "rug") {
    return Text("<path class=\"rug\" d=\"M", Pixel(x + 8), " ", Pixel(y),
                "v-6m6 6v-12m6 12v-4\"/>");
  }
  const bool dots = css_class.starts_with("dots");
  return Text("<path class=\"", dots ? "" : "curve ", css_class, "\" d=\"M",
              Pixel(dots ? x + 14 : x), " ", Pixel(y - 5), dots ? "h0" : "h28",
              "\"/>");
}

std::string LegendSvg(const std::vector<LegendEntry>& legend, double y) {
  std::string svg;
  double x = 12;
  for (const LegendEntry& entry : legend) {
    svg +=
        Text(LegendKey(entry.css_class, x, y), "<text x=\"", Pixel(x + 36),
             "\" y=\"", Pixel(y), "\">", EscapeHtml(entry.text), "</text>\n");
    x += 58 + 7.2 * Length(entry.text);
  }
  return svg;
}

}  // namespace

Panel::Panel(std::string title, Frame frame, std::string x_label,
             std::string y_label)
    : title_(std::move(title)),
      frame_(std::move(frame)),
      x_label_(std::move(x_label)),
      y_label_(std::move(y_label)) {}

void Panel::Curve(std::string_view css_class, const Vector& x,
                  const Vector& y) {
  content_ += Text("<path class=\"curve ", css_class, "\" d=\"",
                   CurvePath(frame_, x, y), "\"/>\n");
}

void Panel::Dots(std::string_view css_class, const Vector& x, const Vector& y) {
  // Rows that are alike are one dot.
  std::set<std::string> dots;
  for (Index i = 0; i < x.size(); ++i) {
    dots.insert(Text("M", Pixel(frame_.x.At(x[i])), " ",
                     Pixel(frame_.y.At(y[i])), "h0"));
  }
  content_ += Text("<path class=\"dots ", css_class, "\" d=\"",
                   Join({dots.begin(), dots.end()}, ""), "\"/>\n");
}

void Panel::Label(double x, double y, std::string_view text) {
  content_ += Text("<text class=\"label\" text-anchor=\"middle\" x=\"",
                   Pixel(frame_.x.At(x)), "\" y=\"", Pixel(frame_.y.At(y) + 4),
                   "\">", EscapeHtml(text), "</text>\n");
}

void Panel::Ellipse(std::string_view css_class, const Matrix& covariance) {
  constexpr Index kPoints = 121;
  const SymmetricEigen eigen = EigenDecomposition(covariance);
  const Vector radius = eigen.values.cwiseMax(0).cwiseSqrt();
  const Vector angle = Vector::LinSpaced(kPoints, 0, 2 * std::numbers::pi);
  const Vector along = radius(0) * angle.array().cos();
  const Vector across = radius(1) * angle.array().sin();
  const Matrix& V = eigen.vectors;
  Curve(css_class, V(0, 0) * along + V(0, 1) * across,
        V(1, 0) * along + V(1, 1) * across);
}

void Panel::Rug(const Vector& x) {
  std::map<double, double> counts;
  for (Index i = 0; i < x.size(); ++i) ++counts[x[i]];
  std::string path;
  for (const auto& [value, count] : counts) {
    path += Text("M", Pixel(frame_.x.At(value)), " ", Pixel(frame_.y.begin),
                 "v", Pixel(-2 - 2 * count));
  }
  content_ += Text("<path class=\"rug\" d=\"", path, "\"/>\n");
}

std::string Panel::Svg(std::string_view id) const {
  const double width = frame_.x.end - frame_.x.begin;
  const double height = frame_.y.begin - frame_.y.end;
  return Text("<text class=\"title\" x=\"4\" y=\"-6\">", EscapeHtml(title_),
              "</text>\n<clipPath id=\"", id, "\"><rect x=\"",
              Pixel(frame_.x.begin), "\" y=\"", Pixel(frame_.y.end),
              "\" width=\"", Pixel(width), "\" height=\"", Pixel(height),
              "\"/></clipPath>\n", GridSvg(frame_), "<g clip-path=\"url(#", id,
              ")\">\n", content_, "</g>\n",
              AxesSvg(frame_, x_label_, y_label_));
}

std::string FigureSvg(const std::string& description,
                      const std::vector<Panel>& panels, const PlotSize& size,
                      const std::vector<LegendEntry>& legend) {
  const double width = size.width * static_cast<double>(panels.size());
  const double bottom = kTitleHeight + size.height;
  std::string svg =
      Text("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", width,
           " ", bottom + kLegendHeight, "\" role=\"img\" aria-label=\"",
           EscapeHtml(description), "\">\n<style>", kStyle,
           "</style>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" "
           "fill=\"#ffffff\"/>\n");
  for (size_t i = 0; i < panels.size(); ++i) {
    svg +=
        Text("<g transform=\"translate(",
             Pixel(size.width * static_cast<double>(i) + 4), " ", kTitleHeight,
             ")\">\n", panels[i].Svg(Text("panel", i)), "</g>\n");
  }
  return Text(svg, LegendSvg(legend, bottom + 16), "</svg>\n");
}

}  // namespace cloak
