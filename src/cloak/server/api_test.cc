#include "cloak/server/api.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/server/openapi.h"
#include "tests/testing/api_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

constexpr char kToken[] = "0123456789abcdef0123456789abcdef";

TEST_F(ApiTest, ListsEveryReleaseWithItsPrivacy) {
  const json list = json::parse(Get("/api/v1/releases").body)["releases"];
  ASSERT_THAT(list, SizeIs(6));
  EXPECT_EQ(list[0]["name"], "ages");
  EXPECT_EQ(list[1]["name"], "heights");
  EXPECT_EQ(list[1]["epsilon"], 1);
  EXPECT_EQ(list[1]["delta"], 0.001);
  EXPECT_EQ(list[1]["inputs"], json({"age"}));
  EXPECT_EQ(list[5]["task"], "histogram");
}

TEST_F(ApiTest, DescribesAReleaseInFiguresAndInWords) {
  const json described = json::parse(Get(kRelease).body);
  EXPECT_EQ(described["name"], "heights");
  EXPECT_EQ(described["privacy"]["epsilon"], 1);
  EXPECT_EQ(described["privacy_in_words"],
            Release(SmallContent()).PrivacyInWords());
}

TEST_F(ApiTest, RefusesBodiesOfOtherTypes) {
  const std::string predict = Text(kRelease, "/predict");
  ExpectError(Post(predict, "{}", ""), 415, "unsupported_type");
  ExpectError(Post(predict, "{}", "application/x-www-form-urlencoded"), 415,
              "unsupported_type");
  ExpectError(Post(Text(kRelease, "/samples"), "age\n1\n", "text/csv"), 415,
              "unsupported_type");
  ExpectError(api_->Handle({.method = "POST",
                            .target = predict,
                            .content_type = "application/json",
                            .content_encoding = "gzip",
                            .body = "{}"}),
              415, "unsupported_encoding");
}

TEST_F(ApiTest, HasNothingOutsideItsPaths) {
  for (const std::string target :
       {"/nothing", "/api", "/api/v1", "/api/v1/releases/", "//", "/health/",
        "/../etc/passwd", "/api/v1/releases/../../health", "/%2e%2e/health",
        "/api/v1/releases/%2e%2e%2fheights", "/api/v1/releases/heights.cloak",
        "/api/v1/releases/heights%00", "/api/v1/releases/.",
        "/api/v1/releases/heights/predict/x", "/HEALTH"}) {
    SCOPED_TRACE(target);
    ExpectError(Get(target), 404,
                target.starts_with("/api/v1/releases/") &&
                        Get(target).route == "/api/v1/releases/{name}"
                    ? "unknown_release"
                    : "unknown_path");
  }
  for (const std::string target :
       {"", "health", "*", "/%", "/%2", "/%zz", "/health?a=1&a=2"}) {
    SCOPED_TRACE(target);
    ExpectError(Get(target), 400, "malformed_target");
  }
  EXPECT_EQ(Get("http://somewhere/health").status, 200);
  EXPECT_EQ(Get("/api/v1/releases/%68eights").status, 200);
}

TEST_F(ApiTest, SaysWhichMethodsAPathHas) {
  for (const std::string method :
       {"PUT", "DELETE", "OPTIONS", "TRACE", "BREW", "get", ""}) {
    const HttpResponse response = Get("/health", method);
    ExpectError(response, 405, "method_not_allowed");
    EXPECT_THAT(response.headers, Contains(Pair("Allow", "GET, HEAD")));
  }
  EXPECT_THAT(Get(Text(kRelease, "/predict")).headers,
              Contains(Pair("Allow", "POST")));
  EXPECT_EQ(Get("/health", "HEAD").status, 200);
}

TEST_F(ApiTest, AsksForATokenWhereItHasAny) {
  const Api closed(*catalogue_, metrics_, Tokens(Text("# all\n", kToken)));
  const auto status = [&](const std::string& target,
                          const std::string& authorization) {
    return closed.Handle({.target = target, .authorization = authorization})
        .status;
  };
  const std::string bearer = Text("Bearer ", kToken);
  EXPECT_EQ(status("/api/v1/releases", bearer), 200);
  EXPECT_EQ(status("/api/v1/releases", Text("bearer ", kToken)), 200);
  EXPECT_EQ(status("/api/v1/releases", Text("Bearer   ", kToken)), 200);
  for (const std::string& wrong :
       {std::string(), std::string(kToken), std::string("Bearer "),
        Text("Basic ", kToken), Text("Bearer ", kToken, "0"),
        bearer.substr(0, bearer.size() - 1), Text("Bearer", kToken),
        std::string("Bearer    ")}) {
    EXPECT_EQ(status("/api/v1/releases", wrong), 401) << wrong;
    EXPECT_EQ(status("/metrics", wrong), 401) << wrong;
  }
  EXPECT_EQ(status("/health", ""), 200);
  // Who has no token does not learn which releases there are.
  EXPECT_EQ(status("/api/v1/releases/none", ""), 401);
}

