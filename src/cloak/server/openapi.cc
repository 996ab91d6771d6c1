#include "cloak/server/openapi.h"

#include <nlohmann/json.hpp>

namespace cloak {
namespace {

using nlohmann::ordered_json;

ordered_json Ref(const std::string& schema) {
  return {{"$ref", "#/components/schemas/" + schema}};
}

ordered_json ArrayOf(const ordered_json& items) {
  return {{"type", "array"}, {"items", items}};
}

const ordered_json kNumber = {{"type", "number"}};
const ordered_json kString = {{"type", "string"}};
const ordered_json kInteger = {{"type", "integer"}};

ordered_json Content(const std::string& type, const ordered_json& schema) {
  return {{type, {{"schema", schema}}}};
}

ordered_json Object(const ordered_json& properties,
                    const std::vector<std::string>& required) {
  ordered_json object = {{"type", "object"}, {"properties", properties}};
  if (!required.empty()) object["required"] = required;
  return object;
}

ordered_json Operation(const std::string& summary, const ordered_json& content,
                       bool named) {
  ordered_json operation;
  operation["summary"] = summary;
  if (named) {
    operation["parameters"] = ordered_json::array(
        {ordered_json::object({{"name", "name"},
                               {"in", "path"},
                               {"required", true},
                               {"description", "A release of the list"},
                               {"schema", kString}})});
  }
  operation["responses"] = {
      {"200", {{"description", "The answer"}, {"content", content}}},
      {"default",
       {{"description", "What is wrong, and what to do"},
        {"content", Content("application/json", Ref("Error"))}}}};
  return operation;
}

ordered_json Open(ordered_json operation) {
  operation["security"] = ordered_json::array();
  return operation;
}

ordered_json WithBody(ordered_json operation, const ordered_json& content) {
  operation["requestBody"] = {{"required", true}, {"content", content}};
  return operation;
}

ordered_json PredictOperation() {
  ordered_json answer = Content("application/json", Ref("Predictions"));
  answer.update(Content("text/csv", kString));
  ordered_json body = Content("application/json", Ref("Query"));
  body.update(Content("text/csv", kString));
  ordered_json operation = WithBody(
      Operation("Predict: rows as JSON, or a CSV table that comes back with "
                "the predictions added",
                answer, true),
      body);
  operation["parameters"].push_back(
      {{"name", "interval"},
       {"in", "query"},
       {"description", "With CSV: the probability from lower to upper"},
       {"schema", kNumber}});
  operation["parameters"].push_back(
      {{"name", "latent"},
       {"in", "query"},
       {"description",
        "With CSV: true for the function itself, without the noise of an "
        "observation"},
       {"schema", {{"type", "boolean"}}}});
  return operation;
}

ordered_json Paths() {
  const auto json = [](const std::string& schema) {
    return Content("application/json", Ref(schema));
  };
  const std::string release = "/api/v1/releases/{name}";
  ordered_json paths;
  paths["/"]["get"] =
      Open(Operation("The web page", Content("text/html", kString), false));
  paths["/health"]["get"] =
      Open(Operation("Whether the server answers", json("Health"), false));
  paths["/metrics"]["get"] = Operation("Counts and times for Prometheus",
                                       Content("text/plain", kString), false);
  paths["/openapi.json"]["get"] =
      Open(Operation("This document",
                     Content("application/json", {{"type", "object"}}), false));
  paths["/api/v1/releases"]["get"] =
      Operation("The releases there are", json("ReleaseList"), false);
  paths[release]["get"] = Operation(
      "What a release says of itself, and how private it is, in "
      "figures and in words",
      json("Release"), true);
  paths[release + "/predict"]["post"] = PredictOperation();
  paths[release + "/samples"]["post"] = WithBody(
      Operation("Functions drawn from the joint predictive distribution (of "
                "the log odds, for classes)",
                json("Samples"), true),
      json("Query"));
  paths[release + "/plot"]["post"] =
      WithBody(Operation("The release on a grid over one input or two",
                         json("Plot"), true),
               json("PlotRequest"));
  return paths;
}

ordered_json Columns() {
  ordered_json properties;
  for (const char* const name :
       {"mean", "sd", "lower", "upper", "privacy_sd", "probability", "margin",
        "count", "fraction", "density"}) {
    properties[name] = ArrayOf(kNumber);
  }
  properties["class"] = ArrayOf(kString);
  return properties;
}

ordered_json Schemas() {
  ordered_json schemas;
  schemas["Error"] = Object(
      {{"error",
        Object({{"code", kString}, {"message", kString}, {"hint", kString}},
               {"code", "message", "hint"})}},
      {"error"});
  schemas["Health"] = Object({{"status", kString}, {"releases", kInteger}},
                             {"status", "releases"});
  schemas["ReleaseList"] =
      Object({{"releases", ArrayOf(Object({{"name", kString},
                                           {"task", kString},
                                           {"inputs", ArrayOf(kString)},
                                           {"output", kString},
                                           {"protect", kString},
                                           {"epsilon", kNumber},
                                           {"delta", kNumber}},
                                          {"name", "task", "inputs", "output",
                                           "protect", "epsilon", "delta"}))}},
             {"releases"});
  schemas["Release"] = Object(
      {{"name", kString},
       {"task", kString},
       {"inputs", ArrayOf({{"type", "object"}})},
       {"output", kString},
       {"privacy", {{"type", "object"}}},
       {"privacy_in_words", kString}},
      {"name", "task", "inputs", "output", "privacy", "privacy_in_words"});
  // A category of a histogram is given by its name.
  const ordered_json cell = {{"oneOf", {kNumber, kString}}};
  const ordered_json row = {
      {"oneOf",
       {ArrayOf(cell), {{"type", "object"}, {"additionalProperties", cell}}}}};
  schemas["Query"] = Object({{"rows", ArrayOf(row)},
                             {"interval", kNumber},
                             {"latent", {{"type", "boolean"}}},
                             {"count", kInteger},
                             {"seed", kInteger}},
                            {"rows"});
  ordered_json predictions = {{"release", kString}, {"rows", kInteger}};
  predictions.update(Columns());
  schemas["Predictions"] = Object(predictions, {"release", "rows"});
  schemas["Columns"] = Object(Columns(), {});
  schemas["Samples"] =
      Object({{"release", kString}, {"samples", ArrayOf(ArrayOf(kNumber))}},
             {"release", "samples"});
  schemas["PlotRequest"] =
      Object({{"inputs", ArrayOf(kString)},
              {"points", kInteger},
              {"at", {{"type", "object"}, {"additionalProperties", kNumber}}}},
             {});
  ordered_json drawn = Columns();
  for (const char* const name : {"privacy_lower", "privacy_upper"}) {
    drawn[name] = ArrayOf(kNumber);
  }
  // An axis is a grid, or the bins of a histogram, which has counts instead of
  // a function.
  schemas["Plot"] = Object({{"release", kString},
                            {"kind", kString},
                            {"inputs", ArrayOf(kString)},
                            {"axes", ArrayOf(ordered_json::object())},
                            {"at", {{"type", "object"}}},
                            {"function", Object(drawn, {})},
                            {"observation", Ref("Columns")},
                            {"count", ArrayOf(kNumber)},
                            {"sd", ArrayOf(kNumber)},
                            {"lower", ArrayOf(kNumber)},
                            {"upper", ArrayOf(kNumber)}},
                           {"release", "kind", "axes"});
  return schemas;
}

std::string MakeDocument() {
  ordered_json document;
  document["openapi"] = "3.0.3";
  document["info"] = {
      {"title", "Cloak"},
      {"version", "1"},
      {"description",
       "Answers from differentially private releases. Asking costs no "
       "privacy: it was paid for once, when each release was made."}};
  document["security"] = ordered_json::array(
      {ordered_json::object({{"token", ordered_json::array()}})});
  document["paths"] = Paths();
  document["components"] = {
      {"schemas", Schemas()},
      {"securitySchemes",
       {{"token",
         {{"type", "http"},
          {"scheme", "bearer"},
          {"description", "Only where the server has a token file"}}}}}};
  return document.dump(2) + "\n";
}

}  // namespace

const std::string& OpenApiDocument() {
  static const std::string document = MakeDocument();
  return document;
}

}  // namespace cloak
