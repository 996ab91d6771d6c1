#include "apps/server/http_server.h"

#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <csignal>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "apps/server/http_session.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

namespace net = boost::asio;
namespace ssl = net::ssl;
using Tcp = net::ip::tcp;
using ErrorCode = boost::system::error_code;

// As many files as the system lets this process open; of those, some are for
// other things than connections.
size_t MostConnections(size_t wanted) {
  constexpr rlim_t kOtherFiles = 64;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur <= 2 * kOtherFiles) return kOtherFiles;
  return std::min<size_t>(wanted, limit.rlim_cur - kOtherFiles);
}

void CheckTls(const ErrorCode& error, const std::string& what,
              const std::string& file) {
  RequireInput(!error, "cannot use '", file, "' as ", what, ": ",
               error.message(), "; it must be in PEM format");
}

// Null without a certificate.
std::shared_ptr<ssl::context> TlsContext(const HttpServerOptions& options) {
  RequireInput(options.tls_certificate.empty() == options.tls_key.empty(),
               "TLS needs both a certificate and its key: --tls-cert and "
               "--tls-key");
  if (options.tls_certificate.empty()) return nullptr;
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  ErrorCode error;
  context->use_certificate_chain_file(options.tls_certificate, error);
  CheckTls(error, "a certificate", options.tls_certificate);
  context->use_private_key_file(options.tls_key, ssl::context::pem, error);
  CheckTls(error, "the key of that certificate", options.tls_key);
  return context;
}

}  // namespace

int HttpThreads() {
  return std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
}

class HttpServer::Impl {
 public:
  Impl(const Api& api, Metrics& metrics, AccessLog& log,
       const HttpServerOptions& options)
      : options_(options),
        service_{api, metrics, log, options_, workers_},
        tls_(TlsContext(options)) {
    options_.connections = MostConnections(options_.connections);
    service_.on_empty = [this] { net::post(control_, [this] { Finish(); }); };
    Bind();
  }

  // Connections that are open still end without telling anybody.
  ~Impl() {
    service_.on_empty = [] {};
  }

  uint16_t port() const { return acceptor_.local_endpoint().port(); }

  void Run(const std::function<void()>& refresh,
           const std::function<void()>& reload) {
    reload_ = reload;
    WaitForSignal();
    Accept();
    RefreshLater(refresh);
    std::vector<std::thread> threads;
    for (int i = 1; i < HttpThreads(); ++i) {
      threads.emplace_back([this] { RunContext(); });
    }
    RunContext();
    for (std::thread& thread : threads) thread.join();
    workers_.join();
  }

