#include "cloak/release/file_format.h"

#include <sodium.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/privacy_json.h"

namespace cloak {
namespace {

// Fields are written in the order given, and looked up quickly when read.
using Json = nlohmann::ordered_json;
using ParsedJson = nlohmann::json;

constexpr std::string_view kFormat = "cloak-release";
constexpr std::string_view kChecksumPrefix = "sha256:";
constexpr size_t kDigits = size_t{2} * crypto_hash_sha256_BYTES;
constexpr size_t kMostBytes = size_t{256} << 20;
constexpr int kMostNesting = 8;
constexpr size_t kMostItems = 25000;

// SHA-256 of the file with the digits of the checksum itself replaced by
// zeros, so that sed and sha256sum can verify it too.
std::string Checksum(const std::string& json) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(),
                     reinterpret_cast<const unsigned char*>(json.data()),
                     json.size());
  std::string digits(kDigits + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), hash.data(), hash.size());
  digits.resize(kDigits);
  return digits;
}

Json ToJson(const Vector& vector) {
  return std::vector<double>(vector.begin(), vector.end());
}

Json ToJson(const Matrix& matrix) {
  Json rows = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) {
    rows.push_back(ToJson(Vector(matrix.row(i))));
  }
  return rows;
}

Json ToJson(const Posterior& posterior) {
  return {{"weight", posterior.weight},
          {"kernel", posterior.kernel.ToString()},
          {"noise_variance", posterior.noise_variance},
          {"jitter", posterior.jitter},
          {"mean", ToJson(posterior.mean)},
          {"explained", ToJson(posterior.explained)},
          {"noise", ToJson(posterior.noise)}};
}

// What the price of a noise is called.
std::string_view PriceName(const std::string& noise) {
  return noise == "laplace" ? "epsilon" : "mu";
}

Json ToJson(const ReleasedStatistic& statistic) {
  Json json;
  if (statistic.cost) {
    const StatisticCost& cost = *statistic.cost;
    json["of"] = cost.of;
    json["noise"] = cost.noise;
    json["sensitivity"] = cost.sensitivity;
    json["noise_scale"] = cost.noise_scale;
    json[std::string(PriceName(cost.noise))] = cost.price;
    if (cost.with_next) json["with_next"] = true;
  }
  json["unit"] = statistic.unit;
  json["units"] = statistic.units;
  return json;
}

Json ToJson(const PrivacyStatement& privacy) {
  Json json = PrivacyJson(privacy);
  if (!privacy.event.empty()) json["event"] = privacy.event;
  return json;
}

Json ToJson(const Histogram& histogram) {
  Json axes = Json::array();
  for (const HistogramAxis& axis : histogram.axes) {
    Json json = {{"name", axis.name}};
    if (axis.categories.empty()) {
      json["edges"] = axis.edges;
    } else {
      json["categories"] = axis.categories;
    }
    axes.push_back(std::move(json));
  }
  return {{"axes", std::move(axes)},
          {"count", ToJson(histogram.count)},
          {"sd", ToJson(histogram.sd)},
          {"lower", ToJson(histogram.lower)},
          {"upper", ToJson(histogram.upper)}};
}

// Version 2 has classes, earlier statistics and projections; version 3
// histograms, densities and machines.
int VersionOf(const ReleaseContent& content) {
  if (content.histogram || !content.link.empty() || content.task == "svm") {
    return 3;
  }
  return content.classes.empty() && content.earlier_statistics.empty() &&
                 !content.projection
             ? 1
             : 2;
}

