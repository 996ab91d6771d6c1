#include "apps/cli/page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "apps/web/web_page.h"
#include "cloak/base/text.h"
#include "cloak/release/kind.h"
#include "cloak/release/release_json.h"
#include "cloak/server/plot_data.h"

namespace cloak {
namespace {

using nlohmann::ordered_json;

// A page of hundreds of plots is of no use, and a file from a stranger may
// have that many inputs.
constexpr Index kMostCurves = 12;
constexpr Index kMostMapped = 4;  // maps of each two of these
// Points in all plots together: a page stays below a few megabytes.
constexpr double kMostPoints = 6e4;

// Along each axis; fewer when there are many plots.
Index Points(size_t axes, Index inputs) {
  if (axes == 1) return inputs <= 2 ? 121 : 61;
  return inputs == 2 ? 51 : 31;
}

std::vector<std::vector<Index>> AxesOfPlots(Index inputs) {
  std::vector<std::vector<Index>> all;
  for (Index i = 0; i < std::min(inputs, kMostMapped); ++i) {
    for (Index j = i + 1; j < std::min(inputs, kMostMapped); ++j) {
      all.push_back({i, j});
    }
  }
  for (Index i = 0; i < std::min(inputs, kMostCurves); ++i) all.push_back({i});
  return all;
}

// How many positions each slider has: as many as there is room for.
Index SliderPositions(Index inputs) {
  for (const Index positions : {9, 7, 5, 3}) {
    double points = 0;
    for (const std::vector<Index>& axes : AxesOfPlots(inputs)) {
      const auto drawn = static_cast<Index>(axes.size());
      points += std::pow(Points(axes.size(), inputs), drawn) *
                std::pow(positions, inputs - drawn);
    }
    if (points <= kMostPoints) return positions;
  }
  return 1;
}

// From the lower end of the range to the upper one, and through the middle.
std::vector<double> Positions(const InputColumn& input, Index count) {
  if (count == 1 || !(input.lower < input.upper)) return {input.middle};
  const Vector even = Vector::LinSpaced(count, input.lower, input.upper);
  std::vector<double> positions(even.begin(), even.end());
  Index nearest = 0;
  (even.array() - input.middle).abs().minCoeff(&nearest);
  positions[static_cast<size_t>(nearest)] = input.middle;
  return positions;
}

// Every way to hold the inputs that are not axes.
std::vector<Vector> Held(const std::vector<InputColumn>& inputs,
                         const std::vector<Index>& axes, Index positions) {
  Vector middle(static_cast<Index>(inputs.size()));
  for (Index j = 0; j < middle.size(); ++j) {
    middle[j] = inputs[static_cast<size_t>(j)].middle;
  }
  std::vector<Vector> held = {middle};
  for (Index j = 0; j < middle.size(); ++j) {
    if (std::count(axes.begin(), axes.end(), j) > 0) continue;
    std::vector<Vector> further;
    for (const double value :
         Positions(inputs[static_cast<size_t>(j)], positions)) {
      for (Vector at : held) {
        at[j] = value;
        further.push_back(std::move(at));
      }
    }
    held = std::move(further);
  }
  return held;
}

// More digits than a plot can show would only make the page longer. Five tell
// apart what can be seen, besides those that all outputs have in common.
int DigitsShown(const ReleaseContent& content) {
  constexpr int kDigits = 5;
  const PrivacyStatement& privacy = content.privacy;
  const double span = privacy.upper - privacy.lower;
  if (!KindOf(content.task).has_observations || !(span > 0)) return kDigits;
  const double largest =
      std::max(std::abs(privacy.lower), std::abs(privacy.upper));
  const double common = std::ceil(std::log10(largest / span));
  return kDigits + static_cast<int>(std::clamp(common, 0.0, 12.0));
}

void Shorten(ordered_json& columns, int digits_shown) {
  for (auto& [name, column] : columns.items()) {
    for (ordered_json& value : column) {
      if (!value.is_number()) continue;
      std::array<char, 32> digits = {};
      std::snprintf(digits.data(), digits.size(), "%.*g", digits_shown,
                    value.get<double>());
      value = std::strtod(digits.data(), nullptr);
    }
  }
}

// Leaves out whatever the page does not draw.
void KeepWhatIsDrawn(ordered_json& plot, int digits_shown) {
  if (!plot.contains("function")) return;
  ordered_json& function = plot["function"];
  function.erase("class");
  if (plot["axes"].size() == 2) {
    plot.erase("observation");
    function.erase("privacy_lower");
    function.erase("privacy_upper");
    if (plot["kind"] != "density") {
      function.erase("lower");
      function.erase("upper");
    }
  }
  Shorten(function, digits_shown);
  if (!plot.contains("observation")) return;
  ordered_json& observation = plot["observation"];
  for (const char* const name : {"mean", "sd", "privacy_sd"}) {
    observation.erase(name);
  }
  Shorten(observation, digits_shown);
}

ordered_json PlotJson(const Release& release, const PlotRequest& request,
                      const Threads& threads) {
  std::string text = "{";
  AppendPlot(release, request, threads, text);
  ordered_json plot = ordered_json::parse(text + "}");
  KeepWhatIsDrawn(plot, DigitsShown(release.content()));
  return plot;
}

ordered_json PlotsJson(const Release& release, const Threads& threads) {
  ordered_json plots = ordered_json::array();
  if (release.content().histogram.has_value()) {
    plots.push_back(PlotJson(release, {}, threads));
    return plots;
  }
  const std::vector<InputColumn>& inputs = release.content().inputs;
  const auto count = static_cast<Index>(inputs.size());
  const Index positions = SliderPositions(count);
  for (const std::vector<Index>& axes : AxesOfPlots(count)) {
    for (const Vector& at : Held(inputs, axes, positions)) {
      const Index points = Points(axes.size(), count);
      plots.push_back(PlotJson(release, {axes, points, at}, threads));
    }
  }
  return plots;
}

}  // namespace

std::string ReleasePage(const Release& release, const std::string& file,
                        const Threads& threads) {
  const std::string name =
      file == "-" ? "FILE.cloak"
                  : std::filesystem::path(file).filename().string();
  ordered_json described = {
      {"name", std::filesystem::path(name).stem().string()}};
  described.update(ReleaseJson(release));
  const ordered_json page = {{"release", std::move(described)},
                             {"file", name},
                             {"plots", PlotsJson(release, threads)}};
  return WebPageFile(page.dump(-1, ' ', /*ensure_ascii=*/false,
                               ordered_json::error_handler_t::replace));
}

}  // namespace cloak
