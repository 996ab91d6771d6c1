#include "cloak/server/api.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "cloak/base/nearest_name.h"
#include "cloak/base/text.h"
#include "cloak/server/answer.h"
#include "cloak/server/assets.h"
#include "cloak/server/http_error.h"
#include "cloak/server/openapi.h"
#include "cloak/server/plot_data.h"
#include "cloak/server/query.h"
#include "cloak/server/query_table.h"

namespace cloak {
namespace {

std::string MediaType(const HttpRequest& request) {
  std::string type =
      request.content_type.substr(0, request.content_type.find(';'));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  for (char& c : type) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return type;
}

[[noreturn]] void RefuseType(const std::string& types) {
  throw HttpError(
      415, "unsupported_type",
      Text("the body must be ", types, ", as the header Content-Type says it"),
      "with curl: -H 'Content-Type: application/json'");
}

void RequireJson(const HttpRequest& request) {
  if (MediaType(request) != "application/json") RefuseType("application/json");
}

PredictOptions CsvPredictOptions(const Path& path) {
  const auto refuse = [](const std::string& message) {
    throw HttpError(400, "invalid_parameter", message,
                    "for instance ?interval=0.8&latent=true");
  };
  PredictOptions options;
  for (const auto& [name, value] : path.parameters) {
    if (name == "interval") {
      options.interval = ParseNumber(value, "the parameter 'interval'");
      if (!(options.interval > 0 && options.interval < 1)) {
        refuse("the parameter 'interval' must lie between 0 and 1");
      }
    } else if (name == "latent" && (value == "true" || value == "false")) {
      options.latent = value == "true";
    } else {
      refuse(name == "latent"
                 ? "the parameter 'latent' must be true or false"
                 : "there is a parameter other than interval and latent");
    }
  }
  return options;
}

HttpResponse JsonResponse(std::string body) {
  HttpResponse response;
  response.body = std::move(body);
  if (!response.body.ends_with('\n')) response.body += '\n';
  return response;
}

// Returns whether "gzip" is among what the client takes, and not with weight 0.
bool TakesGzip(const std::string& accept_encoding) {
  for (const std::string& part : Split(accept_encoding, ',')) {
    const size_t begin = part.find_first_not_of(" \t");
    if (begin == std::string::npos || part.compare(begin, 4, "gzip") != 0) {
      continue;
    }
    const std::string rest = part.substr(begin + 4);
    const size_t weight = rest.find("q=");
    return weight == std::string::npos ||
           rest.find_first_of("123456789", weight) != std::string::npos;
  }
  return false;
}

// Lets the client keep the asset and ask only whether it is still the same.
void AddTag(const Asset& asset, bool zip, const std::string& known,
            HttpResponse& response) {
  if (asset.tag.empty()) return;
  const std::string tag =
      Text("\"", std::string(asset.tag), zip ? "-gzip" : "", "\"");
  response.cache_control = "no-cache";
  response.headers.emplace_back("ETag", tag);
  response.headers.emplace_back("Vary", "Accept-Encoding");
  if (known != "*" && known.find(tag) == std::string::npos) return;
  constexpr int kNotModified = 304;
  response.status = kNotModified;
  response.body.clear();
}

// Returns the response to a failure of the server itself.
HttpResponse FailureResponse(const std::exception& error) {
  const bool no_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  HttpResponse response = ErrorResponse(
      no_memory
          ? HttpError(503, "out_of_memory",
                      "the server has too little memory for this now",
                      "send fewer rows at once, or try again in a few seconds")
          : HttpError(500, "internal", "the server failed to answer",
                      "try again; if it stays so, tell who runs this server"));
  response.failure = no_memory ? "out of memory" : error.what();
  return response;
}

}  // namespace

std::span<const Api::Route> Api::Routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/", true, &Api::Page},
      Route{"GET", "/health", true, &Api::Health},
      Route{"GET", "/ready", true, &Api::Ready},
      Route{"GET", "/metrics", false, &Api::ShowMetrics},
      Route{"GET", "/openapi.json", true, &Api::OpenApi},
      Route{"GET", "/api/v1/releases", false, &Api::List},
      Route{"GET", "/api/v1/releases/{name}", false, &Api::Describe},
      Route{"POST", "/api/v1/releases/{name}/predict", false, &Api::Predict},
      Route{"POST", "/api/v1/releases/{name}/samples", false, &Api::Sample},
      Route{"POST", "/api/v1/releases/{name}/plot", false, &Api::Plot},
  };
  return kRoutes;
}