TEST(TokensTest, RefusesTokensThatCanBeGuessed) {
  EXPECT_THROW(Tokens(""), InvalidInput);
  EXPECT_THROW(Tokens("# nothing\n\n"), InvalidInput);
  EXPECT_THROW(Tokens("short\n"), InvalidInput);
  EXPECT_THROW(Tokens("two words that are long enough"), InvalidInput);
  EXPECT_TRUE(Tokens(Text(kToken, "\r\n")).Accepts(Text("Bearer ", kToken)));
  // With the mark that some editors begin a file with.
  EXPECT_TRUE(
      Tokens(Text("\xef\xbb\xbf", kToken)).Accepts(Text("Bearer ", kToken)));
}

TEST_F(ApiTest, CountsRequestsWithoutLabelsOfTheClients) {
  Get("/health");
  Get("/secret-name");
  Get("/health", "BREW");
  const std::string metrics = Get("/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("cloak_requests_total{method=\"GET\",route="
                                 "\"/health\",status=\"200\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("{method=\"other\",route=\"/health\","
                                 "status=\"405\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("cloak_releases 6\n"));
  EXPECT_THAT(metrics, HasSubstr("cloak_request_seconds_count{route=\"/health"
                                 "\"} 2\n"));
  EXPECT_THAT(metrics, Not(HasSubstr("secret-name")));
  EXPECT_THAT(metrics, Not(HasSubstr("BREW")));
}

// The schema of the answer that the document promises for an operation.
json AnswerSchema(const json& document, const json& operation) {
  const json& content = operation["responses"]["200"]["content"];
  if (!content.contains("application/json")) return nullptr;
  const json& schema = content["application/json"]["schema"];
  if (!schema.contains("$ref")) return schema;
  const std::string ref = schema["$ref"];
  return document["components"]["schemas"].at(ref.substr(ref.rfind('/') + 1));
}

TEST_F(ApiTest, OpenApiDocumentHasTheRoutesThereAreAndNoOther) {
  const json document = json::parse(OpenApiDocument());
  std::set<std::pair<std::string, std::string>> documented;
  for (const auto& [path, operations] : document["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) {
      documented.emplace(method == "get" ? "GET" : "POST", path);
    }
  }
  std::set<std::pair<std::string, std::string>> routes;
  for (const Api::Route& route : Api::Routes()) {
    routes.emplace(route.method, route.pattern);
    const json& operation = document["paths"][std::string(route.pattern)]
                                    [route.method == "GET" ? "get" : "post"];
    EXPECT_EQ(operation.contains("security"), route.open) << route.pattern;
  }
  EXPECT_EQ(documented, routes);
}

TEST_F(ApiTest, AnswersAsTheOpenApiDocumentPromises) {
  const json document = json::parse(OpenApiDocument());
  for (const std::string name :
       {"heights", "states", "margins", "ages", "towns"}) {
    for (const Api::Route& route : Api::Routes()) {
      std::string target(route.pattern);
      SCOPED_TRACE(Text(name, " ", target));
      const bool histogram = name == "towns";
      const bool spread = histogram || name == "ages";
      if (spread && target.ends_with("/samples")) continue;
      const json& operation =
          document["paths"][target][route.method == "GET" ? "get" : "post"];
      const size_t place = target.find("{name}");
      if (place != std::string::npos) target.replace(place, 6, name);
      const bool plot = target.ends_with("/plot");
      const HttpResponse response =
          route.method == "GET" ? Get(target)
          : plot
              ? Post(target,
                     histogram ? "{}" : R"({"inputs": ["age"], "points": 5})")
              : Post(target, histogram ? R"({"rows": [[1, "Oslo"]]})"
                                       : R"({"rows": [[1], [2]]})");
      ASSERT_EQ(response.status, 200) << response.body;
      const std::string type(
          response.content_type.substr(0, response.content_type.find(';')));
      EXPECT_TRUE(operation["responses"]["200"]["content"].contains(type));
      const json schema = AnswerSchema(document, operation);
      if (!schema.contains("properties")) continue;
      const json answer = json::parse(response.body);
      for (const json& required : schema["required"]) {
        EXPECT_TRUE(answer.contains(required)) << required;
      }
      // The description of a release has members that depend on its method.
      if (route.pattern == "/api/v1/releases/{name}") continue;
      for (const auto& [member, value] : answer.items()) {
        EXPECT_TRUE(schema["properties"].contains(member)) << member;
      }
    }
  }
}

TEST_F(ApiTest, OnlySmallQuestionsAreQuick) {
  const auto quick = [&](const std::string& target, const std::string& body,
                         const std::string& type = "application/json") {
    return api_->IsQuick({.method = "POST",
                          .target = target,
                          .content_type = type,
                          .body = body});
  };
  const std::string predict = Text(kRelease, "/predict");
  const std::string one = R"({"rows": [[2]]})";
  EXPECT_TRUE(quick(predict, one));
  EXPECT_TRUE(quick(Text(predict, "?a=1"), one));
  EXPECT_TRUE(quick(predict, ""));
  EXPECT_FALSE(quick(predict, one + std::string(2000, ' ')));
  EXPECT_FALSE(quick(predict, "age\n2\n", "text/csv"));
  for (const std::string target :
       {"/samples", "/plot", "/samples?x=/predict", "/samples?/predict",
        "/samples#/predict", "/plot?a=b&/predict"}) {
    EXPECT_FALSE(quick(Text(kRelease, target), one)) << target;
  }
  // A row of this one takes long.
  ReleaseContent large = SmallContent();
  const Index basis = 300;
  large.basis_points = Vector::LinSpaced(basis, 0, 100);
  for (Posterior& posterior : large.posteriors) {
    posterior.jitter = 1;
    posterior.mean = Vector::Zero(basis);
    SetFactors(Matrix::Zero(basis, basis), Matrix::Zero(basis, basis),
               posterior);
  }
  Write("large.cloak", large);
  catalogue_->Refresh();
  EXPECT_EQ(Get("/api/v1/releases/large").status, 200);
  const std::string many(1000, ' ');
  EXPECT_FALSE(quick("/api/v1/releases/large/predict", one + many));
  EXPECT_FALSE(quick("/api/v1/releases/l%61rge/predict", one));
  EXPECT_TRUE(quick(predict, one + many));
}

TEST_F(ApiTest, RefusesByTheHeadWhatNoBodyCouldMend) {
  const Api closed(*catalogue_, metrics_, Tokens(kToken));
  const auto status = [&](const std::string& method, const std::string& target,
                          const std::string& authorization) {
    const std::optional<HttpResponse> refusal = closed.RefuseHead(
        {.method = method, .target = target, .authorization = authorization});
    return refusal ? refusal->status : 0;
  };
  const std::string predict = Text(kRelease, "/predict");
  const std::string bearer = Text("Bearer ", kToken);
  EXPECT_EQ(status("POST", predict, bearer), 0);
  EXPECT_EQ(status("POST", predict, "Bearer 0"), 401);
  EXPECT_EQ(status("PUT", predict, bearer), 405);
  EXPECT_EQ(status("POST", "/nothing", bearer), 404);
  EXPECT_EQ(status("POST", "nothing", bearer), 400);
  EXPECT_THAT(Get("/metrics").body,
              HasSubstr("{method=\"POST\",route=\"/api/v1/releases/{name}/"
                        "predict\",status=\"401\"} 1\n"));
}

TEST_F(ApiTest, CountsTheTimeThatARequestWaits) {
  HttpRequest request = {.target = "/health"};
  request.arrived -= std::chrono::seconds(3);
  api_->Handle(request);
  const std::string metrics = Get("/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("{route=\"/health\",le=\"1\"} 0\n"));
  EXPECT_THAT(metrics, HasSubstr("{route=\"/health\",le=\"5\"} 1\n"));
}

TEST_F(ApiTest, WhatFailsIsSaidInJson) {
  // No string is as long as this.
  const std::array broken = {
      Asset{"/", "text/html", {kAssets[0].content.data(), SIZE_MAX}}};
  const Api api(*catalogue_, metrics_, Tokens(), {}, broken);
  ExpectError(api.Handle({}), 500, "internal");
  EXPECT_EQ(api.Handle({.target = "/health"}).status, 200);
}

TEST_F(ApiTest, SendsThePageWithAPolicyThatLetsNothingIn) {
  const HttpResponse page = Get("/");
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(page.body, "<!DOCTYPE html>");
  EXPECT_THAT(page.headers, Contains(Pair("Content-Security-Policy",
                                          HasSubstr("default-src 'self'"))));
  EXPECT_EQ(Get("/app.js").body, "start()");
  ExpectError(Get("/app.css"), 404, "unknown_path");
  ExpectError(Api(*catalogue_, metrics_, Tokens()).Handle({}), 404, "no_page");
}

}  // namespace
}  // namespace cloak
