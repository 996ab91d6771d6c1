// Tests of questions and answers: predictions and samples.
#include "cloak/server/answer.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "tests/testing/api_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::SizeIs;

TEST_F(ApiTest, PredictsTheVeryNumbersOfTheLibrary) {
  const Release release(SmallContent());
  Matrix X(2, 1);
  X << 2, 7.25;
  const Predictions wanted =
      release.Predict(X, {.interval = 0.8, .latent = true}, Threads(1));
  const HttpResponse response =
      Predict(R"({"rows": [[2], [7.25]], "interval": 0.8, "latent": true})");
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(response.release, "heights");
  const json answer = json::parse(response.body);
  EXPECT_EQ(answer["rows"], 2);
  for (const int i : {0, 1}) {
    EXPECT_EQ(answer["mean"][i], wanted.mean[i]);
    EXPECT_EQ(answer["sd"][i], wanted.sd[i]);
    EXPECT_EQ(answer["lower"][i], wanted.lower[i]);
    EXPECT_EQ(answer["upper"][i], wanted.upper[i]);
    EXPECT_EQ(answer["privacy_sd"][i], wanted.privacy_sd[i]);
  }
}

TEST_F(ApiTest, TakesRowsByNameInAnyOrder) {
  const std::string target = "/api/v1/releases/maps/predict";
  EXPECT_EQ(
      Post(target, R"({"rows": [{"weight": 60, "age": 2}, [3, 40.5]]})").body,
      Post(target, R"({"rows": [[2, 60], {"age": 3, "weight": 40.5}]})").body);
}

TEST_F(ApiTest, PredictsNothingForNoRows) {
  const json answer = json::parse(Predict(R"({"rows": []})").body);
  EXPECT_EQ(answer["rows"], 0);
  EXPECT_THAT(answer["mean"], SizeIs(0));
}

TEST_F(ApiTest, PredictsClasses) {
  const HttpResponse response =
      Post("/api/v1/releases/states/predict", R"({"rows": [[2]]})");
  const json answer = json::parse(response.body);
  Matrix X(1, 1);
  X << 2;
  const ClassPredictions wanted =
      Release(ClassContent()).PredictClasses(X, Threads(1));
  EXPECT_EQ(answer["probability"][0], wanted.probability(0, 1));
  EXPECT_EQ(answer["class"][0],
            ClassContent().classes[wanted.most_probable[0]]);
}

TEST_F(ApiTest, CountsOfBinsByNameOrInATable) {
  const std::string target = "/api/v1/releases/towns/predict";
  const HttpResponse response = Post(
      target,
      R"({"rows": [[5, "Oslo"], {"town": "Rome", "age": 25}, [99, " Oslo "]]})");
  ASSERT_EQ(response.status, 200) << response.body;
  const json answer = json::parse(response.body);
  EXPECT_EQ(answer["count"], json({10, 150, 50}));
  EXPECT_EQ(answer["lower"], json({4, 144, 44}));
  EXPECT_EQ(answer["fraction"][0], 10.0 / 300);
  EXPECT_THAT(
      Post(target, "town,age\nOslo,5\nRome,25\n", "text/csv").body,
      HasSubstr("town,age,count,sd,lower,upper,fraction,outside\nOslo,5,10,"));
  ExpectError(Post(target, R"({"rows": [[5, null]]})"), 400, "invalid_query");
  ExpectError(Post(target, R"({"rows": [["5", "Oslo"]]})"), 400,
              "invalid_query");
  ExpectError(Post(target, R"({"rows": [[5, "Oslo"]], "interval": 0.5})"), 400,
              "invalid_query");
  ExpectError(Post("/api/v1/releases/towns/samples", R"({"rows": []})"), 400,
              "no_samples");
  EXPECT_EQ(json::parse(Post("/api/v1/releases/towns/plot", "{}").body)["kind"],
            "histogram");
}

