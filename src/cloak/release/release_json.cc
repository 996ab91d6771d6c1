#include "cloak/release/release_json.h"

#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cloak/release/privacy_json.h"

namespace cloak {

using nlohmann::ordered_json;

ordered_json GapJson(double certified_gap) {
  if (certified_gap < 0) return nullptr;
  return certified_gap;
}

ordered_json ReleaseJson(const Release& release) {
  const ReleaseContent& content = release.content();
  ordered_json inputs = ordered_json::array();
  for (const InputColumn& input : content.inputs) {
    inputs.push_back({{"name", input.name},
                      {"lower", input.lower},
                      {"upper", input.upper},
                      {"middle", input.middle}});
  }
  if (content.histogram) {
    for (size_t j = 0; j < content.histogram->axes.size(); ++j) {
      const std::vector<std::string>& categories =
          content.histogram->axes[j].categories;
      if (!categories.empty()) inputs[j]["categories"] = categories;
    }
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
