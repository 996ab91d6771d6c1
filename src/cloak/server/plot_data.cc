#include "cloak/server/plot_data.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/release/kind.h"
#include "cloak/release/release_json.h"
#include "cloak/server/answer.h"
#include "cloak/server/http_error.h"

namespace cloak {
namespace {

using nlohmann::json;

[[noreturn]] void RefusePlot(const std::string& message,
                             const std::string& hint) {
  throw HttpError(400, "invalid_plot", message, hint);
}

constexpr char kPlotShape[] =
    "send {\"inputs\": [\"a\"], \"points\": 200, \"at\": {\"b\": 1.5}} with "
    "one or two inputs to plot against; points and at may be left out";

// Half the width of a 95 % interval in standard deviations.
constexpr double kTwoSided95 = 1.959963984540054;

Index InputOf(const Release& release, const json& name) {
  const std::vector<InputColumn>& inputs = release.content().inputs;
  std::vector<std::string> names;
  for (size_t j = 0; j < inputs.size(); ++j) {
    if (name.is_string() &&
        name.get_ref<const std::string&>() == inputs[j].name) {
      return static_cast<Index>(j);
    }
    names.push_back(inputs[j].name);
  }
  RefusePlot("the plot names an input that the release does not have",
             Text("its inputs are: ", Join(names, ", ")));
}

json ParsedBody(std::string_view body, const ApiLimits& limits) {
  if (body.size() > limits.plot_bytes) {
    throw HttpError(
        413, "body_too_large",
        Text("a plot is asked for in at most ", limits.plot_bytes, " bytes"),
        kPlotShape);
  }
  json parsed = json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) {
    throw HttpError(400, "malformed_json", "the body is not JSON", kPlotShape);
  }
  if (!parsed.is_object()) RefusePlot("the body is not an object", kPlotShape);
  for (const auto& [name, value] : parsed.items()) {
    if (name != "inputs" && name != "points" && name != "at") {
      RefusePlot("the body has a member that is none of inputs, points and at",
                 kPlotShape);
    }
  }
  return parsed;
}

json Member(const json& object, const char* name, json otherwise) {
  const auto found = object.find(name);
  if (found == object.end()) return otherwise;
  return *found;
}

Vector Axis(const InputColumn& input, Index points) {
  // An input that is always the same still gets an axis.
  const double margin =
      input.lower < input.upper ? 0 : std::max(1.0, std::abs(input.lower) / 2);
  return Vector::LinSpaced(points, input.lower - margin, input.upper + margin);
}

Matrix Grid(const PlotRequest& plot, const std::vector<Vector>& axes) {
  const bool map = axes.size() == 2;
  const Index inner = map ? plot.points : 1;
  Matrix X = plot.at.transpose().replicate(plot.points * inner, 1);
  for (Index i = 0; i < X.rows(); ++i) {
    X(i, plot.inputs[0]) = axes[0][i / inner];
    if (map) X(i, plot.inputs[1]) = axes[1][i % inner];
  }
  return X;
}

const Vector& NumbersOf(const std::vector<AnswerColumn>& columns,
                        std::string_view name) {
  return std::find_if(
             columns.begin(), columns.end(),
             [name](const AnswerColumn& column) { return column.name == name; })
      ->numbers;
}

// Returns the function at the rows of X, as it is drawn.
std::vector<AnswerColumn> FunctionColumns(const Release& release,
                                          const Matrix& X,
                                          const Threads& threads) {
  const ReleaseKind& kind = KindOf(release.content().task);
  std::vector<AnswerColumn> columns =
      kind.columns(release, X, {.latent = true}, threads);
  if (kind.drawn == nullptr) return columns;
  const Vector mean = NumbersOf(columns, kMeanColumn);
  const Vector noise = kTwoSided95 * NumbersOf(columns, kPrivacySdColumn);
  columns.push_back({"privacy_lower", kind.drawn(mean - noise)});
  columns.push_back({"privacy_upper", kind.drawn(mean + noise)});
  return columns;
}

void AppendHistogram(const Histogram& histogram, std::string& out) {
  const json axes = AxesJson(histogram);
  out += Text("\"kind\":\"histogram\",\"axes\":",
              axes.dump(-1, ' ', false, json::error_handler_t::replace), ",");
  AppendJson({{"count", histogram.count},
              {"sd", histogram.sd},
              {"lower", histogram.lower},
              {"upper", histogram.upper}},
             out);
}

}  // namespace