Json ToJson(const ReleaseContent& content) {
  Json inputs = Json::array();
  for (const InputColumn& input : content.inputs) {
    inputs.push_back({{"name", input.name},
                      {"lower", input.lower},
                      {"upper", input.upper},
                      {"middle", input.middle}});
  }
  Json posteriors = Json::array();
  for (const Posterior& posterior : content.posteriors) {
    posteriors.push_back(ToJson(posterior));
  }
  Json json = {{"format", kFormat},
               {"version", VersionOf(content)},
               {"checksum", Text(kChecksumPrefix, std::string(kDigits, '0'))},
               {"task", content.task}};
  if (!content.classes.empty()) json["classes"] = content.classes;
  json["method"] = content.method;
  json["design"] = content.design;
  json["certified_gap"] = content.certified_gap;
  json["inputs"] = std::move(inputs);
  json["output"] = content.output;
  json["offset"] = content.offset;
  json["privacy"] = ToJson(content.privacy);
  if (!content.earlier_statistics.empty()) {
    Json earlier = Json::array();
    for (const ReleasedStatistic& statistic : content.earlier_statistics) {
      earlier.push_back(ToJson(statistic));
    }
    json["earlier_statistics"] = std::move(earlier);
  }
  json["statistic"] = ToJson(content.statistic);
  if (content.projection) {
    json["projection"] = {
        {"centre", ToJson(content.projection->centre)},
        {"directions", ToJson(content.projection->directions)}};
  }
  if (content.histogram) {
    json["histogram"] = ToJson(*content.histogram);
    return json;
  }
  if (!content.link.empty()) json["link"] = content.link;
  json["basis_points"] = ToJson(content.basis_points);
  json["posteriors"] = std::move(posteriors);
  return json;
}

// A field of an object, by path for messages, with its type checked by `get`.
class Reader {
 public:
  Reader(const ParsedJson& json, std::string path)
      : json_(json), path_(std::move(path)) {}

  Reader At(const std::string& key) const {
    RequireInput(Has(key), Text("the field '", Child(key), "' is missing"));
    return {json_.at(key), Child(key)};
  }

  bool Has(const std::string& key) const {
    return json_.is_object() && json_.contains(key);
  }

  std::vector<Reader> Items() const {
    RequireInput(json_.is_array(), Text("'", path_, "' must be a list"));
    RequireInput(json_.size() <= kMostItems,
                 Text("'", path_, "' must have at most ", kMostItems,
                      " items, but has ", json_.size()));
    std::vector<Reader> items;
    for (size_t i = 0; i < json_.size(); ++i) {
      items.emplace_back(json_[i], Text(path_, "[", i, "]"));
    }
    return items;
  }

  std::string String() const {
    RequireInput(json_.is_string(), Text("'", path_, "' must be text"));
    return json_.get<std::string>();
  }

  double Number() const {
    RequireInput(json_.is_number(), Text("'", path_, "' must be a number"));
    return json_.get<double>();
  }

  bool Boolean() const {
    RequireInput(json_.is_boolean(),
                 Text("'", path_, "' must be true or false"));
    return json_.get<bool>();
  }

  Index Integer() const {
    RequireInput(json_.is_number_integer() &&
                     (!json_.is_number_unsigned() ||
                      json_.get<uint64_t>() <= (uint64_t{1} << 53)),
                 Text("'", path_, "' must be a whole number"));
    return json_.get<Index>();
  }

  Vector Numbers() const {
    RequireInput(json_.is_array(), Text("'", path_, "' must be a list"));
    Vector vector(static_cast<Index>(json_.size()));
    Index i = 0;
    for (const ParsedJson& item : json_) {
      RequireInput(item.is_number(),
                   Text("'", path_, "' must be a list of numbers"));
      vector(i++) = item.get<double>();
    }
    return vector;
  }

  // Rows of equal length; `columns` of them when there is no row.
  Matrix Rows(Index columns) const {
    const std::vector<Reader> items = Items();
    // Before there is room for them, which many short rows would not fill.
    for (const Reader& item : items) {
      RequireInput(static_cast<Index>(item.json_.size()) == columns,
                   Text("'", item.path_, "' must have ", columns,
                        " numbers, but has ", item.json_.size()));
    }
    Matrix matrix(static_cast<Index>(items.size()), columns);
    for (size_t i = 0; i < items.size(); ++i) {
      matrix.row(static_cast<Index>(i)) = items[i].Numbers();
    }
    return matrix;
  }

 private:
  std::string Child(const std::string& key) const {
    return path_.empty() ? key : Text(path_, ".", key);
  }

  const ParsedJson& json_;
  std::string path_;
};