Api::Api(const Catalogue& catalogue, Metrics& metrics, Tokens tokens,
         ApiLimits limits, std::span<const Asset> assets)
    : catalogue_(catalogue),
      metrics_(metrics),
      tokens_(std::make_shared<const Tokens>(std::move(tokens))),
      limits_(limits),
      assets_(assets) {}

void Api::ReplaceTokens(Tokens tokens) {
  auto replacement = std::make_shared<const Tokens>(std::move(tokens));
  const std::lock_guard lock(tokens_mutex_);
  tokens_ = std::move(replacement);
}

std::shared_ptr<const Tokens> Api::CurrentTokens() const {
  const std::lock_guard lock(tokens_mutex_);
  return tokens_;
}

bool Api::IsQuick(const HttpRequest& request) const {
  constexpr size_t kSmallBody = 1024;
  constexpr double kSmallWork = 2e6;
  if (request.body.empty()) return true;
  // Not CSV, a kilobyte of which may unpack to a megabyte.
  if (request.body.size() > kSmallBody ||
      !request.content_type.starts_with("application/json")) {
    return false;
  }
  std::string_view target = request.target;
  target = target.substr(0, target.find_first_of("?#"));
  constexpr std::string_view kPredict = "/predict";
  if (!target.ends_with(kPredict)) return false;
  target.remove_suffix(kPredict.size());
  const std::shared_ptr<const Catalogue::Releases> releases =
      catalogue_.Snapshot();
  const auto found =
      releases->find(std::string(target.substr(target.rfind('/') + 1)));
  if (found == releases->end()) {
    return target.find('%') == std::string_view::npos;
  }
  // A row is no shorter than "[1,2],".
  const ServedRelease& served = *found->second;
  const size_t inputs = served.release.content().inputs.size();
  const size_t most_rows = request.body.size() / (2 * inputs + 2);
  return static_cast<double>(most_rows) * served.work_per_row <= kSmallWork;
}

HttpResponse Api::Handle(const HttpRequest& request) const {
  HttpResponse response = Respond(request, /*answer=*/true);
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - request.arrived;
  metrics_.Count(request.method, response, elapsed.count());
  return response;
}

std::optional<HttpResponse> Api::RefuseHead(const HttpRequest& head) const {
  HttpResponse response = Respond(head, /*answer=*/false);
  if (response.status < 400) return std::nullopt;
  metrics_.Count(head.method, response, 0);
  return response;
}

HttpResponse Api::Respond(const HttpRequest& request, bool answer) const {
  try {
    return Dispatch(request, answer);
  } catch (const HttpError& error) {
    return ErrorResponse(error);
  } catch (const std::exception& error) {
    return FailureResponse(error);
  }
}

const Api::Route& Api::FindRoute(const Path& path, std::string& name) const {
  for (const Route& route : Routes()) {
    if (std::optional<std::string> found = Match(route.pattern, path)) {
      name = std::move(*found);
      return route;
    }
  }
  // Every file of the page goes the way of "/".
  for (const Asset& asset : assets_) {
    if (asset.path == path.text) return Routes().front();
  }
  throw HttpError(404, "unknown_path", "there is nothing at this path",
                  "GET /openapi.json lists the paths there are");
}

