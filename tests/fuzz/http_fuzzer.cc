// Requests from strangers, to a service that holds releases of every kind. The
// input is
//   METHOD TARGET
//   Content-Type
//   Content-Encoding
//   Authorization
//   body
// Whatever it is, the answer is 2xx or 4xx, never 5xx; an error says what is
// wrong in JSON, JSON is JSON, and a prediction has as many finite numbers as
// there were rows.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "cloak/release/file_format.h"
#include "cloak/server/api.h"
#include "cloak/server/http_error.h"
#include "cloak/server/query.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/json_mutator.h"
#include "tests/testing/small_release.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace cloak {
namespace {

constexpr char kToken[] = "0123456789abcdef0123456789abcdef";
// Small, so that a request takes little time whatever it asks for.
constexpr ApiLimits kLimits = {.rows = 60,
                               .sampled_rows = 20,
                               .samples = 500,
                               .curve_points = 30,
                               .map_points = 6};
constexpr size_t kHeaderLines = 4;

// Names that must be quoted.
ReleaseContent QuotedClasses() {
  ReleaseContent content = ClassContent();
  content.classes = {"healthy", "\"ill\""};
  return content;
}

ReleaseContent QuotedInput() {
  ReleaseContent content = TwoInputContent();
  content.inputs[1].name = "weight, kg";
  return content;
}

// Answers nothing far from its basis points.
ReleaseContent ShortMachine() {
  ReleaseContent content = MachineContent();
  content.posteriors[0].kernel = Kernel::Eq(1, 0.5);
  return content;
}

// The service, once with and once without tokens.
class Service {
 public:
  Service() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "cloak-fuzz-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    Write("heights", SmallContent());
    Write("states", QuotedClasses());
    Write("maps", QuotedInput());
    Write("machine", ShortMachine());
    Write("density", DensityContent());
    Write("counts", HistogramContent());
    catalogue_.emplace(std::vector<std::filesystem::path>{directory_});
    catalogue_->Refresh();
    Check(catalogue_->Snapshot()->size() == 6, "every release is served");
    std::filesystem::remove_all(directory_);
    open_.emplace(*catalogue_, metrics_, Tokens(), kLimits);
    closed_.emplace(*catalogue_, metrics_, Tokens(kToken), kLimits);
  }

  const Api& open() const { return *open_; }
  const Api& closed() const { return *closed_; }

 private:
  void Write(const std::string& name, const ReleaseContent& content) const {
    std::ofstream(directory_ / (name + ".cloak"))
        << ReleaseToJson(Release(content));
  }

  std::filesystem::path directory_;
  std::optional<Catalogue> catalogue_;
  Metrics metrics_;
  std::optional<Api> open_;
  std::optional<Api> closed_;
};

// Where the body begins: after the lines of the header.
size_t BodyOf(std::string_view input) {
  size_t begin = 0;
  for (size_t line = 0; line < kHeaderLines; ++line) {
    const size_t end = input.find('\n', begin);
    if (end == std::string_view::npos) return input.size();
    begin = end + 1;
  }
  return begin;
}

HttpRequest RequestOf(std::string_view input) {
  const size_t body = BodyOf(input);
  std::vector<std::string> lines = Split(input.substr(0, body), '\n');
  lines.resize(kHeaderLines);
  const size_t space = std::min(lines[0].find(' '), lines[0].size());
  HttpRequest request;
  request.method = lines[0].substr(0, space);
  request.target = lines[0].substr(std::min(space + 1, lines[0].size()));
  request.content_type = lines[1];
  request.content_encoding = lines[2];
  request.authorization = lines[3];
  request.body = input.substr(body);
  return request;
}

void CheckError(const nlohmann::json& json) {
  const nlohmann::json error = json.value("error", nlohmann::json::object());
  for (const char* const part : {"code", "message", "hint"}) {
    Check(error.contains(part) && error[part].is_string() &&
              !error[part].get<std::string>().empty(),
          Text("an error has a ", part));
  }
}

// Every list of an answer is as long as its rows, and has no null in it.
void CheckColumns(const nlohmann::json& json) {
  for (const auto& [name, column] : json.items()) {
    if (!column.is_array()) continue;
    Check(column.size() == json["rows"].get<size_t>(),
          Text("there are as many of ", name, " as rows"));
    for (const nlohmann::json& value : column) {
      Check(value.is_number() || value.is_string(), Text(name, " is finite"));
    }
  }
}