PrivacyStatement ReadPrivacy(const Reader& reader) {
  PrivacyStatement privacy;
  privacy.protect = reader.At("protect").String();
  privacy.epsilon = reader.At("epsilon").Number();
  privacy.delta = reader.At("delta").Number();
  privacy.rows = reader.At("rows").Integer();
  // Absent where every row is a unit of its own.
  if (reader.Has("unit") || reader.Has("units")) {
    privacy.unit = reader.At("unit").String();
    privacy.units = reader.At("units").Integer();
    RequireInput(!privacy.unit.empty(), "'privacy.unit' must not be empty");
  }
  const Vector bounds = reader.At("bounds").Numbers();
  RequireInput(bounds.size() == 2, "'privacy.bounds' must be two numbers");
  privacy.lower = bounds(0);
  privacy.upper = bounds(1);
  privacy.mechanism = reader.At("mechanism").String();
  privacy.sensitivity = reader.At("sensitivity").Number();
  privacy.noise_sd = reader.At("noise_sd").Number();
  if (reader.Has("event")) privacy.event = reader.At("event").String();
  return privacy;
}

Posterior ReadPosterior(const Reader& reader, Index basis_size) {
  Posterior posterior;
  posterior.weight = reader.At("weight").Number();
  posterior.kernel = Kernel::Parse(reader.At("kernel").String());
  posterior.noise_variance = reader.At("noise_variance").Number();
  posterior.jitter = reader.At("jitter").Number();
  posterior.mean = reader.At("mean").Numbers();
  posterior.explained = reader.At("explained").Rows(basis_size);
  posterior.noise = reader.At("noise").Rows(basis_size);
  return posterior;
}

StatisticCost ReadCost(const Reader& reader) {
  StatisticCost cost;
  cost.of = reader.At("of").String();
  cost.noise = reader.At("noise").String();
  cost.sensitivity = reader.At("sensitivity").Number();
  cost.noise_scale = reader.At("noise_scale").Number();
  cost.price = reader.At(std::string(PriceName(cost.noise))).Number();
  cost.with_next = reader.Has("with_next") && reader.At("with_next").Boolean();
  return cost;
}

ReleasedStatistic ReadStatistic(const Reader& reader) {
  ReleasedStatistic statistic;
  // Older files do not say what a statistic costs.
  if (reader.Has("of")) statistic.cost = ReadCost(reader);
  statistic.unit = reader.At("unit").Number();
  for (const Reader& units : reader.At("units").Items()) {
    statistic.units.push_back(units.String());
  }
  return statistic;
}

Histogram ReadHistogram(const Reader& reader) {
  Histogram histogram;
  for (const Reader& item : reader.At("axes").Items()) {
    HistogramAxis axis{item.At("name").String()};
    if (item.Has("categories")) {
      for (const Reader& name : item.At("categories").Items()) {
        axis.categories.push_back(name.String());
      }
    } else {
      const Vector edges = item.At("edges").Numbers();
      axis.edges.assign(edges.begin(), edges.end());
    }
    histogram.axes.push_back(std::move(axis));
  }
  histogram.count = reader.At("count").Numbers();
  histogram.sd = reader.At("sd").Numbers();
  histogram.lower = reader.At("lower").Numbers();
  histogram.upper = reader.At("upper").Numbers();
  return histogram;
}