void Api::CheckHead(const HttpRequest& request, const Route& route) const {
  if (route.method != (request.method == "HEAD" ? "GET" : request.method)) {
    throw HttpError(405, "method_not_allowed",
                    Text("this path answers ", route.method, " only"),
                    "GET /openapi.json lists what each path takes");
  }
  const std::shared_ptr<const Tokens> tokens = CurrentTokens();
  if (!route.open && tokens->required() &&
      !tokens->Accepts(request.authorization)) {
    throw HttpError(401, "no_valid_token",
                    "this server asks for a token, and the request has "
                    "none that it knows",
                    "send the header Authorization: Bearer TOKEN");
  }
  if (!request.content_encoding.empty() &&
      request.content_encoding != "identity") {
    throw HttpError(415, "unsupported_encoding",
                    "this server takes bodies without Content-Encoding",
                    "send it as it is; a CSV table may be a gzip file");
  }
}

HttpResponse Api::Dispatch(const HttpRequest& request, bool answer) const {
  const Path path = ParseTarget(request.target);
  std::string name;
  const Route& route = FindRoute(path, name);
  name = Catalogue::ReadableName(name);
  HttpResponse response;
  try {
    CheckHead(request, route);
    if (answer) {
      response = (this->*route.answer)(request, path, name);
      response.release = name;
    }
  } catch (const HttpError& error) {
    response = ErrorResponse(error);
  } catch (const InvalidInput& error) {
    response = ErrorResponse(HttpError(400, "invalid_query", error.what(),
                                       "mend the request and send it again"));
  } catch (const std::exception& error) {
    response = FailureResponse(error);
  }
  if (response.status != 200 && catalogue_.Snapshot()->contains(name)) {
    response.release = name;
  }
  if (response.status == 405) {
    response.headers.emplace_back("Allow",
                                  route.method == "GET" ? "GET, HEAD" : "POST");
  }
  if (response.status == 401) {
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  response.route = route.pattern;
  return response;
}

std::shared_ptr<const ServedRelease> Api::Find(const std::string& name) const {
  const std::shared_ptr<const Catalogue::Releases> releases =
      catalogue_.Snapshot();
  const auto found = releases->find(name);
  if (found != releases->end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, release] : *releases) names.push_back(known);
  const std::string nearest = NearestName(name, names);
  throw HttpError(404, "unknown_release",
                  "this server has no release of that name",
                  nearest.empty() ? "GET /api/v1/releases lists those it has"
                                  : Text("did you mean '", nearest, "'?"));
}

HttpResponse Api::Page(const HttpRequest& request, const Path& path,
                       const std::string&) const {
  for (const Asset& asset : assets_) {
    if (asset.path != path.text) continue;
    HttpResponse response;
    response.content_type = asset.content_type;
    const bool zip =
        !asset.gzipped.empty() && TakesGzip(request.accept_encoding);
    response.body = zip ? asset.gzipped : asset.content;
    // Whatever a release is called or says, nothing but the page's own script
    // runs, and nothing leaves for another place.
    response.headers = {
        {"Content-Security-Policy",
         "default-src 'self'; img-src 'self' data:; object-src 'none'; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"}};
    if (zip) response.headers.emplace_back("Content-Encoding", "gzip");
    AddTag(asset, zip, request.if_none_match, response);
    return response;
  }
  throw HttpError(404, "no_page", "this server has no page",
                  "GET /openapi.json lists the paths there are");
}

HttpResponse Api::Health(const HttpRequest&, const Path&,
                         const std::string&) const {
  const bool is_degraded = catalogue_.IsDegraded();
  HttpResponse response;
  response.body = "{\"status\":\"";
  response.body += is_degraded ? "degraded" : "ok";
  response.body += "\",\"releases\":";
  response.body += std::to_string(catalogue_.Snapshot()->size());
  if (is_degraded) {
    // The log says which one: anybody may ask for this.
    response.body +=
        ",\"problem\":\"a directory that is served cannot be read; its "
        "releases stay as they were, and the log says why\"";
  }
  response.body += "}\n";
  return response;
}