void CheckTable(const HttpRequest& request, const HttpResponse& response) {
  const CsvOptions text = {.all_text = true};
  const auto asked =
      UnlessRefused([&] { return ParseCsv(request.body, "asked", text); });
  const auto answered =
      UnlessRefused([&] { return ParseCsv(response.body, "answered", text); });
  Check(asked && answered && asked->rows() == answered->rows(),
        "an answer has the rows that were asked");
  for (const std::string& name : asked->header()) {
    Check(asked->TextColumn(name) == answered->TextColumn(name),
          "an answer repeats the columns that were asked");
  }
}

void CheckHeaders(const HttpResponse& response) {
  const auto plain = [](std::string_view text) {
    return text.find_first_of("\r\n") == std::string_view::npos;
  };
  Check(plain(response.content_type), "a content type is one line");
  for (const auto& [name, value] : response.headers) {
    Check(plain(name) && plain(value), "a header is one line");
  }
  const auto routes = Api::Routes();
  Check(response.route == "none" || std::any_of(routes.begin(), routes.end(),
                                                [&](const Api::Route& route) {
                                                  return route.pattern ==
                                                         response.route;
                                                }),
        "a route is the server's own word");
}

void CheckAnswer(const HttpRequest& request, const HttpResponse& response) {
  Check((response.status >= 200 && response.status < 300) ||
            (response.status >= 400 && response.status < 500),
        Text("the status is 2xx or 4xx, not ", response.status));
  CheckHeaders(response);
  const bool is_error = response.status >= 400;
  if (response.content_type.starts_with("application/json")) {
    const auto json =
        nlohmann::json::parse(response.body, nullptr, /*exceptions=*/false);
    Check(!json.is_discarded(), "JSON is JSON");
    if (is_error) CheckError(json);
    if (json.is_object() && json.contains("rows")) CheckColumns(json);
  } else {
    Check(!is_error, "an error is JSON");
    if (response.content_type.starts_with("text/csv")) {
      CheckTable(request, response);
    }
  }
}

// The numbers of a body are those that a JSON library finds in it, and what it
// does not take for JSON is refused.
void CheckQuery(const ReleaseContent& content, const std::string& body) {
  Query query;
  try {
    query = ParseQuery(body, content, kLimits.rows);
  } catch (const HttpError& error) {
    Check(error.status() == 400 || error.status() == 413,
          "a body that is not understood is the client's fault");
    return;
  }
  const auto json = nlohmann::json::parse(body, nullptr, /*exceptions=*/false);
  Check(!json.is_discarded(), "what is not JSON is refused");
  const nlohmann::json& rows = json["rows"];
  Check(query.rows.rows() == static_cast<Index>(rows.size()) &&
            query.rows.cols() == static_cast<Index>(content.inputs.size()),
        "a query has the rows of its body");
  for (Index i = 0; i < query.rows.rows(); ++i) {
    for (Index j = 0; j < query.rows.cols(); ++j) {
      const nlohmann::json& row = rows[static_cast<size_t>(i)];
      const auto column = static_cast<size_t>(j);
      const nlohmann::json& cell =
          row.is_array() ? row[column] : row[content.inputs[column].name];
      Check(query.rows(i, j) == cell.get<double>(),
            "a query has the numbers of its body");
    }
  }
}

void CheckRequest(std::string_view input) {
  static const std::vector<ReleaseContent> contents = {SmallContent(),
                                                       QuotedInput()};
  static const Service service;
  const HttpRequest request = RequestOf(input);
  for (const ReleaseContent& content : contents) {
    CheckQuery(content, request.body);
  }
  const HttpResponse response = service.open().Handle(request);
  CheckAnswer(request, response);
  const HttpResponse closed = service.closed().Handle(request);
  CheckAnswer(request, closed);
  const bool has_token =
      request.authorization.find(kToken) != std::string::npos;
  Check(has_token || closed.release.empty() || closed.status >= 400,
        "without a token no release answers");
}

}  // namespace
}  // namespace cloak

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cloak::CheckRequest({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned int seed) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const size_t body = cloak::BodyOf(input);
  if (seed % 2 != 0 && body < size) {
    const std::string mutated =
        cloak::MutatedJson(input.substr(body), seed / 2);
    if (!mutated.empty() && body + mutated.size() <= max_size) {
      std::memcpy(data + body, mutated.data(), mutated.size());
      return body + mutated.size();
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
