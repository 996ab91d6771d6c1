#include "apps/cli/page_plots.h"

#include <algorithm>
#include <vector>

#include "apps/plot/heat_map.h"
#include "apps/plot/html_text.h"
#include "apps/plot/svg_plot.h"
#include "apps/plot/ticks.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr PlotSize kWide{860, 460};
constexpr PlotSize kNarrow{400, 330};
constexpr Index kCurvePoints = 161;
// A page of hundreds of plots is of no use, and a file from a stranger may
// have that many inputs.
constexpr size_t kMostCurves = 12;
// Half the width of a 95 % interval in standard deviations.
constexpr double kTwoSided95 = 1.959963984540054;

constexpr char kNotDrawable[] =
    "<p>The predictions are too large to be drawn.</p>\n";

constexpr char kLegend[] =
    "<ul class=\"legend\">\n"
    "<li><span class=\"stroke\"></span>best guess (mean)</li>\n"
    "<li><span class=\"privacy\"></span>privacy noise alone</li>\n"
    "<li><span class=\"function\"></span>all that is unsure about the mean: "
    "privacy noise and limited data</li>\n"
    "<li><span class=\"new\"></span>where a new observation falls</li>\n"
    "</ul>\n";

constexpr char kClassLegend[] =
    "<ul class=\"legend\">\n"
    "<li><span class=\"stroke\"></span>probability, all that is unsure taken "
    "into account</li>\n"
    "<li><span class=\"privacy\"></span>privacy noise alone</li>\n"
    "<li><span class=\"function\"></span>all that is unsure: privacy noise "
    "and limited data</li>\n"
    "</ul>\n";

struct Range {
  double lower;
  double upper;
};

Range PlotRange(const InputColumn& input) {
  Range range{input.lower, input.upper};
  WidenIfSingle(range.lower, range.upper);
  return range;
}

// Rows with every input at its middle, to be moved along one or two of them.
Matrix MiddleRows(const Release& release, Index rows) {
  const std::vector<InputColumn>& inputs = release.content().inputs;
  Matrix X(rows, static_cast<Index>(inputs.size()));
  for (Index j = 0; j < X.cols(); ++j) {
    X.col(j).setConstant(inputs[static_cast<size_t>(j)].middle);
  }
  return X;
}

std::string TableHtml(const std::vector<std::string>& header,
                      const std::vector<const Vector*>& columns,
                      const std::vector<Index>& rows) {
  std::string html =
      "<details><summary>The same as a table</summary>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Plotted values\"><table class=\"numbers\">\n<tr>";
  for (const std::string& name : header) {
    html += Text("<th scope=\"col\">", EscapeHtml(name), "</th>");
  }
  html += "</tr>\n";
  for (const Index row : rows) {
    html += "<tr>";
    for (const Vector* column : columns) {
      html += Text("<td>", FigureText((*column)[row]), "</td>");
    }
    html += "</tr>\n";
  }
  return html + "</table></div></details>\n";
}

struct Curve {
  CurvePlot plot;
  Predictions observation;
  Predictions function;
};

Vector Logistic(const Vector& f) { return (1 + (-f.array()).exp()).inverse(); }

std::string ProbabilityText(const ReleaseContent& content) {
  return Text("probability that ", content.output, " is ", content.classes[1]);
}

// Bands of the log odds, seen through the link.
void DrawProbability(const Release& release, const Matrix& X, Curve& curve,
                     const Threads& threads) {
  const ReleaseContent& content = release.content();
  const Predictions& function = curve.function;
  const Vector noise = kTwoSided95 * function.privacy_sd;
  CurvePlot& plot = curve.plot;
  plot.mean = release.PredictClasses(X, threads).probability.col(1);
  plot.y_label = ProbabilityText(content);
  plot.description =
      Text("Curve of the ", plot.y_label, " against ", plot.x_label,
           " with 95 % bands: lowest ", FigureText(plot.mean.minCoeff()),
           ", highest ", FigureText(plot.mean.maxCoeff()));
  plot.bands = {
      {"function", Logistic(function.lower), Logistic(function.upper)},
      {"privacy", Logistic(function.mean - noise),
       Logistic(function.mean + noise)}};
  plot.marks = {{0, "0"}, {0.5, "as likely as not"}, {1, "1"}};
}

