#include "cloak/server/openapi.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cloak/base/text.h"
#include "cloak/release/kind.h"
#include "tests/testing/api_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Where a value is not as its schema says, in words; nothing if it is. Knows
// what the document uses of JSON Schema, and wants every member described.
class SchemaCheck {
 public:
  explicit SchemaCheck(const json& document) : document_(document) {}

  std::string WrongIn(const json& value, const json& schema,
                      const std::string& place) const {
    if (schema.contains("$ref")) {
      return WrongIn(value, Resolved(schema["$ref"]), place);
    }
    if (schema.contains("oneOf")) return WrongInOneOf(value, schema, place);
    if (value.is_null()) {
      return schema.value("nullable", false) ? "" : place + " is null";
    }
    const std::string type = schema.value("type", "");
    if (type == "object") return WrongInObject(value, schema, place);
    if (type == "array") return WrongInArray(value, schema, place);
    const bool fits = type == "string"    ? value.is_string()
                      : type == "boolean" ? value.is_boolean()
                      : type == "integer" ? value.is_number_integer()
                                          : value.is_number();
    if (!fits) return Text(place, " is no ", type, ": ", value.dump());
    if (schema.contains("enum") &&
        std::count(schema["enum"].begin(), schema["enum"].end(), value) == 0) {
      return place + " is none of the words";
    }
    return "";
  }

 private:
  const json& Resolved(const std::string& reference) const {
    return document_.at(json::json_pointer(reference.substr(1)));
  }

  std::string WrongInOneOf(const json& value, const json& schema,
                           const std::string& place) const {
    std::string wrong;
    for (const json& option : schema["oneOf"]) {
      wrong = WrongIn(value, option, place);
      if (wrong.empty()) return "";
    }
    return wrong;
  }

