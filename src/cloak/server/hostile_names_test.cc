// Names that a stranger chose: of releases, columns and classes.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cloak/data/gzip.h"
#include "cloak/release/release_json.h"
#include "tests/testing/api_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

TEST_F(ApiTest, ClassesAndColumnsAreNoFormulasOfASpreadsheet) {
  ReleaseContent content = ClassContent();
  content.classes = {"=1+1", "@SUM(A1)"};
  content.inputs[0].name = "=HYPERLINK(1)";
  Write("formulas.cloak", content);
  catalogue_->Refresh();
  const std::string csv =
      Post("/api/v1/releases/formulas/predict",
           "note,=HYPERLINK(1),-5\n=mine,2,-7\n+x,3,1\n", "text/csv")
          .body;
  EXPECT_THAT(csv, HasSubstr("note,'=HYPERLINK(1),-5,probability"));
  EXPECT_THAT(csv,
              testing::AnyOf(HasSubstr(",'=1+1,"), HasSubstr(",'@SUM(A1),")));
  EXPECT_THAT(csv, Not(HasSubstr(",=1+1,")));
  EXPECT_THAT(csv, Not(HasSubstr(",@SUM")));
  // Cells of who asks come back as they were.
  EXPECT_THAT(csv, HasSubstr("\n=mine,2,-7,"));
}

TEST_F(ApiTest, EveryReleaseThatIsListedCanBeAsked) {
  Write("bad\xffutf8.cloak", SmallContent());
  Write("..cloak", SmallContent());
  Write("...cloak", SmallContent());
  Write("50%.cloak", SmallContent());
  catalogue_->Refresh();
  const auto encoded = [](const std::string& name) {
    std::string target;
    for (const char c : name) target += c == '%' ? "%25" : std::string(1, c);
    return "/api/v1/releases/" + target;
  };
  const json list = json::parse(Get("/api/v1/releases").body)["releases"];
  std::vector<std::string> names;
  for (const json& release : list) {
    names.push_back(release["name"]);
    EXPECT_EQ(Get(encoded(names.back())).status, 200) << names.back();
    // A client would take these for the directory itself or the one above.
    EXPECT_NE(names.back(), ".");
    EXPECT_NE(names.back(), "..");
  }
  EXPECT_THAT(names, Contains("bad%FFutf8"));
  EXPECT_EQ(Get("/api/v1/releases/bad%FFutf8").status, 200);
}

TEST_F(ApiTest, DirectionsOfWritingAreEscapedInJson) {
  ReleaseContent content = SmallContent();
  content.output = "h\u202eight \u2067";
  const std::string text = JsonText(ReleaseJson(Release(content)));
  EXPECT_THAT(text, Not(HasSubstr("\u202e")));
  EXPECT_THAT(text, Not(HasSubstr("\u2067")));
  EXPECT_EQ(json::parse(text)["output"], content.output);
}

TEST_F(ApiTest, AssetsAreSentOnceAndPacked) {
  const std::string script(1000, 'x');
  const std::string gzipped = Gzip(script);
  EXPECT_LT(gzipped.size(), 100U);
  EXPECT_EQ(Gunzip(gzipped, "script", 2000), script);
  const std::array assets = {
      Asset{"/app.js", "text/javascript", script, "abc", gzipped}};
  const Api api(*catalogue_, metrics_, Tokens(), {}, assets);
  const auto get = [&api](const std::string& encoding,
                          const std::string& known) {
    return api.Handle({.target = "/app.js",
                       .accept_encoding = encoding,
                       .if_none_match = known});
  };
  EXPECT_EQ(get("", "").body, script);
  EXPECT_EQ(get("br, gzip;q=0", "").body, script);
  EXPECT_EQ(get("", "").cache_control, "no-cache");
  EXPECT_THAT(get("", "").headers, Contains(Pair("ETag", "\"abc\"")));
  for (const char* const encoding : {"gzip", "br, gzip", "gzip;q=0.5, br"}) {
    const HttpResponse packed = get(encoding, "");
    EXPECT_EQ(packed.body, gzipped);
    EXPECT_THAT(packed.headers, Contains(Pair("Content-Encoding", "gzip")));
    EXPECT_THAT(packed.headers, Contains(Pair("Vary", "Accept-Encoding")));
    EXPECT_EQ(get(encoding, "\"other\", \"abc-gzip\"").status, 304);
  }
  EXPECT_EQ(get("", "\"abc\"").status, 304);
  EXPECT_EQ(get("", "\"abc\"").body, "");
  EXPECT_EQ(get("", "\"ab\"").status, 200);
}