Curve MakeCurve(const Release& release, Index input, const Threads& threads) {
  const ReleaseContent& content = release.content();
  const InputColumn& column = content.inputs[static_cast<size_t>(input)];
  const Range range = PlotRange(column);
  Matrix X = MiddleRows(release, kCurvePoints);
  X.col(input).setLinSpaced(range.lower, range.upper);
  Curve curve;
  curve.observation = release.Predict(X, {0.95, false}, threads);
  curve.function = release.Predict(X, {0.95, true}, threads);
  const Vector noise = kTwoSided95 * curve.function.privacy_sd;
  const Vector& mean = curve.function.mean;

  CurvePlot& plot = curve.plot;
  plot.x = X.col(input);
  plot.x_label = column.name;
  if (!content.classes.empty()) {
    DrawProbability(release, X, curve, threads);
    return curve;
  }
  plot.mean = mean;
  plot.y_label = content.output;
  plot.description = Text(
      "Curve of predicted ", content.output, " against ", column.name,
      " with 95 % bands: from ", FigureText(mean[0]), " at ",
      FigureText(range.lower), " to ", FigureText(mean[mean.size() - 1]),
      " at ", FigureText(range.upper), ", lowest ", FigureText(mean.minCoeff()),
      ", highest ", FigureText(mean.maxCoeff()));
  plot.bands = {
      {"new", curve.observation.lower, curve.observation.upper},
      {"function", curve.function.lower, curve.function.upper},
      {"privacy", mean - noise, mean + noise},
  };
  plot.marks = {{content.privacy.lower,
                 "lower bound " + FigureText(content.privacy.lower)},
                {content.privacy.upper,
                 "upper bound " + FigureText(content.privacy.upper)}};
  return curve;
}

std::string CurveTable(const Release& release, const Curve& curve) {
  std::vector<Index> rows;
  for (Index i = 0; i < curve.plot.x.size(); i += 8) rows.push_back(i);
  if (!release.content().classes.empty()) {
    return TableHtml(
        {curve.plot.x_label, "probability", "log odds", "sd", "privacy sd"},
        {&curve.plot.x, &curve.plot.mean, &curve.function.mean,
         &curve.function.sd, &curve.function.privacy_sd},
        rows);
  }
  return TableHtml({curve.plot.x_label, "mean", "privacy sd", "function sd",
                    "observation sd", "lower", "upper"},
                   {&curve.plot.x, &curve.plot.mean, &curve.function.privacy_sd,
                    &curve.function.sd, &curve.observation.sd,
                    &curve.observation.lower, &curve.observation.upper},
                   rows);
}

std::string OneCurveHtml(const Release& release, const Threads& threads) {
  const Curve curve = MakeCurve(release, 0, threads);
  const std::string wide = CurveSvg(curve.plot, kWide);
  if (wide.empty()) return kNotDrawable;
  return Text(
      "<figure class=\"card\">\n<div class=\"wide\">", wide,
      "</div>\n<div class=\"narrow\">", CurveSvg(curve.plot, kNarrow),
      "</div>\n", release.content().classes.empty() ? kLegend : kClassLegend,
      release.content().classes.empty()
          ? "<figcaption>Bands hold 95 %. Dashed lines are the bounds "
            "that outputs were clipped to.</figcaption>\n"
          : "<figcaption>Bands hold 95 % of the log odds.</figcaption>\n",
      CurveTable(release, curve), "</figure>\n");
}

std::string CurvesHtml(const Release& release, const Threads& threads) {
  const std::vector<InputColumn>& inputs = release.content().inputs;
  const size_t shown = std::min(inputs.size(), kMostCurves);
  std::string html = Text(
      "<div class=\"card\">\n<p>Each input alone, the others at their "
      "middle value. Bands hold 95 %.</p>\n",
      release.content().classes.empty() ? kLegend : kClassLegend,
      "</div>\n<div class=\"plots\">\n");
  for (size_t j = 0; j < shown; ++j) {
    const Curve curve = MakeCurve(release, static_cast<Index>(j), threads);
    const std::string svg = CurveSvg(curve.plot, kNarrow);
    html += Text("<figure class=\"card\">\n",
                 svg.empty() ? std::string(kNotDrawable) : svg,
                 CurveTable(release, curve), "</figure>\n");
  }
  html += "</div>\n";
  if (shown < inputs.size()) {
    html += Text("<p>The first ", shown, " of ", inputs.size(),
                 " inputs are shown.</p>\n");
  }
  return html;
}

