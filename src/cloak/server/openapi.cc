#include "cloak/server/openapi.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cloak/server/api.h"
#include "cloak/server/openapi_schemas.h"

namespace cloak {
namespace {

using nlohmann::ordered_json;

const ordered_json kText = {{"type", "string"}};

ordered_json SchemaRef(const std::string& schema) {
  return {{"$ref", "#/components/schemas/" + schema}};
}

ordered_json Content(const std::string& type, const ordered_json& schema) {
  return {{type, {{"schema", schema}}}};
}

ordered_json JsonContent(const std::string& schema) {
  return Content("application/json", SchemaRef(schema));
}

// A way in which a request can be wrong, by status.
struct Refusal {
  const char* status;
  const char* name;
  const char* description;
};
constexpr Refusal kRefusals[] = {
    {"400", "BadRequest", "The request is not as it must be"},
    {"401", "NoToken", "The request has no valid token"},
    {"404", "NotFound", "There is no such path or release"},
    {"413", "TooLarge", "The body, its rows or the answer would be too large"},
    {"415", "WrongType", "The body has a type that this path does not take"},
    {"503", "Unavailable",
     "There is too much to do, or too little memory; Retry-After says when to "
     "come back"},
};

ordered_json RefusalResponses() {
  ordered_json responses;
  for (const Refusal& refusal : kRefusals) {
    responses[refusal.name] = {{"description", refusal.description},
                               {"content", JsonContent("Error")}};
  }
  return responses;
}

struct OperationText {
  std::string id;
  std::string tag;
  std::string summary;
  std::string description;
};

ordered_json Operation(const OperationText& text, const ordered_json& content,
                       const std::vector<std::string>& refusals) {
  ordered_json operation;
  operation["operationId"] = text.id;
  operation["tags"] = {text.tag};
  operation["summary"] = text.summary;
  operation["description"] = text.description;
  ordered_json& responses = operation["responses"];
  responses["200"] = {{"description", "The answer"}, {"content", content}};
  for (const Refusal& refusal : kRefusals) {
    for (const std::string& status : refusals) {
      if (status != refusal.status) continue;
      responses[status] = {
          {"$ref", std::string("#/components/responses/") + refusal.name}};
    }
  }
  responses["default"] = {{"description", "What is wrong, and what to do"},
                          {"content", JsonContent("Error")}};
  return operation;
}

ordered_json OpenTo(ordered_json operation) {
  operation["security"] = ordered_json::array();
  return operation;
}

ordered_json Named(ordered_json operation) {
  operation["parameters"] = ordered_json::array(
      {ordered_json::object({{"name", "name"},
                             {"in", "path"},
                             {"required", true},
                             {"description", "A release of the list"},
                             {"schema", kText}})});
  return operation;
}

ordered_json WithBody(ordered_json operation, const ordered_json& content) {
  operation["requestBody"] = {{"required", true}, {"content", content}};
  return operation;
}

const std::vector<std::string>& QuestionRefusals() {
  static const std::vector<std::string> refusals = {"400", "401", "404",
                                                    "413", "415", "503"};
  return refusals;
}

ordered_json PredictOperation() {
  ordered_json answer = JsonContent("Predictions");
  answer.update(Content("text/csv", kText));
  ordered_json body = JsonContent("Query");
  body.update(Content("text/csv", kText));
  ordered_json operation = WithBody(
      Named(Operation(
          {"predict", "releases", "Predictions for rows",
           "Rows as JSON, or a CSV table that comes back with the predictions "
           "added."},
          answer, QuestionRefusals())),
      body);
  ordered_json interval = IntervalSchema();
  interval.erase("description");
  operation["parameters"].push_back(
      {{"name", "interval"},
       {"in", "query"},
       {"description", "With CSV: the probability from lower to upper"},
       {"schema", interval}});
  operation["parameters"].push_back(
      {{"name", "latent"},
       {"in", "query"},
       {"description",
        "With CSV: true for the function itself, without the noise of an "
        "observation"},
       {"schema", {{"type", "boolean"}, {"default", false}}}});
  return operation;
}

void AddServerPaths(ordered_json& paths) {
  paths["/"]["get"] =
      OpenTo(Operation({"getPage", "server", "The web page",
                        "Plots, questions and the privacy statement in words."},
                       Content("text/html", kText), {"404"}));
  paths["/health"]["get"] = OpenTo(
      Operation({"getHealth", "server", "Whether the server lives",
                 "Degraded where a directory or file that it is to serve "
                 "cannot be read; the releases that it had stay."},
                JsonContent("Health"), {"400"}));
  paths["/ready"]["get"] =
      OpenTo(Operation({"getReady", "server", "Whether the server can be asked",
                        "200 while there is a release to ask, 503 otherwise."},
                       JsonContent("Ready"), {"400", "503"}));
  paths["/metrics"]["get"] =
      Operation({"getMetrics", "server", "Counts and times for Prometheus",
                 "In the text format, version 0.0.4."},
                Content("text/plain", kText), {"401"});
  paths["/openapi.json"]["get"] = OpenTo(
      Operation({"getOpenApi", "server", "This document",
                 "What every path takes and answers."},
                Content("application/json", {{"type", "object"}}), {"400"}));
}

void AddReleasePaths(ordered_json& paths) {
  const std::string release = "/api/v1/releases/{name}";
  paths["/api/v1/releases"]["get"] =
      Operation({"listReleases", "releases", "The releases there are",
                 "Each with its epsilon and delta."},
                JsonContent("ReleaseList"), {"401"});
  paths[release]["get"] = Named(
      Operation({"getRelease", "releases", "What a release says of itself",
                 "And how private it is, in figures and in words."},
                JsonContent("Release"), {"401", "404"}));
  paths[release + "/predict"]["post"] = PredictOperation();
  paths[release + "/samples"]["post"] = WithBody(
      Named(Operation({"sample", "releases", "Functions drawn at random",
                       "From the joint predictive distribution (of the log "
                       "odds, for classes)."},
                      JsonContent("Samples"), QuestionRefusals())),
      JsonContent("SampleQuery"));
  paths[release + "/plot"]["post"] = WithBody(
      Named(Operation({"plot", "releases", "The release on a grid",
                       "Over one input or two; a histogram is sent whole."},
                      JsonContent("Plot"), QuestionRefusals())),
      JsonContent("PlotRequest"));
}

std::string MakeDocument() {
  ordered_json document;
  document["openapi"] = "3.0.3";
  document["info"] = {
      {"title", "Cloak"},
      {"version", "1"},
      {"description",
       "Answers from differentially private releases. Asking costs no "
       "privacy: it was paid for once, when each release was made."},
      {"contact", {{"name", "Whoever runs this server"}}},
      {"license",
       {{"name", "Apache-2.0"},
        {"url", "https://www.apache.org/licenses/LICENSE-2.0"}}}};
  document["servers"] = ordered_json::array(
      {ordered_json::object({{"url", "/"}, {"description", "This server"}})});
  document["tags"] = ordered_json::array(
      {ordered_json::object(
           {{"name", "releases"}, {"description", "What can be asked"}}),
       ordered_json::object(
           {{"name", "server"}, {"description", "The server itself"}})});
  document["security"] = ordered_json::array(
      {ordered_json::object({{"token", ordered_json::array()}})});
  AddServerPaths(document["paths"]);
  AddReleasePaths(document["paths"]);
  document["components"] = {
      {"schemas", OpenApiSchemas(ApiLimits())},
      {"responses", RefusalResponses()},
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
