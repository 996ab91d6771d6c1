#include "cloak/server/plot_data.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "cloak/base/text.h"
#include "tests/testing/api_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::SizeIs;

TEST_F(ApiTest, PlotsACurve) {
  const HttpResponse response =
      Post(Text(kRelease, "/plot"), R"({"inputs": ["age"], "points": 11})");
  ASSERT_EQ(response.status, 200) << response.body;
  const json plot = json::parse(response.body);
  EXPECT_EQ(plot["axes"][0][10], 10);
  const json predicted = json::parse(Predict(R"({"rows": [[7]]})").body);
  EXPECT_EQ(plot["observation"]["sd"][7], predicted["sd"][0]);
  EXPECT_LT(plot["function"]["sd"][7], plot["observation"]["sd"][7]);
}

TEST_F(ApiTest, PlotsAMapWhoseSecondInputVariesFastest) {
  const HttpResponse response =
      Post("/api/v1/releases/maps/plot",
           R"({"inputs": ["weight", "age"], "points": 3})");
  ASSERT_EQ(response.status, 200) << response.body;
  const json plot = json::parse(response.body);
  ASSERT_THAT(plot["function"]["mean"], SizeIs(9));
  // Weight 3, age 10.
  const json predicted = json::parse(
      Post("/api/v1/releases/maps/predict",
           R"({"rows": [{"weight": 3, "age": 10}], "latent": true})")
          .body);
  EXPECT_EQ(plot["function"]["mean"][2], predicted["mean"][0]);
}

TEST_F(ApiTest, HoldsTheOtherInputsWhereItIsTold) {
  const json plot = json::parse(
      Post("/api/v1/releases/maps/plot",
           R"({"inputs": ["age"], "points": 2, "at": {"weight": 80}})")
          .body);
  EXPECT_EQ(plot["at"], json({{"weight", 80}}));
  const json predicted =
      json::parse(Post("/api/v1/releases/maps/predict",
                       R"({"rows": [[0, 80]], "latent": true})")
                      .body);
  EXPECT_EQ(plot["function"]["mean"][0], predicted["mean"][0]);
}

TEST_F(ApiTest, SaysWhatIsWrongWithAPlot) {
  for (const std::string body :
       {R"([])", R"({})", R"({"inputs": []})", R"({"inputs": ["size"]})",
        R"({"inputs": [3]})", R"({"inputs": ["age", "age"]})",
        R"({"inputs": ["age"], "points": 1})",
        R"({"inputs": ["age"], "points": 1e9})",
        R"({"inputs": ["age"], "points": -3})",
        R"({"inputs": ["age"], "at": {"age": "old"}})",
        R"({"inputs": ["age"], "at": []})",
        R"({"inputs": ["age"], "colour": "red"})"}) {
    SCOPED_TRACE(body);
    ExpectError(Post(Text(kRelease, "/plot"), body), 400, "invalid_plot");
  }
  ExpectError(Post(Text(kRelease, "/plot"), "{"), 400, "malformed_json");
  ExpectError(Post(Text(kRelease, "/plot"), std::string(100'000, ' ')), 413,
              "body_too_large");
}

TEST_F(ApiTest, PlotsSayWhatIsPrivacyNoise) {
  const json plot = json::parse(
      Post(Text(kRelease, "/plot"), R"({"inputs": ["age"], "points": 11})")
          .body);
  EXPECT_EQ(plot["kind"], "curve");
  const json& f = plot["function"];
  for (const size_t i : {0, 5, 10}) {
    const double noise = 1.959963984540054 * f["privacy_sd"][i].get<double>();
    EXPECT_NEAR(f["privacy_lower"][i], f["mean"][i].get<double>() - noise,
                1e-12 * 200);
    EXPECT_LE(f["lower"][i], f["privacy_lower"][i]);
    EXPECT_GE(f["upper"][i], f["privacy_upper"][i]);
  }
}

TEST_F(ApiTest, PlotsOfClassesAreProbabilities) {
  const json plot = json::parse(Post("/api/v1/releases/states/plot",
                                     R"({"inputs": ["age"], "points": 11})")
                                    .body);
  EXPECT_EQ(plot["kind"], "probability");
  const json& f = plot["function"];
  const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
  for (const size_t i : {0, 5, 10}) {
    const double log_odds = f["mean"][i].get<double>();
    const double noise = 1.959963984540054 * f["privacy_sd"][i].get<double>();
    const double all = 1.959963984540054 * f["sd"][i].get<double>();
    EXPECT_NEAR(f["privacy_upper"][i], logistic(log_odds + noise), 1e-12);
    EXPECT_NEAR(f["upper"][i], logistic(log_odds + all), 1e-9);
  }
  EXPECT_FALSE(plot.contains("observation"));
}

}  // namespace
}  // namespace cloak