// A map of one column of predictions on a grid of cells.
struct Grid {
  static constexpr Index kColumns = 72;
  static constexpr Index kRows = 56;

  Range x;
  Range y;
  Matrix points;  // row by row from the bottom

  explicit Grid(const Release& release)
      : x(PlotRange(release.content().inputs[0])),
        y(PlotRange(release.content().inputs[1])),
        points(kRows * kColumns, 2) {
    for (Index i = 0; i < kRows; ++i) {
      for (Index j = 0; j < kColumns; ++j) {
        points(i * kColumns + j, 0) = Middle(x, j, kColumns);
        points(i * kColumns + j, 1) = Middle(y, i, kRows);
      }
    }
  }

  static double Middle(const Range& range, Index cell, Index cells) {
    return range.lower + (range.upper - range.lower) *
                             (static_cast<double>(cell) + 0.5) /
                             static_cast<double>(cells);
  }
};

std::string MapHtml(const Release& release, const Grid& grid,
                    const Vector& values, ColourMap colours,
                    const std::string& title, const std::string& caption) {
  const std::vector<InputColumn>& inputs = release.content().inputs;
  HeatMap map;
  map.x_label = inputs[0].name;
  map.y_label = inputs[1].name;
  map.colours = colours;
  map.x_lower = grid.x.lower;
  map.x_upper = grid.x.upper;
  map.y_lower = grid.y.lower;
  map.y_upper = grid.y.upper;
  map.values =
      Eigen::Map<const Matrix>(values.data(), Grid::kColumns, Grid::kRows)
          .transpose();
  map.description =
      Text("Map of ", title, " by ", inputs[0].name, " and ", inputs[1].name,
           ": from ", FigureText(values.minCoeff()), " to ",
           FigureText(values.maxCoeff()));
  const std::string svg = HeatMapSvg(map, {430, 370});
  return Text("<figure class=\"card\">\n<h3>", EscapeHtml(title), "</h3>\n",
              svg.empty() ? std::string(kNotDrawable) : svg, "<figcaption>",
              EscapeHtml(caption), "</figcaption>\n</figure>\n");
}

std::string MapsHtml(const Release& release, const Threads& threads) {
  const Grid grid(release);
  const Predictions function =
      release.Predict(grid.points, {0.95, true}, threads);
  std::vector<Index> rows;
  for (Index i = Grid::kRows / 14; i < Grid::kRows; i += Grid::kRows / 7) {
    for (Index j = Grid::kColumns / 12; j < Grid::kColumns;
         j += Grid::kColumns / 6) {
      rows.push_back(i * Grid::kColumns + j);
    }
  }
  const std::vector<InputColumn>& inputs = release.content().inputs;
  const Vector x = grid.points.col(0);
  const Vector y = grid.points.col(1);
  const std::string& output = release.content().output;
  const bool labels = !release.content().classes.empty();
  const Vector best =
      labels
          ? Vector(
                release.PredictClasses(grid.points, threads).probability.col(1))
          : function.mean;
  return Text(
      "<div class=\"plots\">\n",
      MapHtml(
          release, grid, best, ColourMap::kViridis,
          labels ? ProbabilityText(release.content()) : "predicted " + output,
          labels ? "With what is unsure taken into account."
                 : "The best guess (mean)."),
      MapHtml(release, grid, function.sd, ColourMap::kInferno,
              (labels ? "uncertainty of the log odds of " : "uncertainty of ") +
                  output,
              "Standard deviation of the mean: privacy noise and limited data. "
              "Bright places are the least known."),
      "</div>\n",
      TableHtml({inputs[0].name, inputs[1].name,
                 labels ? "probability" : "mean", "sd", "privacy sd"},
                {&x, &y, &best, &function.sd, &function.privacy_sd}, rows));
}

}  // namespace

std::string PlotsHtml(const Release& release, const Threads& threads) {
  switch (release.content().inputs.size()) {
    case 1:
      return OneCurveHtml(release, threads);
    case 2:
      return MapsHtml(release, threads);
    default:
      return CurvesHtml(release, threads);
  }
}

}  // namespace cloak