TEST_F(ApiTest, PredictsDensitiesAndMarginsAsTheLibraryDoes) {
  Matrix X(1, 1);
  X << 2;
  const DensityPredictions density =
      Release(DensityContent()).PredictDensity(X, 0.8, Threads(1));
  json answer = json::parse(Post("/api/v1/releases/ages/predict",
                                 R"({"rows": [[2]], "interval": 0.8})")
                                .body);
  EXPECT_EQ(answer["density"][0], density.density[0]);
  EXPECT_EQ(answer["upper"][0], density.upper[0]);
  ExpectError(Post("/api/v1/releases/ages/samples", R"({"rows": [[2]]})"), 400,
              "no_samples");
  const Release machine(MachineContent());
  answer = json::parse(
      Post("/api/v1/releases/margins/predict", R"({"rows": [[2]]})").body);
  EXPECT_EQ(answer["margin"][0],
            machine.Predict(X, {.latent = true}, Threads(1)).mean[0]);
  EXPECT_EQ(answer["probability"][0],
            machine.PredictClasses(X, Threads(1)).probability(0, 1));
}

TEST_F(ApiTest, BatchesHaveTheVeryNumbersOfTheLibrary) {
  constexpr Index kRows = 5003;
  const Matrix X = Vector::LinSpaced(kRows, -3, 17);
  std::string rows;
  for (Index i = 0; i < kRows; ++i) {
    rows += Text(i == 0 ? "" : ",", "[", X(i, 0), "]");
  }
  const std::string body = Text("{\"rows\": [", rows, "]}");
  const auto answer = [&](const std::string& name) {
    return json::parse(
        Post(Text("/api/v1/releases/", name, "/predict"), body).body);
  };
  const Threads threads(3);
  const json heights = answer("heights");
  const Predictions numbers = Release(SmallContent()).Predict(X, {}, threads);
  const json states = answer("states");
  const ClassPredictions classes =
      Release(ClassContent()).PredictClasses(X, threads);
  const json ages = answer("ages");
  const DensityPredictions density =
      Release(DensityContent()).PredictDensity(X, 0.95, threads);
  ASSERT_THAT(heights["mean"], SizeIs(kRows));
  ASSERT_THAT(states["class"], SizeIs(kRows));
  ASSERT_THAT(ages["lower"], SizeIs(kRows));
  for (Index i = 0; i < kRows; ++i) {
    EXPECT_EQ(heights["mean"][i], numbers.mean[i]) << i;
    EXPECT_EQ(heights["lower"][i], numbers.lower[i]) << i;
    EXPECT_EQ(heights["privacy_sd"][i], numbers.privacy_sd[i]) << i;
    EXPECT_EQ(states["probability"][i], classes.probability(i, 1)) << i;
    EXPECT_EQ(states["class"][i],
              ClassContent().classes[classes.most_probable[i]])
        << i;
    EXPECT_EQ(ages["density"][i], density.density[i]) << i;
    EXPECT_EQ(ages["upper"][i], density.upper[i]) << i;
  }
}

TEST(AppendJsonTest, HasRoomForTheLongestNumbers) {
  using Limits = std::numeric_limits<double>;
  const Vector numbers = Vector::Constant(3, -Limits::min());
  std::string text = "x";
  AppendJson(numbers, text);
  EXPECT_EQ(text,
            "x[-2.2250738585072014e-308,-2.2250738585072014e-308,"
            "-2.2250738585072014e-308]");
  text.clear();
  AppendJson(Vector(Vector::Constant(2, Limits::infinity())), text);
  AppendJson(Vector(), text);
  EXPECT_EQ(text, "[null,null][]");
  EXPECT_EQ(JsonString("plain text"), "\"plain text\"");
  EXPECT_EQ(JsonString("\"\\\n\x7f\xff"), "\"\\\"\\\\\\n\x7f\xef\xbf\xbd\"");
}

