#include "apps/server/http_session.h"

#include <array>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "apps/server/http_head.h"
#include "apps/server/request_reader.h"
#include "cloak/server/http_error.h"

namespace cloak {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
using Clock = std::chrono::steady_clock;
using ErrorCode = boost::system::error_code;

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// One connection: handshake, then requests one after another, each read whole
// before it is answered. Everything but the computing happens on the socket's
// strand, so nothing here is locked.
template <typename Stream>
class Session : public HttpSession,
                public std::enable_shared_from_this<Session<Stream>> {
 public:
  template <typename... Args>
  Session(HttpService& service, HttpSocket socket, Args&... args)
      : service_(service),
        stream_(std::move(socket), args...),
        timer_(stream_.get_executor()),
        reader_({service.options.header_bytes, service.options.body_bytes}) {
    ErrorCode error;
    const auto peer = Socket().remote_endpoint(error);
    if (!error) client_ = peer.address().to_string();
    // Answers are written whole: waiting for more to send only delays them.
    Socket().set_option(net::ip::tcp::no_delay(true), error);
    service_.metrics.ConnectionOpened();
    const std::lock_guard lock(service_.mutex);
    service_.sessions.insert(this);
  }

  ~Session() override {
    Hold(0);
    service_.metrics.ConnectionClosed();
    const std::lock_guard lock(service_.mutex);
    service_.sessions.erase(this);
    if (service_.draining && service_.sessions.empty()) service_.on_empty();
  }

  void Start(bool refuse) {
    // Onto the strand first.
    net::post(stream_.get_executor(), [self = Self(), refuse] {
      if (refuse) {
        self->Fail(
            TooBusy("the server has as many connections as it can hold"));
      } else {
        self->Open();
      }
    });
  }

  void Drain() override {
    // It may be on its way out already.
    std::shared_ptr<Session> self = this->weak_from_this().lock();
    if (!self) return;
    const auto executor = stream_.get_executor();
    net::post(executor, [self = std::move(self)] {
      if (self->phase_ == kIdle) self->Close();
    });
  }

 private:
  enum Phase { kIdle, kReading, kAnswering, kWriting, kLingering, kClosed };

  std::shared_ptr<Session> Self() { return this->shared_from_this(); }
  HttpSocket& Socket() { return beast::get_lowest_layer(stream_); }

  void Open() {
    if constexpr (std::is_same_v<Stream, HttpSocket>) {
      NextRequest();
    } else {
      SetDeadline(service_.options.timeout);
      stream_.async_handshake(net::ssl::stream_base::server,
                              [self = Self()](ErrorCode error) {
                                if (error) return self->Close();
                                self->NextRequest();
                              });
    }
  }

  // What happens when `time` passes before the phase ends depends on the phase:
  // see OnTimer. A timer that waits already is left alone, unless it would
  // wake too late: setting it anew for every request would cost more than
  // reading one.
  void SetDeadline(std::chrono::milliseconds time) {
    deadline_ = Clock::now() + time;
    if (!timer_waits_ || timer_.expiry() > deadline_) Wait();
  }
  void NoDeadline() { deadline_ = Clock::time_point::max(); }

  void Wait() {
    timer_waits_ = true;
    timer_.expires_at(deadline_);
    timer_.async_wait([self = Self()](ErrorCode error) {
      if (error || self->phase_ == kClosed) return;
      self->timer_waits_ = false;
      if (self->deadline_ <= Clock::now()) return self->OnTimer();
      if (self->deadline_ < Clock::time_point::max()) self->Wait();
    });
  }

  void OnTimer() {
    if (phase_ != kReading) return Close();
    // The reading operation ends with an error, and the client is told.
    timed_out_ = true;
    ErrorCode ignored;
    Socket().cancel(ignored);
  }

  void NextRequest() {
    phase_ = kIdle;
    timed_out_ = false;
    SetDeadline(service_.options.timeout);
    if (reader_.SkipEmptyLines()) return BeginRequest();
    if (service_.draining) return Close();
    // Ten thousand idle connections should not hold what their last requests
    // needed.
    reader_.Shrink();
    ReadSome();
  }

  // The whole request must come in time, counted from its first byte.
  void BeginRequest() {
    phase_ = kReading;
    SetDeadline(service_.options.timeout);
    reader_.Begin();
    Read();
  }

  void ReadSome() {
    stream_.async_read_some(reader_.Space(),
                            [self = Self()](ErrorCode error, size_t bytes) {
                              self->OnSome(error, bytes);
                            });
  }

  void OnSome(ErrorCode error, size_t bytes) {
    if (phase_ == kClosed) return;
    if (timed_out_) {
      return Fail(TooSlow(
          std::chrono::duration<double>(service_.options.timeout).count()));
    }
    if (error) return Close();
    reader_.Add(bytes);
    if (phase_ == kIdle) {
      return reader_.SkipEmptyLines() ? BeginRequest() : ReadSome();
    }
    Read();
  }

  void Read() {
    for (;;) {
      switch (reader_.Read()) {
        case RequestReader::Outcome::kIncomplete:
          Hold(reader_.body_bytes());
          if (held_ > 0 && HoldsTooMuch()) return Fail(HeldTooMuch());
          return ReadSome();
        case RequestReader::Outcome::kHead:
          if (!OnHead()) return;
          break;
        case RequestReader::Outcome::kRequest:
          return OnRequest();
        case RequestReader::Outcome::kRefused:
          return Fail(reader_.refusal());
      }
    }
  }

  // Whether the body is to be read now. What is refused by its head is refused
  // before the rest of it is waited for; if it is all there, its answer says
  // so, and the connection stays.
  bool OnHead() {
    const RequestHead& head = reader_.head();
    request_ = ToRequest(head);
    keep_alive_ = reader_.keep_alive();
    if (const std::optional<HttpError> refusal = CheckHead(head)) {
      Fail(*refusal);
      return false;
    }
    if (reader_.HasWholeBody()) return true;
    if (std::optional<HttpResponse> refusal =
            service_.api.RefuseHead(request_)) {
      keep_alive_ = false;
      Send(std::move(*refusal));
      return false;
    }
    if (!AsksToContinue(head)) return true;
    Continue();
    return false;
  }

  void Continue() {
    net::async_write(stream_, net::buffer(kContinue.data(), kContinue.size()),
                     [self = Self()](ErrorCode error, size_t) {
                       if (error) return self->Close();
                       self->Read();
                     });
  }

  void OnRequest() {
    phase_ = kAnswering;
    NoDeadline();
    request_.body = reader_.TakeBody();
    request_.arrived = Clock::now();
    const bool may_compute =
        service_.options.answers_at_once || request_.body.empty();
    if (may_compute && service_.api.IsQuick(request_)) {
      return Send(service_.api.Handle(request_));
    }
    if (service_.waiting >= service_.options.waiting) {
      return Fail(TooBusy("the server has as much to compute as it can"));
    }
    if (HoldsTooMuch()) return Fail(HeldTooMuch());
    Hold(request_.body.size());
    ++service_.waiting;
    // The guard keeps the threads of the sockets at work meanwhile.
    net::post(
        service_.workers,
        [self = Self(), guard = net::make_work_guard(stream_.get_executor())] {
          self->Compute();
        });
  }

  // On a thread of the workers.
  void Compute() {
    --service_.waiting;
    try {
      auto response =
          std::make_shared<HttpResponse>(service_.api.Handle(request_));
      net::post(stream_.get_executor(), [self = Self(), response] {
        self->Send(std::move(*response));
      });
    } catch (const std::exception&) {
      // There is not even memory to say so: the connection ends when nobody
      // holds it any more.
    }
  }

  // What this connection holds, of what may be large.
  void Hold(size_t bytes) {
    constexpr size_t kSmall = 16384;
    const size_t counted = bytes < kSmall ? 0 : bytes;
    if (counted == held_) return;
    service_.held += counted - held_;
    held_ = counted;
  }
  bool HoldsTooMuch() const {
    return service_.held > service_.options.held_bytes;
  }
  static HttpError HeldTooMuch() {
    return TooBusy(
        "the server holds as many requests and answers as it can: others are "
        "slow to send or to take theirs");
  }

  // An error that ends the connection: after it, nobody knows where the next
  // request would begin.
  void Fail(const HttpError& error) {
    keep_alive_ = false;
    timed_out_ = false;
    request_.arrived = Clock::now();
    HttpResponse response = ErrorResponse(error);
    service_.metrics.Count("", response, 0);
    Send(std::move(response));
  }

  void Send(HttpResponse response) {
    phase_ = kWriting;
    Hold(response.body.size());
    if (held_ > 0 && HoldsTooMuch()) {
      Hold(0);
      return Fail(HeldTooMuch());
    }
    const std::chrono::duration<double> elapsed =
        Clock::now() - request_.arrived;
    // One that was never read whole, nor even its head, gets one as well.
    request_.id =
        service_.first_of_ids + "-" + std::to_string(++service_.requests);
    response.headers.emplace_back("X-Request-Id", request_.id);
    service_.log.Record(request_, response, client_, elapsed.count());
    if (service_.draining) keep_alive_ = false;
    head_ = ResponseHead(response, keep_alive_);
    body_ = request_.method == "HEAD" ? "" : std::move(response.body);
    // While the answer is taken, what was asked need not be held.
    request_ = {};
    reader_.End();
    SetDeadline(service_.options.timeout);
    net::async_write(stream_,
                     std::array{net::buffer(head_), net::buffer(body_)},
                     [self = Self()](ErrorCode error, size_t) {
                       self->body_ = {};
                       self->Hold(0);
                       if (error) return self->Close();
                       if (!self->keep_alive_) return self->Linger();
                       self->NextRequest();
                     });
  }

  // Closing while the client still sends would reset the connection, and it
  // might never see its answer: what comes is thrown away for a moment.
  void Linger() {
    constexpr std::chrono::seconds kLongest(2);
    phase_ = kLingering;
    SetDeadline(kLongest);
    if constexpr (std::is_same_v<Stream, HttpSocket>) {
      ErrorCode error;
      Socket().shutdown(net::socket_base::shutdown_send, error);
      if (error) return Close();
      reader_.Clear();
      Discard();
    } else {
      stream_.async_shutdown([self = Self()](ErrorCode) { self->Close(); });
    }
  }

  void Discard() {
    Socket().async_read_some(reader_.Space(),
                             [self = Self()](ErrorCode error, size_t) {
                               if (error) return self->Close();
                               self->Discard();
                             });
  }

  void Close() {
    if (phase_ == kClosed) return;
    phase_ = kClosed;
    timer_.cancel();
    ErrorCode ignored;
    Socket().close(ignored);
  }

  HttpService& service_;
  Stream stream_;
  net::basic_waitable_timer<Clock, net::wait_traits<Clock>, HttpStrand> timer_;
  Clock::time_point deadline_ = {};
  bool timer_waits_ = false;
  std::string client_;
  Phase phase_ = kIdle;
  bool timed_out_ = false;
  bool keep_alive_ = false;
  size_t held_ = 0;
  RequestReader reader_;
  HttpRequest request_;
  std::string head_;
  std::string body_;
};

}  // namespace

void StartSession(HttpSocket socket, HttpService& service, bool refuse) {
  std::make_shared<Session<HttpSocket>>(service, std::move(socket))
      ->Start(refuse);
}

void StartTlsSession(HttpSocket socket, HttpService& service,
                     net::ssl::context& context) {
  std::make_shared<Session<net::ssl::stream<HttpSocket>>>(
      service, std::move(socket), context)
      ->Start(/*refuse=*/false);
}

}  // namespace cloak