TEST_F(ApiTest, SaysWhichRowsLieOutsideTheRangesOfTheInputs) {
  const json answer = json::parse(
      Predict(R"({"rows": [[0], [10], [-0.001], [11], [5]]})").body);
  EXPECT_EQ(answer["outside"], json({0, 0, 1, 1, 0}));
  std::string many = "[99]";
  for (int i = 0; i < 3000; ++i) many += ",[1]";
  const json batch = json::parse(Predict("{\"rows\":[" + many + "]}").body);
  EXPECT_EQ(batch["outside"].size(), 3001U);
  EXPECT_EQ(batch["outside"][0], 1);
  EXPECT_EQ(batch["outside"][3000], 0);
  const std::string csv =
      Post(Text(kRelease, "/predict"), "age\n3\n12\n", "text/csv").body;
  EXPECT_THAT(csv, HasSubstr(",0\n12,"));
  EXPECT_THAT(csv, testing::EndsWith(",1\n"));
  // Categories have no range.
  const json towns =
      json::parse(Post("/api/v1/releases/towns/predict",
                       R"({"rows": [[5, "Rome"], [31, "Oslo"]]})")
                      .body);
  EXPECT_EQ(towns["outside"], json({0, 1}));
}

TEST_F(ApiTest, ClassesHaveIntervalsOfTheirProbabilities) {
  const std::string states = "/api/v1/releases/states/predict";
  const auto bounds = [&](const std::string& target, double interval) {
    const json answer = json::parse(
        Post(target, Text(R"({"rows": [[3]], "interval":)", interval, "}"))
            .body);
    return std::pair(answer["lower"][0].get<double>(),
                     answer["upper"][0].get<double>());
  };
  const json answer =
      json::parse(Post(states, R"({"rows": [[3]], "interval": 0.8})").body);
  const double mean = answer["mean"][0];
  const double sd = answer["sd"][0];
  constexpr double kQuantile80 = 1.2815515655446004;
  const auto probability = [](double f) { return 1 / (1 + std::exp(-f)); };
  EXPECT_NEAR(answer["lower"][0], probability(mean - kQuantile80 * sd), 1e-9);
  EXPECT_NEAR(answer["upper"][0], probability(mean + kQuantile80 * sd), 1e-9);
  EXPECT_LT(bounds(states, 0.95).first, bounds(states, 0.8).first);
  EXPECT_GT(bounds(states, 0.95).second, bounds(states, 0.8).second);
  // A support vector machine has a margin.
  const std::string margins = "/api/v1/releases/margins/predict";
  const json margin = json::parse(Post(margins, R"({"rows": [[3]]})").body);
  EXPECT_LT(margin["lower"][0], margin["margin"][0]);
  EXPECT_GT(margin["upper"][0], margin["margin"][0]);
}

TEST_F(ApiTest, WhatHasNoObservationsHasNoLatentFunction) {
  for (const std::string name : {"states", "margins", "ages", "towns"}) {
    const std::string rows = name == "towns" ? "[5, \"Oslo\"]" : "[5]";
    const std::string target = Text("/api/v1/releases/", name, "/predict");
    ExpectError(Post(target, Text(R"({"latent": true, "rows": [)", rows, "]}")),
                400, "invalid_query");
    ExpectError(
        Post(target + "?latent=true",
             name == "towns" ? "age,town\n5,Oslo\n" : "age\n5\n", "text/csv"),
        400, "invalid_query");
  }
}

}  // namespace
}  // namespace cloak