  std::string WrongInArray(const json& value, const json& schema,
                           const std::string& place) const {
    if (!value.is_array()) return place + " is no list";
    for (const json& item : value) {
      std::string wrong = WrongIn(item, schema["items"], place + "[]");
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

  std::string WrongInObject(const json& value, const json& schema,
                            const std::string& place) const {
    if (!value.is_object()) return place + " is no object";
    for (const json& name : schema.value("required", json::array())) {
      if (!value.contains(name)) return Text(place, " has no ", name);
    }
    const json properties = schema.value("properties", json::object());
    const bool is_map = schema.contains("additionalProperties");
    for (const auto& [name, member] : value.items()) {
      if (!properties.contains(name) && !is_map) {
        return properties.empty() ? "" : Text(place, " has a member ", name);
      }
      std::string wrong = WrongIn(
          member, is_map ? schema["additionalProperties"] : properties[name],
          Text(place, ".", name));
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

  const json& document_;
};

class OpenApiTest : public ApiTest {
 protected:
  std::string WrongIn(const HttpResponse& response, const std::string& path,
                      const std::string& method) const {
    return SchemaCheck(document_).WrongIn(
        json::parse(response.body),
        document_["paths"][path][method]["responses"]["200"]["content"]
                 ["application/json"]["schema"],
        "the answer");
  }

  json document_ = json::parse(OpenApiDocument());
};

TEST_F(OpenApiTest, EverythingThatIsSentIsInIt) {
  EXPECT_EQ(WrongIn(Get("/health"), "/health", "get"), "");
  EXPECT_EQ(WrongIn(Get("/ready"), "/ready", "get"), "");
  EXPECT_EQ(WrongIn(Get("/api/v1/releases"), "/api/v1/releases", "get"), "");
  std::vector<ReleaseContent> releases = {TwoInputContent()};
  for (const TaskKind task : AllOf<TaskKind>()) {
    releases.push_back(SmallContentOf(task));
  }
  const std::string pattern = "/api/v1/releases/{name}";
  for (const ReleaseContent& content : releases) {
    const std::string name =
        Text(NameOf(content.task), "-", content.inputs.size());
    SCOPED_TRACE(name);
    Write(name + ".cloak", content);
    catalogue_->Refresh();
    const std::string target = "/api/v1/releases/" + name;
    EXPECT_EQ(WrongIn(Get(target), pattern, "get"), "");
    const std::string rows = content.histogram ? R"({"rows":[[1,"Oslo"]]})"
                             : content.inputs.size() == 2
                                 ? R"({"rows":[[1,2]]})"
                                 : R"({"rows":[[1]]})";
    EXPECT_EQ(
        WrongIn(Post(target + "/predict", rows), pattern + "/predict", "post"),
        "");
    EXPECT_EQ(WrongIn(Post(target + "/plot",
                           content.histogram ? "{}" : R"({"inputs":["age"]})"),
                      pattern + "/plot", "post"),
              "");
    if (!KindOf(content.task).has_output) continue;
    EXPECT_EQ(
        WrongIn(Post(target + "/samples", rows), pattern + "/samples", "post"),
        "");
  }
}

TEST_F(OpenApiTest, ANumberThatIsTooLargeIsNullAsItSays) {
  ReleaseContent content = TwoInputContent();
  content.posteriors[0].kernel = Kernel::Parse("linear(variance=1)");
  content.posteriors[0].jitter = 1;
  Write("lines.cloak", content);
  catalogue_->Refresh();
  const HttpResponse response =
      Post("/api/v1/releases/lines/predict", R"({"rows": [[1e308, 30]]})");
  EXPECT_THAT(response.body, HasSubstr("null"));
  EXPECT_EQ(WrongIn(response, "/api/v1/releases/{name}/predict", "post"), "");
}

TEST_F(OpenApiTest, NamesTheLicence) {
  EXPECT_EQ(document_["info"]["license"]["name"], "Apache-2.0");
  EXPECT_THAT(document_["info"]["license"]["url"].get<std::string>(),
              HasSubstr("apache.org"));
}

TEST_F(OpenApiTest, EveryOperationHasANameAndSaysWhatIsRefused) {
  std::set<std::string> names;
  for (const auto& [path, operations] : document_["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) {
      SCOPED_TRACE(path);
      EXPECT_TRUE(
          names.insert(operation.at("operationId").get<std::string>()).second);
      bool has_refusal = false;
      for (const auto& [status, response] : operation["responses"].items()) {
        if (status[0] == '4') has_refusal = true;
        if (response.contains("$ref")) {
          EXPECT_TRUE(document_.contains(json::json_pointer(
              response["$ref"].get<std::string>().substr(1))));
        }
      }
      EXPECT_TRUE(has_refusal);
    }
  }
}

TEST_F(OpenApiTest, LimitsAreThoseThatHold) {
  const json& schemas = document_["components"]["schemas"];
  const json& query = schemas["Query"]["properties"];
  EXPECT_EQ(query["rows"]["maxItems"], ApiLimits().rows);
  for (const char* const end : {"minimum", "maximum"}) {
    ExpectError(Predict(Text(R"({"rows":[[1]],"interval":)",
                             query["interval"][end].dump(), "}")),
                400, "invalid_query");
  }
  const json& points = schemas["PlotRequest"]["properties"]["points"];
  const auto plot = [this](int64_t count) {
    return Post(Text(kRelease, "/plot"),
                Text(R"({"inputs":["age"],"points":)", count, "}"))
        .status;
  };
  EXPECT_EQ(plot(points["maximum"].get<int64_t>()), 200);
  EXPECT_EQ(plot(points["maximum"].get<int64_t>() + 1), 400);
  EXPECT_EQ(plot(points["minimum"].get<int64_t>()), 200);
  EXPECT_EQ(plot(points["minimum"].get<int64_t>() - 1), 400);
  const json& samples = schemas["SampleQuery"]["properties"];
  EXPECT_EQ(samples["rows"]["maxItems"], ApiLimits().sampled_rows);
  EXPECT_EQ(samples["count"]["maximum"], ApiLimits().samples);
}

TEST_F(OpenApiTest, AWholeNumberMayBeWrittenWithAPoint) {
  const auto draw = [this](const std::string& numbers) {
    return Post(Text(kRelease, "/samples"),
                Text(R"({"rows":[[1]],)", numbers, "}"));
  };
  const HttpResponse whole = draw(R"("seed":1,"count":2)");
  EXPECT_EQ(draw(R"("seed":1.0,"count":2.0)").body, whole.body);
  EXPECT_EQ(draw(R"("seed":10e-1,"count":0.2e1)").body, whole.body);
  EXPECT_EQ(Post(Text(kRelease, "/plot"), R"({"inputs":["age"],"points":5.0})")
                .status,
            200);
  for (const char* const seed :
       {"1.5", "-1.0", "1e300", "18446744073709551616", "9007199254740993.0"}) {
    ExpectError(draw(Text("\"seed\":", seed)), 400, "invalid_query");
  }
}

}  // namespace
}  // namespace cloak
