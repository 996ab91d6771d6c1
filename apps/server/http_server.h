#ifndef CLOAK_APPS_SERVER_HTTP_SERVER_H_
#define CLOAK_APPS_SERVER_HTTP_SERVER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "apps/server/access_log.h"
#include "cloak/server/api.h"

namespace cloak {

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 8080;  // 0: any that is free
  // Files in PEM format; both or neither.
  std::string tls_certificate = {};
  std::string tls_key = {};
  // The most a request may hold. A longer body is refused when its length is
  // announced, or when it has come so far, and is never kept.
  size_t header_bytes = size_t{16} << 10;
  size_t body_bytes = size_t{4} << 20;
  // For a whole request to arrive, and for a whole answer to be taken; also how
  // long a connection may stay idle.
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  // For answers under way when the server is told to end.
  std::chrono::milliseconds drain = std::chrono::seconds(30);
  std::chrono::milliseconds refresh = std::chrono::seconds(1);
  // Threads that compute what takes long; 0: as many as there are cores.
  int workers = 0;
  // Whether the threads that hold the connections compute what is quick
  // themselves. Otherwise the workers compute everything.
  bool answers_at_once = true;
  // Connections at once; further ones are told to come back.
  size_t connections = 20'000;
  // Batches, samples and plots that wait for a thread.
  size_t waiting = 64;
  // Bodies that are coming and answers that are not taken yet, all together:
  // with more, what is large is refused.
  size_t held_bytes = size_t{1} << 30;
};

// How many threads hold the connections.
int HttpThreads();

// HTTP/1.1 for an Api, with TLS or without. A few threads hold all
// connections; long answers are computed by others, so that short ones and
// health checks need not wait for them.
class HttpServer {
 public:
  // Binds the port. Throws InvalidInput when that, or reading the certificate
  // or its key, fails.
  HttpServer(const Api& api, Metrics& metrics, AccessLog& log,
             const HttpServerOptions& options);
  ~HttpServer();

  uint16_t port() const;

  // Serves until SIGTERM or SIGINT; then takes no more connections, finishes
  // the answers under way and returns. A second signal ends it at once.
  // `refresh` is called now and then. On SIGHUP, connections from then on get
  // the certificate that its file has then, and `reload` is called.
  void Run(
      const std::function<void()>& refresh,
      const std::function<void()>& reload = [] {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cloak

#endif  // CLOAK_APPS_SERVER_HTTP_SERVER_H_
