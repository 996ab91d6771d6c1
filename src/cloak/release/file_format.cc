#include "cloak/release/file_format.h"

#include <sodium.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/json_reader.h"
#include "cloak/release/json_stream.h"
#include "cloak/release/kind.h"
#include "cloak/release/known_fields.h"
#include "cloak/release/packed_rows.h"
#include "cloak/release/release_json.h"

namespace cloak {
namespace {

// Fields are written in the order given.
using Json = nlohmann::ordered_json;
using Reader = JsonReader;

constexpr std::string_view kFormat = "cloak-release";
constexpr std::string_view kChecksumPrefix = "sha256:";
constexpr size_t kDigits = size_t{2} * crypto_hash_sha256_BYTES;
// Each is more than the largest release has that the other rules allow, and
// together they bound the memory that reading a file takes.
constexpr JsonLimits kLimits = {.document = {.bytes = size_t{256} << 20,
                                             .longest_text = size_t{1} << 20,
                                             .nesting = 8},
                                .items = 25000,
                                .numbers = size_t{1} << 25,
                                .other_values = size_t{1} << 20,
                                .text_bytes = size_t{32} << 20};

ByteSource BytesOf(const std::string& text) {
  return [rest = std::string_view(text)](char* room, size_t size) mutable {
    const size_t count = rest.copy(room, size);
    rest.remove_prefix(count);
    return count;
  };
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

Json ToJson(const PackedRows& packed) {
  return {
      {"step", packed.step}, {"bytes", packed.bytes}, {"rows", packed.rows}};
}

Json ToJson(const Posterior& posterior) {
  return {{"weight", posterior.weight},
          {"kernel", posterior.kernel.ToString()},
          {"noise_variance", posterior.noise_variance},
          {"jitter", posterior.jitter},
          {"mean", ToJson(posterior.mean)},
          {"directions", ToJson(Pack(posterior.directions))},
          {"noise_parts", ToJson(posterior.noise_parts)}};
}

// A row of its own.
Json PackedJson(const Vector& vector) {
  return ToJson(Pack(vector.transpose()));
}

Json ToJson(const SiteStatistics& sites) {
  Json json = {{"points", ToJson(sites.points)}, {"rows", ToJson(sites.rows)}};
  if (sites.deviations.size() > 0) {
    json["deviations"] = ToJson(sites.deviations);
  }
  if (!sites.site_of_point.empty()) {
    json["site_of_point"] = sites.site_of_point;
  }
  if (sites.noise_variances.size() > 0) {
    json["noise_variances"] = ToJson(sites.noise_variances);
  }
  json["kernel"] = sites.kernel.ToString();
  json["noise_variance"] = sites.noise_variance;
  json["kernel_is_learned"] = sites.kernel_is_learned;
  json["noise_is_learned"] = sites.noise_is_learned;
  Json rounds = Json::array();
  for (const SiteRound& round : sites.rounds) {
    rounds.push_back({{"weights", ToJson(Pack(round.R))},
                      {"centre", PackedJson(round.centre)},
                      {"half_width", PackedJson(round.half_width)}});
  }
  json["rounds"] = std::move(rounds);
  return json;
}

Json ToJson(const ReleasedStatistic& statistic) {
  Json json;
  if (statistic.cost) {
    const StatisticCost& cost = *statistic.cost;
    json["of"] = cost.of;
    json["noise"] = NameOf(cost.noise);
    json["sensitivity"] = cost.sensitivity;
    json["noise_scale"] = cost.noise_scale;
    json[PriceName(cost.noise)] = cost.price;
    if (cost.with_next) json["with_next"] = true;
  }
  json["unit"] = statistic.step;
  json["units"] = statistic.integers;
  return json;
}

Json ToJson(const PrivacyStatement& privacy) {
  Json json = PrivacyJson(privacy);
  if (!privacy.event.empty()) json["event"] = privacy.event;
  return json;
}

Json ToJson(const Histogram& histogram) {
  return {{"axes", AxesJson(histogram)},
          {"count", ToJson(histogram.count)},
          {"sd", ToJson(histogram.sd)},
          {"lower", ToJson(histogram.lower)},
          {"upper", ToJson(histogram.upper)}};
}

// Version 3 has histograms, version 4 those in which rows may be missing, and
// version 5 posteriors whose directions are packed.
int VersionOf(const ReleaseContent& content) {
  if (!content.histogram) return 5;
  return content.earlier_statistics.empty() ? 3 : 4;
}

Json ToJson(const ReleaseContent& content) {
  Json posteriors = Json::array();
  for (const Posterior& posterior : content.posteriors) {
    posteriors.push_back(ToJson(posterior));
  }
  Json json = {{"format", kFormat},
               {"version", VersionOf(content)},
               {"checksum", Text(kChecksumPrefix, std::string(kDigits, '0'))},
               {"task", NameOf(content.task)}};
  if (!content.classes.empty()) json["classes"] = content.classes;
  json["method"] = content.method;
  json["design"] = content.design;
  json["certified_gap"] = content.certified_gap;
  json["inputs"] = InputsJson(content);
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
  if (content.link) json["link"] = NameOf(*content.link);
  json["basis_points"] = ToJson(content.basis_points);
  json["posteriors"] = std::move(posteriors);
  if (content.sites) json["sites"] = ToJson(*content.sites);
  if (!content.no_sites.empty()) json["no_sites"] = content.no_sites;
  if (content.inferred_anew) json["inferred_anew"] = true;
  return json;
}

// Throws InvalidInput that begins with `what` where the field has none of the
// names of a Kind.
template <typename Kind>
Kind Named(const Reader& reader, const std::string& what) {
  const std::string text = reader.String();
  for (const Kind kind : AllOf<Kind>()) {
    if (NameOf(kind) == text) return kind;
  }
  std::vector<std::string> names = NamesOfAll<Kind>();
  const std::string last = names.back();
  names.pop_back();
  throw InvalidInput(Text(what, " must be '", Join(names, "', '"), "' or '",
                          last, "', but is '", text, "'"));
}

// A file says by its method alone which unit its noise is in.
bool IsInHalfWidths(const ReleaseContent& content) {
  return content.privacy.protect == Protection::kRows &&
         content.method == "optimal" && KindOf(content.task).has_output;
}

PrivacyStatement ReadPrivacy(const Reader& reader) {
  PrivacyStatement privacy;
  privacy.protect =
      Named<Protection>(reader.At("protect"), "what is protected");
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

Matrix ReadPacked(const Reader& parent, const std::string& name,
                  Index columns) {
  const Reader reader = parent.At(name);
  PackedRows packed{reader.At("step").Number(), reader.At("bytes").Integer()};
  for (const Reader& row : reader.At("rows").Items()) {
    packed.rows.push_back(row.String());
  }
  return Unpack(packed, columns, reader.path());
}

// Before version 5, what was explained and noise were matrices of their own.
Posterior ReadPosterior(const Reader& reader, Index basis_size) {
  Posterior posterior;
  posterior.weight = reader.At("weight").Number();
  posterior.kernel = Kernel::Parse(reader.At("kernel").String());
  posterior.noise_variance = reader.At("noise_variance").Number();
  posterior.jitter = reader.At("jitter").Number();
  posterior.mean = reader.At("mean").Numbers();
  if (!reader.Has("directions")) {
    SetFactors(reader.At("explained").Rows(basis_size),
               reader.At("noise").Rows(basis_size), posterior);
    return posterior;
  }
  posterior.directions = ReadPacked(reader, "directions", basis_size);
  posterior.noise_parts = reader.At("noise_parts").Numbers();
  return posterior;
}

Vector ReadPackedRow(const Reader& parent, const std::string& name,
                     Index columns) {
  const Matrix rows = ReadPacked(parent, name, columns);
  RequireInput(rows.rows() == 1, "'", parent.path(), ".", name,
               "' must have one row");
  return rows.row(0);
}

SiteStatistics ReadSites(const Reader& reader, Index dimension) {
  SiteStatistics sites;
  sites.points = reader.At("points").Rows(dimension);
  sites.rows = reader.At("rows").Numbers();
  if (reader.Has("deviations")) {
    sites.deviations = reader.At("deviations").Rows(dimension);
  }
  Index count = sites.points.rows();
  if (reader.Has("site_of_point")) {
    count = 0;
    for (const Reader& site : reader.At("site_of_point").Items()) {
      sites.site_of_point.push_back(site.Integer());
      count = std::max(count, sites.site_of_point.back() + 1);
    }
    RequireInput(count <= sites.points.rows(), "'", reader.path(),
                 ".site_of_point' has more sites than there are points");
  }
  if (reader.Has("noise_variances")) {
    sites.noise_variances = reader.At("noise_variances").Numbers();
  }
  sites.kernel = Kernel::Parse(reader.At("kernel").String());
  sites.noise_variance = reader.At("noise_variance").Number();
  sites.kernel_is_learned = reader.At("kernel_is_learned").Boolean();
  sites.noise_is_learned = reader.At("noise_is_learned").Boolean();
  for (const Reader& round : reader.At("rounds").Items()) {
    sites.rounds.push_back({ReadPacked(round, "weights", count),
                            ReadPackedRow(round, "centre", count),
                            ReadPackedRow(round, "half_width", count)});
  }
  return sites;
}

StatisticCost ReadCost(const Reader& reader) {
  StatisticCost cost;
  cost.of = reader.At("of").String();
  cost.noise = Named<NoiseKind>(
      reader.At("noise"), Text("the noise of the statistic '", cost.of, "'"));
  cost.sensitivity = reader.At("sensitivity").Number();
  cost.noise_scale = reader.At("noise_scale").Number();
  cost.price = reader.At(PriceName(cost.noise)).Number();
  cost.with_next = reader.Has("with_next") && reader.At("with_next").Boolean();
  return cost;
}

ReleasedStatistic ReadStatistic(const Reader& reader) {
  ReleasedStatistic statistic;
  // Older files do not say what a statistic costs.
  if (reader.Has("of")) statistic.cost = ReadCost(reader);
  statistic.step = reader.At("unit").Number();
  for (const Reader& units : reader.At("units").Items()) {
    statistic.integers.push_back(units.String());
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

ReleaseContent ReadContent(const JsonValue& json) {
  const Reader reader(json, "");
  ReleaseContent content;
  content.task = Named<TaskKind>(reader.At("task"), "the task");
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
  content.privacy.in_half_widths = IsInHalfWidths(content);
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
  if (reader.Has("link")) {
    content.link =
        Named<DensityLink>(reader.At("link"), "the link of a density");
  }
  content.basis_points = reader.At("basis_points").Rows(columns);
  for (const Reader& posterior : reader.At("posteriors").Items()) {
    content.posteriors.push_back(
        ReadPosterior(posterior, content.basis_points.rows()));
  }
  if (reader.Has("sites")) {
    content.sites = ReadSites(reader.At("sites"), columns);
  }
  if (reader.Has("no_sites")) {
    content.no_sites = reader.At("no_sites").String();
  }
  content.inferred_anew =
      reader.Has("inferred_anew") && reader.At("inferred_anew").Boolean();
  return content;
}

void CheckIdentity(const JsonValue& json) {
  const JsonValue* const format = json.Find("format");
  RequireInput(format != nullptr && format->Is<std::string>() &&
                   format->As<std::string>() == kFormat,
               "it is not a Cloak release");
  const Index version = Reader(json, "").At("version").Integer();
  RequireInput(version >= 1, "its version is ", version);
  RequireInput(version <= kFileVersion,
               "it was written by a newer Cloak (file version ", version,
               "; this program reads up to ", kFileVersion,
               "): update this program");
}

// The checksum is the SHA-256 of the file with its own digits replaced by
// zeros, so that sed and sha256sum can verify it too.
JsonValue ReadSealed(const ByteSource& source) {
  SealedBytes bytes(source);
  std::string digits;
  const auto on_checksum = [&bytes, &digits](const std::string& checksum) {
    if (checksum.size() != kChecksumPrefix.size() + kDigits ||
        !checksum.starts_with(kChecksumPrefix)) {
      return;
    }
    const std::string found = checksum.substr(kChecksumPrefix.size());
    if (bytes.BlankDigits(found)) digits = found;
  };
  JsonValue json =
      ReadJsonStream(bytes, {kKnownFields, "checksum", on_checksum}, kLimits);
  // The parser takes a zero byte for the end.
  RequireInput(bytes.AtEnd(), "it goes on after its end");
  CheckIdentity(json);
  Reader(json, "").At("checksum");
  RequireInput(!digits.empty(), "its checksum is malformed");
  RequireInput(
      digits == bytes.Hash(),
      "it was altered or damaged after it was written (its checksum does not "
      "fit): get a fresh copy");
  return json;
}

}  // namespace

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
  SealedBytes bytes(BytesOf(text));
  while (!bytes.AtEnd()) bytes.Advance();
  text.replace(place, kDigits, bytes.Hash());
  return text;
}

Release ReleaseFromJson(const std::string& json, const std::string& name) {
  return ReadRelease(BytesOf(json), name);
}

Release ReadRelease(const ByteSource& source, const std::string& name) {
  try {
    return Release(ReadContent(ReadSealed(source)));
  } catch (const std::bad_alloc&) {
    throw InvalidInput(Text("'", name,
                            "' cannot be used as a release: there is not "
                            "enough memory for what is in it"));
  } catch (const InvalidInput& error) {
    throw InvalidInput(
        Text("'", name, "' cannot be used as a release: ", error.what()));
  }
}

}  // namespace cloak
