// The server in this process, with limits that its options do not have.
#include <gmock/gmock.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "apps/server/http_server.h"
#include "cloak/server/api.h"
#include "cloak/server/catalogue.h"
#include "tests/integration/serve_fixture.h"

namespace cloak {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr size_t kMegabyte = size_t{1} << 20;

class LocalServer {
 public:
  LocalServer(const std::string& directory, HttpServerOptions options)
      : catalogue_({directory}),
        log_(out_, {}),
        page_(40 * kMegabyte, 'x'),
        // No string is as long as the second.
        assets_({Asset{"/", "text/html", page_},
                 Asset{"/broken", "text/html", {page_.data(), SIZE_MAX}}}),
        api_(catalogue_, metrics_, Tokens(), {}, assets_) {
    catalogue_.Refresh();
    options.port = 0;
    server_.emplace(api_, metrics_, log_, options);
    thread_ = std::thread([this] { server_->Run([] {}); });
  }
  ~LocalServer() {
    // Those who still wait do not count.
    kill(getpid(), SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(getpid(), SIGTERM);
    thread_.join();
  }
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  uint16_t port() const { return server_->port(); }
  std::string Ask(const std::string& request) const {
    RawClient client(port());
    client.Send(request);
    return client.Receive();
  }

 private:
  Catalogue catalogue_;
  Metrics metrics_;
  std::ostringstream out_;
  AccessLog log_;
  std::string page_;
  std::array<Asset, 2> assets_;
  Api api_;
  std::optional<HttpServer> server_;
  std::thread thread_;
};

// Whether nothing that was sent to or from this port is still to be read.
bool NothingWaits(uint16_t port) {
  const auto is_ours = [port](const std::string& address) {
    constexpr int kHexadecimal = 16;
    return std::stoul(address.substr(address.find(':') + 1), nullptr,
                      kHexadecimal) == port;
  };
  std::ifstream connections("/proc/net/tcp");
  std::string line;
  std::getline(connections, line);
  while (std::getline(connections, line)) {
    std::istringstream words(line);
    std::string number;
    std::string here;
    std::string there;
    std::string state;
    std::string queues;
    words >> number >> here >> there >> state >> queues;
    if ((is_ours(here) || is_ours(there)) && queues != "00000000:00000000") {
      return false;
    }
  }
  return true;
}

using ServeMemoryTest = ServeTest;

TEST_F(ServeMemoryTest, AnswersThatNobodyTakesAreBounded) {
  const LocalServer server(Path("releases"), {.held_bytes = 60 * kMegabyte});
  const std::string page = Request("GET", "/");
  RawClient slow(server.port());
  slow.Send(page);
  // An answer whose beginning has come is held.
  EXPECT_TRUE(slow.HasSome());
  EXPECT_THAT(server.Ask(page), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(server.Ask(Request("GET", "/health")),
              StartsWith("HTTP/1.1 200 "));
  EXPECT_GT(slow.Receive().size(), 40 * kMegabyte);
  // The server hears a moment later that all of it was taken.
  EXPECT_TRUE(Eventually([&server, &page] {
    return server.Ask(page).starts_with("HTTP/1.1 200 ");
  }));
}

TEST_F(ServeMemoryTest, BodiesThatDoNotEndAreBounded) {
  const LocalServer server(Path("releases"), {.body_bytes = 30 * kMegabyte,
                                              .held_bytes = 40 * kMegabyte});
  const std::string head =
      Text("POST ", kPredict, " HTTP/1.1\r\nHost: here\r\n",
           "Content-Type: application/json\r\nContent-Length: ", 30 * kMegabyte,
           "\r\n\r\n");
  const std::string most(25 * kMegabyte, ' ');
  RawClient first(server.port());
  EXPECT_TRUE(first.Send(head + most));
  // The server has read it all before the second begins. Twice: what is on its
  // way from one queue to the other may be missed once.
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(Eventually([&server] { return NothingWaits(server.port()); }));
  }
  RawClient second(server.port());
  second.Send(head + most);
  EXPECT_THAT(second.Receive(), StartsWith("HTTP/1.1 503 "));
  first.Send(std::string(5 * kMegabyte, ' '));
  EXPECT_THAT(first.Receive(), HasSubstr("malformed_json"));
}

TEST_F(ServeMemoryTest, WhatFailsIsSaidAndTheServerLives) {
  const LocalServer server(Path("releases"), {});
  // With a body, it is for the workers.
  for (const std::string body : {"", "x"}) {
    const std::string response = server.Ask(Request("GET", "/broken", body));
    EXPECT_THAT(response, StartsWith("HTTP/1.1 500 "));
    EXPECT_THAT(Body(response), StartsWith(R"({"error":{"code":"internal")"));
  }
  EXPECT_THAT(server.Ask(Request("GET", "/health")),
              StartsWith("HTTP/1.1 200 "));
}

}  // namespace
}  // namespace cloak