PlotRequest ParsePlot(const Release& release, std::string_view body,
                      const ApiLimits& limits) {
  const json parsed = ParsedBody(body, limits);
  if (release.content().histogram.has_value()) {
    if (!parsed.empty()) RefusePlot("a histogram is sent whole", "send {}");
    return {};
  }
  const json names = Member(parsed, "inputs", nullptr);
  if (!names.is_array() || names.empty() || names.size() > 2) {
    RefusePlot("\"inputs\" must list one or two inputs", kPlotShape);
  }
  PlotRequest plot;
  for (const json& name : names) plot.inputs.push_back(InputOf(release, name));
  const bool map = plot.inputs.size() == 2;
  if (map && plot.inputs[0] == plot.inputs[1]) {
    RefusePlot("\"inputs\" has the same input twice", kPlotShape);
  }
  const Index most = map ? limits.map_points : limits.curve_points;
  const json points = Member(parsed, "points", map ? 50U : 200U);
  const double wanted = points.is_number() ? points.get<double>() : 0;
  if (wanted < 2 || wanted > static_cast<double>(most) ||
      wanted != std::floor(wanted)) {
    RefusePlot(Text("\"points\" must be a whole number from 2 to ", most),
               kPlotShape);
  }
  plot.points = static_cast<Index>(wanted);
  const std::vector<InputColumn>& inputs = release.content().inputs;
  plot.at.resize(static_cast<Index>(inputs.size()));
  for (size_t j = 0; j < inputs.size(); ++j) {
    plot.at[static_cast<Index>(j)] = inputs[j].middle;
  }
  const json at = Member(parsed, "at", json::object());
  if (!at.is_object()) RefusePlot("\"at\" is not an object", kPlotShape);
  for (const auto& [name, value] : at.items()) {
    const Index input = InputOf(release, name);
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      RefusePlot(Text("\"at\" has something that is not a finite number for '",
                      inputs[static_cast<size_t>(input)].name, "'"),
                 kPlotShape);
    }
    plot.at[input] = value.get<double>();
  }
  return plot;
}

void AppendPlot(const Release& release, const PlotRequest& plot,
                const Threads& threads, std::string& out) {
  const ReleaseContent& content = release.content();
  if (content.histogram.has_value()) {
    AppendHistogram(*content.histogram, out);
    return;
  }
  const std::vector<InputColumn>& inputs = content.inputs;
  std::vector<Vector> axes;
  std::string names;
  std::string grids;
  for (const Index input : plot.inputs) {
    const InputColumn& column = inputs[static_cast<size_t>(input)];
    axes.push_back(Axis(column, plot.points));
    if (axes.size() > 1) {
      names += ',';
      grids += ',';
    }
    names += JsonString(column.name);
    AppendJson(axes.back(), grids);
  }
  const ReleaseKind& kind = KindOf(content.task);
  out += Text("\"kind\":\"", kind.plots.at(axes.size() - 1), "\",\"inputs\":[",
              names, "],\"axes\":[", grids, "],\"at\":{");
  bool first = true;
  for (Index j = 0; j < plot.at.size(); ++j) {
    if (std::count(plot.inputs.begin(), plot.inputs.end(), j) > 0) continue;
    if (!first) out += ',';
    first = false;
    out +=
        Text(JsonString(inputs[static_cast<size_t>(j)].name), ":", plot.at[j]);
  }
  const Matrix X = Grid(plot, axes);
  out += "},\"function\":{";
  AppendJson(FunctionColumns(release, X, threads), out);
  out += '}';
  if (!kind.has_observations) return;
  out += ",\"observation\":{";
  AppendJson(kind.columns(release, X, {}, threads), out);
  out += '}';
}

}  // namespace cloak
