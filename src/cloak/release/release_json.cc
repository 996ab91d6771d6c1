#include "cloak/release/release_json.h"

#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace cloak {

using nlohmann::ordered_json;

ordered_json GapJson(double certified_gap) {
  if (certified_gap < 0) return nullptr;
  return certified_gap;
}

ordered_json PrivacyJson(const PrivacyStatement& privacy) {
  ordered_json json = {{"protect", NameOf(privacy.protect)},
                       {"epsilon", privacy.epsilon},
                       {"delta", privacy.delta},
                       {"rows", privacy.rows}};
  if (!privacy.unit.empty()) {
    json["unit"] = privacy.unit;
    json["units"] = privacy.units;
  }
  json["bounds"] = {privacy.lower, privacy.upper};
  json["mechanism"] = privacy.mechanism;
  json["sensitivity"] = privacy.sensitivity;
  json["noise_sd"] = privacy.noise_sd;
  return json;
}

ordered_json InputsJson(const ReleaseContent& content) {
  ordered_json inputs = ordered_json::array();
  for (const InputColumn& input : content.inputs) {
    inputs.push_back({{"name", input.name},
                      {"lower", input.lower},
                      {"upper", input.upper},
                      {"middle", input.middle}});
  }
  return inputs;
}

ordered_json AxesJson(const Histogram& histogram) {
  ordered_json axes = ordered_json::array();
  for (const HistogramAxis& axis : histogram.axes) {
    ordered_json json = {{"name", axis.name}};
    if (axis.categories.empty()) {
      json["edges"] = axis.edges;
    } else {
      json["categories"] = axis.categories;
    }
    axes.push_back(std::move(json));
  }
  return axes;
}

ordered_json ReleaseJson(const Release& release) {
  const ReleaseContent& content = release.content();
  ordered_json inputs = InputsJson(content);
  for (size_t j = 0; j < content.inputs.size(); ++j) {
    const std::vector<std::string>& categories = CategoriesOf(content, j);
    if (!categories.empty()) inputs[j]["categories"] = categories;
  }
  ordered_json posteriors = ordered_json::array();
  for (const Posterior& posterior : content.posteriors) {
    posteriors.push_back({{"weight", posterior.weight},
                          {"kernel", posterior.kernel.ToString()},
                          {"noise_variance", posterior.noise_variance}});
  }
  ordered_json json;
  json["task"] = NameOf(content.task);
  if (!content.classes.empty()) json["classes"] = content.classes;
  json["inputs"] = std::move(inputs);
  json["output"] = content.output;
  json["method"] = content.method;
  json["design"] = content.design;
  json["released_numbers"] = NumbersReleased(content);
  json["released_parts"] = 1 + content.earlier_statistics.size();
  if (content.projection) {
    json["components"] = content.projection->directions.rows();
  }
  if (content.histogram) json["bins"] = content.histogram->count.size();
  if (content.link) json["link"] = NameOf(*content.link);
  json["basis_points"] = content.basis_points.rows();
  json["certified_gap"] = GapJson(content.certified_gap);
  json["posteriors"] = std::move(posteriors);
  json["privacy"] = PrivacyJson(content.privacy);
  json["privacy_in_words"] = release.PrivacyInWords();
  return json;
}

std::string JsonText(const ordered_json& json) {
  std::string text =
      json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  // Characters that turn the direction of writing (U+202A to U+202E and U+2066
  // to U+2069) are escaped, so that what is read is what is there.
  constexpr std::string_view kDirections[] = {"\u202a", "\u202b", "\u202c",
                                              "\u202d", "\u202e", "\u2066",
                                              "\u2067", "\u2068", "\u2069"};
  constexpr std::string_view kEscapes[] = {"\\u202a", "\\u202b", "\\u202c",
                                           "\\u202d", "\\u202e", "\\u2066",
                                           "\\u2067", "\\u2068", "\\u2069"};
  for (size_t i = 0; i < std::size(kDirections); ++i) {
    for (size_t place = 0;
         (place = text.find(kDirections[i], place)) != std::string::npos;) {
      text.replace(place, kDirections[i].size(), kEscapes[i]);
    }
  }
  return text;
}

}  // namespace cloak