HttpResponse Api::Ready(const HttpRequest&, const Path&,
                        const std::string&) const {
  if (catalogue_.Snapshot()->empty()) {
    throw HttpError(503, "not_ready", "there is no release to ask yet",
                    "GET /health says how the server is");
  }
  return JsonResponse("{\"ready\":true}");
}

HttpResponse Api::ShowMetrics(const HttpRequest&, const Path&,
                              const std::string&) const {
  HttpResponse response;
  response.content_type = "text/plain; version=0.0.4";
  response.body =
      metrics_.Text(catalogue_.Snapshot()->size(), catalogue_.IsDegraded());
  return response;
}

HttpResponse Api::OpenApi(const HttpRequest&, const Path&,
                          const std::string&) const {
  return JsonResponse(OpenApiDocument());
}

HttpResponse Api::List(const HttpRequest&, const Path&,
                       const std::string&) const {
  std::string json = "{\"releases\":[";
  const std::shared_ptr<const Catalogue::Releases> releases =
      catalogue_.Snapshot();
  for (const auto& [name, served] : *releases) {
    if (json.back() != '[') json += ",\n";
    json += served->summary;
  }
  json += "]}";
  return JsonResponse(std::move(json));
}

HttpResponse Api::Describe(const HttpRequest&, const Path&,
                           const std::string& name) const {
  return JsonResponse(Find(name)->description);
}

HttpResponse Api::Predict(const HttpRequest& request, const Path& path,
                          const std::string& name) const {
  const auto served = Find(name);
  const Release& release = served->release;
  const std::string type = MediaType(request);
  if (type == "text/csv") {
    const PredictOptions options = CsvPredictOptions(path);
    const Table queries = ParseQueryTable(request.body, release, limits_);
    HttpResponse response;
    response.content_type = "text/csv; charset=utf-8";
    response.body = AnswerCsv(release, queries, options, threads_);
    return response;
  }
  if (type != "application/json") RefuseType("application/json or text/csv");
  const Query query = ParseQuery(request.body, release.content(), limits_.rows);
  HttpResponse response;
  std::string& json = response.body;
  ((json += "{\"release\":") += JsonString(name)) += ",\"rows\":";
  (json += std::to_string(query.rows.rows())) += ',';
  AppendAnswerJson(release, query.rows, query.options, threads_, json);
  json += "}\n";
  return response;
}

HttpResponse Api::Sample(const HttpRequest& request, const Path&,
                         const std::string& name) const {
  const auto served = Find(name);
  RequireJson(request);
  const TaskKind task = served->release.content().task;
  if (!KindOf(task).has_output) {
    throw HttpError(
        400, "no_samples",
        Text("a release of a ", NameOf(task), " has no functions to draw"),
        "POST to its /predict or /plot");
  }
  Query query =
      ParseQuery(request.body, served->release.content(), limits_.sampled_rows);
  if (query.count * std::max<Index>(query.rows.rows(), 1) > limits_.samples) {
    throw HttpError(413, "too_many_samples",
                    Text("rows times count is more than ", limits_.samples),
                    "draw fewer functions, or with several seeds");
  }
  // A class has no noise around its log odds.
  if (!KindOf(task).has_observations) query.options.latent = true;
  const Matrix samples = served->release.Sample(
      query.rows, query.count, query.seed, query.options, threads_);
  std::string json = Text("{\"release\":", JsonString(name), ",\"samples\":[");
  for (Index k = 0; k < samples.cols(); ++k) {
    if (k > 0) json += ',';
    AppendJson(Vector(samples.col(k)), json);
  }
  json += "]}";
  return JsonResponse(std::move(json));
}

HttpResponse Api::Plot(const HttpRequest& request, const Path&,
                       const std::string& name) const {
  const auto served = Find(name);
  RequireJson(request);
  std::string json = Text("{\"release\":", JsonString(name), ",");
  AppendPlot(served->release, ParsePlot(served->release, request.body, limits_),
             threads_, json);
  json += '}';
  return JsonResponse(std::move(json));
}

}  // namespace cloak