ReleaseContent ReadContent(const ParsedJson& json) {
  const Reader reader(json, "");
  ReleaseContent content;
  content.task = reader.At("task").String();
  if (reader.Has("classes")) {
    for (const Reader& name : reader.At("classes").Items()) {
      content.classes.push_back(name.String());
    }
  }
  content.method = reader.At("method").String();
  content.design = reader.At("design").String();
  content.certified_gap = reader.At("certified_gap").Number();
  for (const Reader& input : reader.At("inputs").Items()) {
    content.inputs.push_back(
        {input.At("name").String(), input.At("lower").Number(),
         input.At("upper").Number(), input.At("middle").Number()});
  }
  content.output = reader.At("output").String();
  content.offset = reader.At("offset").Number();
  content.privacy = ReadPrivacy(reader.At("privacy"));
  if (reader.Has("earlier_statistics")) {
    for (const Reader& earlier : reader.At("earlier_statistics").Items()) {
      content.earlier_statistics.push_back(ReadStatistic(earlier));
    }
  }
  content.statistic = ReadStatistic(reader.At("statistic"));
  auto columns = static_cast<Index>(content.inputs.size());
  if (reader.Has("projection")) {
    const Reader projection = reader.At("projection");
    content.projection = {projection.At("centre").Numbers(),
                          projection.At("directions").Rows(columns)};
    columns = content.projection->directions.rows();
  }
  if (reader.Has("histogram")) {
    content.histogram = ReadHistogram(reader.At("histogram"));
    return content;
  }
  if (reader.Has("link")) content.link = reader.At("link").String();
  content.basis_points = reader.At("basis_points").Rows(columns);
  for (const Reader& posterior : reader.At("posteriors").Items()) {
    content.posteriors.push_back(
        ReadPosterior(posterior, content.basis_points.rows()));
  }
  return content;
}

ParsedJson ParseJson(const std::string& text) {
  RequireInput(text.size() <= kMostBytes, Text("it has ", text.size(),
                                               " bytes, and a release has at "
                                               "most ",
                                               kMostBytes));
  const auto limit_nesting = [](int depth, ParsedJson::parse_event_t,
                                ParsedJson&) {
    RequireInput(depth <= kMostNesting, "it is nested too deeply");
    return true;
  };
  try {
    return ParsedJson::parse(text, limit_nesting);
  } catch (const ParsedJson::parse_error& error) {
    throw InvalidInput(
        Text(error.byte >= text.size()
                 ? "it is cut short: it ends in the middle at byte "
                 : "it is not JSON from byte ",
             error.byte, " on; get a fresh copy"));
  } catch (const ParsedJson::out_of_range&) {
    throw InvalidInput("it has a number that is too large");
  }
}

void CheckIdentity(const ParsedJson& json, const std::string& text) {
  RequireInput(
      json.is_object() && json.contains("format") && json["format"] == kFormat,
      "it is not a Cloak release");
  const Index version = Reader(json, "").At("version").Integer();
  RequireInput(version >= 1, Text("its version is ", version));
  RequireInput(version <= kFileVersion,
               Text("it was written by a newer Cloak (file version ", version,
                    "; this program reads up to ", kFileVersion,
                    "): update this program"));
  const std::string checksum = Reader(json, "").At("checksum").String();
  const size_t place = text.find(checksum);
  RequireInput(checksum.starts_with(kChecksumPrefix) &&
                   checksum.size() == kChecksumPrefix.size() + kDigits &&
                   place != std::string::npos,
               "its checksum is malformed");
  std::string blank = text;
  blank.replace(place + kChecksumPrefix.size(), kDigits, kDigits, '0');
  RequireInput(
      checksum.substr(kChecksumPrefix.size()) == Checksum(blank),
      "it was altered or damaged after it was written (its checksum does not "
      "fit): get a fresh copy");
}

}  // namespace

Json PrivacyJson(const PrivacyStatement& privacy) {
  Json json = {{"protect", privacy.protect},
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

std::string ReleaseToJson(const Release& release) {
  // One line for each field at the top: compact, and still easy to look at.
  const Json json = ToJson(release.content());
  std::string text = "{";
  for (const auto& [key, value] : json.items()) {
    text += Text(text.size() > 1 ? ",\n" : "\n", Json(key).dump(), ": ",
                 value.dump());
  }
  text += "\n}\n";
  const size_t place = text.find(kChecksumPrefix) + kChecksumPrefix.size();
  text.replace(place, kDigits, Checksum(text));
  return text;
}

Release ReleaseFromJson(const std::string& json, const std::string& name) {
  try {
    const ParsedJson parsed = ParseJson(json);
    CheckIdentity(parsed, json);
    return Release(ReadContent(parsed));
  } catch (const InvalidInput& error) {
    throw InvalidInput(
        Text("'", name, "' cannot be used as a release: ", error.what()));
  }
}

}  // namespace cloak
