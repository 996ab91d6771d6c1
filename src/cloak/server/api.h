#ifndef CLOAK_SERVER_API_H_
#define CLOAK_SERVER_API_H_

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cloak/linalg/threads.h"
#include "cloak/server/assets.h"
#include "cloak/server/catalogue.h"
#include "cloak/server/message.h"
#include "cloak/server/metrics.h"
#include "cloak/server/path.h"
#include "cloak/server/token.h"

namespace cloak {

// The most that one request may ask for, which bounds the work for it.
struct ApiLimits {
  Index rows = 100'000;                   // of a prediction
  Index cells = 2'000'000;                // of a table, whatever is in them
  size_t table_bytes = size_t{64} << 20;  // of a table, unpacked
  Index sampled_rows = 1000;              // their covariance is factorised
  Index samples = 1'000'000;              // numbers in an answer
  Index curve_points = 1000;
  Index map_points = 100;  // along each of the two axes
  size_t plot_bytes = 1 << 16;
};

// The whole service as a function from request to response: no sockets, no
// threads of its own, no state but the counts. Safe to call from several
// threads at once. `assets` are the files of a page, if it has one.
class Api {
 public:
  struct Route {
    std::string_view method;
    std::string_view pattern;
    bool open;  // without a token
    HttpResponse (Api::*answer)(const HttpRequest&, const Path&,
                                const std::string& name) const;
  };
  static std::span<const Route> Routes();

  Api(const Catalogue& catalogue, Metrics& metrics, Tokens tokens,
      ApiLimits limits = {}, std::span<const Asset> assets = {});

  // Sets the tokens that clients need from then on. May be called while
  // requests are answered.
  void ReplaceTokens(Tokens tokens);

  // Returns the response, also when something goes wrong, and counts it in the
  // metrics.
  HttpResponse Handle(const HttpRequest& request) const;

  // Returns why a request of which the body is still to come is refused
  // whatever its body will be: there is no such path or method, or the client
  // may not ask. A refusal is counted in the metrics.
  std::optional<HttpResponse> RefuseHead(const HttpRequest& head) const;

  // Returns whether it is answered in less than it takes to hand it to another
  // thread: everything but batches, large releases, tables, samples and plots.
  bool IsQuick(const HttpRequest& request) const;

 private:
  // Returns the answer, or a response without a body where `answer` is false
  // and the head is no reason to refuse.
  HttpResponse Respond(const HttpRequest& request, bool answer) const;
  HttpResponse Dispatch(const HttpRequest& request, bool answer) const;
  const Route& FindRoute(const Path& path, std::string& name) const;
  std::shared_ptr<const Tokens> CurrentTokens() const;
  void CheckHead(const HttpRequest& request, const Route& route) const;
  std::shared_ptr<const ServedRelease> Find(const std::string& name) const;

  HttpResponse Page(const HttpRequest&, const Path&, const std::string&) const;
  HttpResponse Health(const HttpRequest&, const Path&,
                      const std::string&) const;
  HttpResponse Ready(const HttpRequest&, const Path&, const std::string&) const;
  HttpResponse ShowMetrics(const HttpRequest&, const Path&,
                           const std::string&) const;
  HttpResponse OpenApi(const HttpRequest&, const Path&,
                       const std::string&) const;
  HttpResponse List(const HttpRequest&, const Path&, const std::string&) const;
  HttpResponse Describe(const HttpRequest&, const Path&,
                        const std::string& name) const;
  HttpResponse Predict(const HttpRequest& request, const Path& path,
                       const std::string& name) const;
  HttpResponse Sample(const HttpRequest& request, const Path& path,
                      const std::string& name) const;
  HttpResponse Plot(const HttpRequest& request, const Path& path,
                    const std::string& name) const;

  const Catalogue& catalogue_;
  Metrics& metrics_;
  mutable std::mutex tokens_mutex_;
  std::shared_ptr<const Tokens> tokens_;
  ApiLimits limits_;
  std::span<const Asset> assets_;
  Threads threads_;
};

}  // namespace cloak

#endif  // CLOAK_SERVER_API_H_
