#ifndef CLOAK_APPS_SERVER_HTTP_SESSION_H_
#define CLOAK_APPS_SERVER_HTTP_SESSION_H_

#include <atomic>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <mutex>
#include <random>
#include <set>
#include <string>

#include "apps/server/access_log.h"
#include "apps/server/http_server.h"
#include "cloak/base/text.h"
#include "cloak/server/api.h"

namespace cloak {

// What happens to one connection happens on its strand, one thing at a time. To
// name the type, rather than to let Asio erase it, saves time in every step.
using HttpStrand = boost::asio::strand<boost::asio::io_context::executor_type>;
using HttpSocket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, HttpStrand>;

// A connection, as the server sees it.
class HttpSession {
 public:
  virtual ~HttpSession() = default;
  // Closes it now if it is idle, and otherwise after the answer under way. May
  // be called from any thread.
  virtual void Drain() = 0;
};

// What all connections share.
struct HttpService {
  const Api& api;
  Metrics& metrics;
  AccessLog& log;
  const HttpServerOptions& options;
  boost::asio::thread_pool& workers;
  // Requests are numbered; the beginning tells those of two servers apart.
  std::string first_of_ids = Text(std::hex, std::random_device()());
  std::atomic<uint64_t> requests = 0;
  std::atomic<size_t> waiting = 0;
  // Bytes of large bodies and answers that connections hold.
  std::atomic<size_t> held = 0;
  std::atomic<bool> draining = false;

  std::mutex mutex = {};
  std::set<HttpSession*> sessions = {};
  // Called when draining and the last session has gone.
  std::function<void()> on_empty = {};
};

// Starts a connection, which keeps itself alive until it is closed. With
// `refuse`, all it does is say that the server is too busy.
void StartSession(HttpSocket socket, HttpService& service, bool refuse);
void StartTlsSession(HttpSocket socket, HttpService& service,
                     boost::asio::ssl::context& context);

}  // namespace cloak

#endif  // CLOAK_APPS_SERVER_HTTP_SESSION_H_