TEST_F(ApiTest, AnswersACsvTableWithTheTableAndThePredictions) {
  const HttpResponse response =
      Post(Text(kRelease, "/predict?interval=0.8&latent=true"),
           "who,age\nAda,2\n", "text/csv; charset=utf-8");
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(response.content_type, "text/csv; charset=utf-8");
  EXPECT_THAT(response.body,
              HasSubstr("who,age,mean,sd,lower,upper,outside\nAda,2,"));
  const json answer = json::parse(
      Predict(R"({"rows": [[2]], "interval": 0.8, "latent": true})").body);
  EXPECT_THAT(response.body,
              HasSubstr(NumberText(answer["upper"][0].get<double>())));
}

struct Wrong {
  std::string body;
  std::string code;
  std::string says;
};

TEST_F(ApiTest, SaysWhatIsWrongWithAQuery) {
  const std::vector<Wrong> queries = {
      {"", "malformed_json", "byte"},
      {"{", "malformed_json", "byte"},
      {"{\"rows\": [[1]]} x", "malformed_json", "byte"},
      {"{\"rows\": [[NaN]]}", "malformed_json", "byte"},
      {"{\"rows\": [[Infinity]]}", "malformed_json", "byte"},
      {"{\"rows\": [[1e999]]}", "invalid_query", "too large"},
      {"[]", "invalid_query", "the body has an array"},
      {"3", "invalid_query", "the body has a number"},
      {"{}", "invalid_query", "no \"rows\""},
      {"{\"rows\": 3}", "invalid_query", "\"rows\" has a number"},
      {"{\"rows\": {}}", "invalid_query", "\"rows\" has an object"},
      {"{\"rows\": [3]}", "invalid_query", "\"rows\" has a number"},
      {"{\"rows\": [[1], []]}", "invalid_query", "row 2 has 0 numbers"},
      {"{\"rows\": [[1, 2]]}", "invalid_query", "row 1 has 2 numbers"},
      {"{\"rows\": [[\"1\"]]}", "invalid_query", "row 1 has text"},
      {"{\"rows\": [[null]]}", "invalid_query", "row 1 has null"},
      {"{\"rows\": [[[1]]]}", "invalid_query", "row 1 has an array"},
      {"{\"rows\": [{}]}", "invalid_query", "no input 'age'"},
      {"{\"rows\": [{\"agee\": 1}]}", "invalid_query", "row 1 names an input"},
      {"{\"rows\": [{\"age\": 1, \"age\": 2}]}", "invalid_query", "twice"},
      {"{\"rows\": [{\"age\": {}}]}", "invalid_query", "an object"},
      {"{\"rows\": [], \"rows\": []}", "invalid_query", "two \"rows\""},
      {"{\"rows\": [], \"more\": 1}", "invalid_query", "none of rows"},
      {"{\"rows\": [], \"interval\": 1}", "invalid_query", "between 0 and 1"},
      {"{\"rows\": [], \"interval\": \"a\"}", "invalid_query", "text"},
      {"{\"rows\": [], \"latent\": 1}", "invalid_query", "true or false"},
      {"{\"rows\": [], \"count\": 0}", "invalid_query", "from 1 to"},
      {"{\"rows\": [], \"count\": 1.5}", "invalid_query", "from 1 to"},
      {"{\"rows\": [], \"seed\": -1}", "invalid_query", "not negative"},
      {std::string(200'000, '['), "invalid_query", "the body has an array"},
  };
  for (const Wrong& wrong : queries) {
    const HttpResponse response = Predict(wrong.body);
    SCOPED_TRACE(wrong.body.substr(0, 60));
    ExpectError(response, 400, wrong.code);
    EXPECT_THAT(response.body,
                HasSubstr(json(wrong.says)
                              .dump()
                              .substr(1, json(wrong.says).dump().size() - 2)));
  }
}

TEST_F(ApiTest, SuggestsTheInputThatWasMeant) {
  EXPECT_THAT(Predict(R"({"rows": [{"agee": 1}]})").body,
              HasSubstr("did you mean 'age'?"));
}

TEST_F(ApiTest, SaysWhatIsWrongWithATable) {
  for (const auto& [table, says] :
       std::vector<std::pair<std::string, std::string>>{
           {"", ""},
           {"weight\n1\n", "no column 'age'"},
           {"age\nold\n", "'old'"},
           {"age\nnan\n", ""},
           {"age\n1,2\n", ""},
           {"age,age\n1,2\n", "same name"},
           {"age\n\"1\n", ""},
           {"age,mean\n1,2\n", "already has a column 'mean'"}}) {
    SCOPED_TRACE(table);
    const HttpResponse response =
        Post(Text(kRelease, "/predict"), table, "text/csv");
    ExpectError(response, 400, "invalid_query");
    EXPECT_THAT(response.body, HasSubstr(says));
  }
  ExpectError(
      Post(Text(kRelease, "/predict?interval=2"), "age\n1\n", "text/csv"), 400,
      "invalid_parameter");
  ExpectError(
      Post(Text(kRelease, "/predict?colour=red"), "age\n1\n", "text/csv"), 400,
      "invalid_parameter");
}

TEST_F(ApiTest, RefusesMoreRowsThanItsLimit) {
  const Api strict(*catalogue_, metrics_, Tokens(), {.rows = 2});
  HttpRequest request{.method = "POST",
                      .target = Text(kRelease, "/predict"),
                      .content_type = "application/json",
                      .body = R"({"rows": [[1], [2]]})"};
  EXPECT_EQ(strict.Handle(request).status, 200);
  request.body = R"({"rows": [[1], [2], [3]]})";
  ExpectError(strict.Handle(request), 413, "too_many_rows");
  request.content_type = "text/csv";
  request.body = "age\n1\n2\n3\n";
  ExpectError(strict.Handle(request), 413, "too_many_rows");
  // Lines that are no rows do not count.
  request.body = "who,age\n\"Ada\n(a)\n\",1\nBob,2\n\n\r\n";
  EXPECT_EQ(strict.Handle(request).status, 200);
}

TEST_F(ApiTest, RefusesTablesOfMoreCellsThanItsLimit) {
  const Api strict(*catalogue_, metrics_, Tokens(), {.cells = 6});
  HttpRequest request{.method = "POST",
                      .target = Text(kRelease, "/predict"),
                      .content_type = "text/csv",
                      .body = "a,b,age\n1,1,1\n2,2,2\n"};
  EXPECT_EQ(strict.Handle(request).status, 200);
  request.body += "3,3,3\n";
  ExpectError(strict.Handle(request), 413, "too_many_cells");
  // Room would be made for as many rows as there are lines.
  request.body = "a,b,age\n\"1\n\n\n\",1,1\n";
  ExpectError(strict.Handle(request), 413, "too_many_cells");
}

TEST_F(ApiTest, DrawsTheSameFunctionsFromTheSameSeed) {
  const std::string target = Text(kRelease, "/samples");
  const std::string body =
      R"({"rows": [[1], [2], [3]], "count": 4, "seed": 7, "latent": true})";
  const HttpResponse response = Post(target, body);
  ASSERT_EQ(response.status, 200) << response.body;
  const json samples = json::parse(response.body)["samples"];
  ASSERT_THAT(samples, SizeIs(4));
  EXPECT_THAT(samples[0], SizeIs(3));
  EXPECT_EQ(Post(target, body).body, response.body);
  Matrix X(3, 1);
  X << 1, 2, 3;
  const Matrix wanted =
      Release(SmallContent()).Sample(X, 4, 7, {.latent = true}, Threads(1));
  EXPECT_EQ(samples[3][2], wanted(2, 3));
  ExpectError(Post(target, R"({"rows": [[1], [2]], "count": 600000})"), 413,
              "too_many_samples");
}

}  // namespace
}  // namespace cloak