 private:
  void Bind() {
    ErrorCode error;
    const net::ip::address address =
        net::ip::make_address(options_.address, error);
    RequireInput(!error,
                 "--address must be an address of this machine, "
                 "such as 127.0.0.1 or ::, but is '",
                 options_.address, "'");
    const Tcp::endpoint endpoint(address, options_.port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(Tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error)
      acceptor_.listen(net::socket_base::max_listen_connections, error);
    RequireInput(!error, "cannot listen on ", options_.address, " port ",
                 options_.port, ": ", error.message(),
                 "; choose another --port");
  }

  // What fails for one connection must not end the others.
  void RunContext() {
    for (;;) {
      try {
        context_.run();
        return;
      } catch (const std::exception& error) {
        service_.log.Note(Text("a connection failed: ", error.what()));
      }
    }
  }

  void Accept() {
    acceptor_.async_accept(
        net::make_strand(context_),
        net::bind_executor(
            control_, [this](ErrorCode error, HttpSocket socket) {
              if (!acceptor_.is_open()) return;
              if (error) {
                // Out of files, most likely: asking again at once would spin.
                accept_timer_.expires_after(std::chrono::milliseconds(100));
                accept_timer_.async_wait(
                    net::bind_executor(control_, [this](ErrorCode stopped) {
                      if (!stopped && acceptor_.is_open()) Accept();
                    }));
                return;
              }
              StartOne(std::move(socket));
              Accept();
            }));
  }

  void StartOne(HttpSocket socket) {
    const bool full = service_.metrics.connections() >=
                      static_cast<int64_t>(options_.connections);
    if (!tls_) {
      StartSession(std::move(socket), service_, full);
    } else if (!full) {
      StartTlsSession(std::move(socket), service_, *tls_);
    }
  }

  void WaitForSignal() {
    signals_.async_wait(
        net::bind_executor(control_, [this](ErrorCode error, int signal) {
          if (error) return;
          if (signal == SIGHUP) {
            WaitForSignal();
            if (!service_.draining) net::post(workers_, [this] { Reload(); });
            return;
          }
          if (service_.draining) return Stop();
          WaitForSignal();
          Drain();
        }));
  }

  // On a thread of the workers. What cannot be read anew stays as it is.
  void Reload() {
    try {
      reload_();
    } catch (const std::exception& error) {
      service_.log.Note(Text("not reloaded: ", error.what()));
    }
    try {
      std::shared_ptr<ssl::context> tls = TlsContext(options_);
      net::post(control_, [this, tls = std::move(tls)] { tls_ = tls; });
    } catch (const std::exception& error) {
      service_.log.Note(
          Text("the certificate stays as it was: ", error.what()));
    }
  }

  void RefreshLater(const std::function<void()>& refresh) {
    refresh_timer_.expires_after(options_.refresh);
    refresh_timer_.async_wait(
        net::bind_executor(control_, [this, refresh](ErrorCode error) {
          if (error || service_.draining) return;
          net::post(workers_, [this, refresh] {
            try {
              refresh();
            } catch (const std::exception& failure) {
              service_.log.Note(
                  Text("cannot look at the files: ", failure.what()));
            }
            net::post(control_, [this, refresh] {
              if (!service_.draining) RefreshLater(refresh);
            });
          });
        }));
  }

  void Drain() {
    service_.log.Note("ending: no more connections, finishing answers");
    ErrorCode ignored;
    acceptor_.close(ignored);
    accept_timer_.cancel();
    refresh_timer_.cancel();
    drain_timer_.expires_after(options_.drain);
    drain_timer_.async_wait(
        net::bind_executor(control_, [this](ErrorCode error) {
          if (!error) Stop();
        }));
    const std::lock_guard lock(service_.mutex);
    service_.draining = true;
    for (HttpSession* session : service_.sessions) session->Drain();
    if (service_.sessions.empty()) service_.on_empty();
  }

  // Without waiting for anything.
  void Stop() {
    workers_.stop();
    context_.stop();
  }

  // Nothing is left to wait for, so the threads come to an end.
  void Finish() {
    ErrorCode ignored;
    signals_.cancel(ignored);
    drain_timer_.cancel();
  }

  // Connections are destroyed with what holds them, the questions that wait
  // for a worker and then the context, and so before what they use.
  HttpServerOptions options_;
  HttpService service_;
  // Connections keep the one that they began with.
  std::shared_ptr<ssl::context> tls_;
  net::io_context context_;
  net::thread_pool workers_{static_cast<size_t>(
      options_.workers > 0 ? options_.workers : HttpThreads())};
  net::strand<net::io_context::executor_type> control_ =
      net::make_strand(context_);
  Tcp::acceptor acceptor_{context_};
  net::steady_timer accept_timer_{context_};
  net::steady_timer refresh_timer_{context_};
  net::steady_timer drain_timer_{context_};
  net::signal_set signals_{context_, SIGTERM, SIGINT, SIGHUP};
  std::function<void()> reload_;
};

HttpServer::HttpServer(const Api& api, Metrics& metrics, AccessLog& log,
                       const HttpServerOptions& options)
    : impl_(std::make_unique<Impl>(api, metrics, log, options)) {}

HttpServer::~HttpServer() = default;

uint16_t HttpServer::port() const { return impl_->port(); }

void HttpServer::Run(const std::function<void()>& refresh,
                     const std::function<void()>& reload) {
  impl_->Run(refresh, reload);
}

}  // namespace cloak
