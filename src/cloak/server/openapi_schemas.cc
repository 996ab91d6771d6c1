#include "cloak/server/openapi_schemas.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cloak/release/kind.h"
#include "cloak/release/names.h"
#include "cloak/server/api.h"

namespace cloak {
namespace {

using nlohmann::ordered_json;

const ordered_json kNumberSchema = {{"type", "number"}};
const ordered_json kStringSchema = {{"type", "string"}};
const ordered_json kBooleanSchema = {{"type", "boolean"}};
// A number that is too large for a double, or was never made, is null.
const ordered_json kNullableNumber = {{"type", "number"}, {"nullable", true}};

ordered_json ListOf(const ordered_json& items) {
  return {{"type", "array"}, {"items", items}};
}

ordered_json ListOf(const ordered_json& items, Index fewest, Index most) {
  ordered_json list = ListOf(items);
  list["minItems"] = fewest;
  list["maxItems"] = most;
  return list;
}

ordered_json WholeNumber(uint64_t least) {
  return {{"type", "integer"}, {"minimum", least}};
}

ordered_json WholeNumber(uint64_t least, uint64_t most) {
  ordered_json schema = WholeNumber(least);
  schema["maximum"] = most;
  return schema;
}

ordered_json MapOf(const ordered_json& values) {
  return {{"type", "object"}, {"additionalProperties", values}};
}

ordered_json ObjectOf(const ordered_json& properties,
                      const std::vector<std::string>& required) {
  ordered_json object = {{"type", "object"}, {"properties", properties}};
  if (!required.empty()) object["required"] = required;
  return object;
}

ordered_json OneOfWords(const std::vector<std::string>& words) {
  return {{"type", "string"}, {"enum", words}};
}

ordered_json TaskSchema() { return OneOfWords(NamesOfAll<TaskKind>()); }

ordered_json Described(ordered_json schema, const std::string& description) {
  schema["description"] = description;
  return schema;
}

// Returns the columns of answers; which of them there are depends on the task.
ordered_json AnswerProperties() {
  ordered_json properties;
  for (const char* const name :
       {"mean", "sd", "lower", "upper", "privacy_sd", "probability", "margin",
        "count", "fraction", "density"}) {
    properties[name] = ListOf(kNullableNumber);
  }
  properties["class"] = ListOf(kStringSchema);
  return properties;
}

ordered_json InputSchema() {
  return ObjectOf({{"name", kStringSchema},
                   {"lower", kNumberSchema},
                   {"upper", kNumberSchema},
                   {"middle", kNumberSchema},
                   {"categories", ListOf(kStringSchema)}},
                  {"name", "lower", "upper", "middle"});
}

ordered_json PrivacySchema() {
  return ObjectOf({{"protect", OneOfWords(NamesOfAll<Protection>())},
                   {"epsilon", kNumberSchema},
                   {"delta", kNumberSchema},
                   {"rows", WholeNumber(1)},
                   {"unit", kStringSchema},
                   {"units", WholeNumber(1)},
                   {"bounds", ListOf(kNumberSchema, 2, 2)},
                   {"mechanism", kStringSchema},
                   {"sensitivity", kNumberSchema},
                   {"noise_sd", kNumberSchema}},
                  {"protect", "epsilon", "delta", "rows", "bounds", "mechanism",
                   "sensitivity", "noise_sd"});
}

ordered_json ReleaseSchema() {
  const ordered_json posterior =
      ObjectOf({{"weight", kNumberSchema},
                {"kernel", kStringSchema},
                {"noise_variance", kNumberSchema}},
               {"weight", "kernel", "noise_variance"});
  return ObjectOf(
      {{"name", kStringSchema},
       {"task", TaskSchema()},
       {"classes", ListOf(kStringSchema, 2, 2)},
       {"inputs", ListOf(InputSchema())},
       {"output", kStringSchema},
       {"method", kStringSchema},
       {"design", kStringSchema},
       {"released_numbers", WholeNumber(0)},
       {"released_parts", WholeNumber(1)},
       {"components", WholeNumber(1)},
       {"bins", WholeNumber(1)},
       {"link", OneOfWords(NamesOfAll<DensityLink>())},
       {"basis_points", WholeNumber(0)},
       {"certified_gap",
        Described(kNullableNumber, "null where nothing was certified")},
       {"posteriors", ListOf(posterior)},
       {"privacy", PrivacySchema()},
       {"privacy_in_words", kStringSchema}},
      {"name", "task", "inputs", "output", "method", "design",
       "released_numbers", "released_parts", "basis_points", "certified_gap",
       "posteriors", "privacy", "privacy_in_words"});
}

ordered_json ReleaseListSchema() {
  const ordered_json summary = ObjectOf(
      {{"name", kStringSchema},
       {"task", TaskSchema()},
       {"inputs", ListOf(kStringSchema)},
       {"output", kStringSchema},
       {"protect", OneOfWords(NamesOfAll<Protection>())},
       {"epsilon", kNumberSchema},
       {"delta", kNumberSchema}},
      {"name", "task", "inputs", "output", "protect", "epsilon", "delta"});
  return ObjectOf({{"releases", ListOf(summary)}}, {"releases"});
}

// A category of a histogram is given by its name.
ordered_json RowsSchema(Index most) {
  const ordered_json cell = {{"oneOf", {kNumberSchema, kStringSchema}}};
  const ordered_json row = {{"oneOf", {ListOf(cell), MapOf(cell)}}};
  return ListOf(row, 0, most);
}

ordered_json QuerySchema(Index most_rows) {
  return ObjectOf(
      {{"rows", RowsSchema(most_rows)},
       {"interval", IntervalSchema()},
       {"latent",
        Described(kBooleanSchema,
                  "The function itself, without the noise of an observation; "
                  "of regressions alone")}},
      {"rows"});
}

ordered_json SampleQuerySchema(const ApiLimits& limits) {
  ordered_json query = QuerySchema(limits.sampled_rows);
  query["properties"]["count"] =
      Described(WholeNumber(1, static_cast<uint64_t>(limits.samples)),
                "How many functions are drawn; rows times count is at most " +
                    std::to_string(limits.samples));
  query["properties"]["seed"] = Described(
      WholeNumber(0, UINT64_MAX), "The same one draws the same functions");
  return query;
}

ordered_json PlotRequestSchema(const ApiLimits& limits) {
  return ObjectOf(
      {{"inputs", ListOf(kStringSchema, 1, 2)},
       {"points",
        Described(WholeNumber(2, static_cast<uint64_t>(limits.curve_points)),
                  "Along each axis; with two inputs at most " +
                      std::to_string(limits.map_points))},
       {"at", MapOf(kNumberSchema)}},
      {});
}

std::vector<std::string> PlotKinds() {
  std::vector<std::string> kinds;
  for (const TaskKind task : AllOf<TaskKind>()) {
    for (const char* const plot : KindOf(task).plots) {
      if (kinds.empty() || kinds.back() != plot) kinds.emplace_back(plot);
    }
  }
  return kinds;
}

ordered_json PlotSchema() {
  ordered_json drawn = AnswerProperties();
  for (const char* const name : {"privacy_lower", "privacy_upper"}) {
    drawn[name] = ListOf(kNullableNumber);
  }
  // An axis is a grid, or the bins of a histogram, which has counts instead of
  // a function.
  const ordered_json bins = ObjectOf({{"name", kStringSchema},
                                      {"edges", ListOf(kNumberSchema)},
                                      {"categories", ListOf(kStringSchema)}},
                                     {"name"});
  const ordered_json axis = {{"oneOf", {ListOf(kNumberSchema), bins}}};
  return ObjectOf({{"release", kStringSchema},
                   {"kind", OneOfWords(PlotKinds())},
                   {"inputs", ListOf(kStringSchema)},
                   {"axes", ListOf(axis)},
                   {"at", MapOf(kNumberSchema)},
                   {"function", ObjectOf(drawn, {})},
                   {"observation", ObjectOf(AnswerProperties(), {})},
                   {"count", ListOf(kNullableNumber)},
                   {"sd", ListOf(kNullableNumber)},
                   {"lower", ListOf(kNullableNumber)},
                   {"upper", ListOf(kNullableNumber)}},
                  {"release", "kind", "axes"});
}

}  // namespace

ordered_json IntervalSchema() {
  return {{"type", "number"},
          {"minimum", 0},
          {"exclusiveMinimum", true},
          {"maximum", 1},
          {"exclusiveMaximum", true},
          {"default", 0.95},
          {"description", "The probability from lower to upper"}};
}

ordered_json OpenApiSchemas(const ApiLimits& limits) {
  ordered_json schemas;
  schemas["Error"] =
      ObjectOf({{"error", ObjectOf({{"code", kStringSchema},
                                    {"message", kStringSchema},
                                    {"hint", kStringSchema}},
                                   {"code", "message", "hint"})}},
               {"error"});
  schemas["Health"] =
      ObjectOf({{"status", OneOfWords({"ok", "degraded"})},
                {"releases", WholeNumber(0)},
                {"problem", Described(kStringSchema, "Unless all is well")}},
               {"status", "releases"});
  schemas["Ready"] = ObjectOf({{"ready", kBooleanSchema}}, {"ready"});
  schemas["ReleaseList"] = ReleaseListSchema();
  schemas["Release"] = ReleaseSchema();
  schemas["Query"] = QuerySchema(limits.rows);
  schemas["SampleQuery"] = SampleQuerySchema(limits);
  ordered_json predictions = {{"release", kStringSchema},
                              {"rows", WholeNumber(0)}};
  predictions.update(AnswerProperties());
  predictions["outside"] = Described(
      ListOf(WholeNumber(0, 1)),
      "1 where an input of the row lies outside the range of the release");
  schemas["Predictions"] = ObjectOf(predictions, {"release", "rows"});
  schemas["Samples"] = ObjectOf({{"release", kStringSchema},
                                 {"samples", ListOf(ListOf(kNullableNumber))}},
                                {"release", "samples"});
  schemas["PlotRequest"] = PlotRequestSchema(limits);
  schemas["Plot"] = PlotSchema();
  return schemas;
}

}  // namespace cloak
