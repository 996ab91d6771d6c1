// The real program on a real port: what only sockets, signals and files show.
#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "cloak/base/text.h"
#include "tests/integration/serve_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kToken[] = "0123456789abcdef0123456789abcdef";

TEST_F(ServeTest, AnswersOneRequestAfterAnotherOnOneConnection) {
  const ServerProcess server(Args({}), Path("log"));
  RawClient client(server.port());
  // Both at once: the second waits its turn.
  client.Send(Request("GET", "/health") +
              Request("POST", kPredict, R"({"rows": [[2], [7]]})"));
  EXPECT_THAT(client.Receive(), HasSubstr("\"status\":\"ok\""));
  const std::string response = client.Receive();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200 OK"));
  EXPECT_EQ(json::parse(Body(response))["mean"].size(), 2U);
  EXPECT_THAT(
      Ask(server, Request("HEAD", "/health", "", "Connection: close\r\n")),
      StartsWith("HTTP/1.1 200 OK"));
}

TEST_F(ServeTest, PicksUpNewFiles) {
  const ServerProcess server(Args({}), Path("log"));
  WriteRelease("later");
  std::string response;
  for (int i = 0; i < 100 && !response.starts_with("HTTP/1.1 200"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    response = Ask(server, Request("GET", "/api/v1/releases/later"));
  }
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200"));
}

TEST_F(ServeTest, KeepsServingWhatAHalfWrittenFileReplaces) {
  std::ofstream(Path("releases/broken.cloak")) << "{";
  const ServerProcess server(Args({}), Path("log"));
  std::ofstream(Path("releases/heights.cloak")) << "{\"format\":";
  std::string metrics;
  for (int i = 0; i < 100; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    metrics = Ask(server, Request("GET", "/metrics"));
    if (metrics.find("{outcome=\"refused\"} 2") != std::string::npos) break;
  }
  EXPECT_THAT(metrics, HasSubstr("cloak_files_total{outcome=\"refused\"} 2\n"));
  EXPECT_THAT(metrics, HasSubstr("cloak_files_total{outcome=\"served\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("cloak_releases 1\n"));
  EXPECT_THAT(Ask(server, Request("POST", kPredict, R"({"rows": [[2]]})")),
              StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(server.Out(), HasSubstr("not serving"));
}

TEST_F(ServeTest, FinishesWhatItHasBegunWhenToldToEnd) {
  ServerProcess server(Args({}), Path("log"));
  std::string rows = "{\"rows\": [[1]";
  for (int i = 0; i < 5000; ++i) rows += ",[2.5]";
  rows += "]}";
  RawClient idle(server.port());
  RawClient busy(server.port());
  const std::string request = Request("POST", kPredict, rows);
  // Half of it: the request is under way.
  busy.Send(request.substr(0, request.size() / 2));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  server.Signal(SIGTERM);
  EXPECT_TRUE(idle.IsClosed());
  busy.Send(request.substr(request.size() / 2));
  const std::string response = busy.Receive();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(response, HasSubstr("Connection: close"));
  EXPECT_EQ(json::parse(Body(response))["rows"], 5001);
  EXPECT_TRUE(busy.IsClosed());
  EXPECT_FALSE(RawClient(server.port()).connected());
  EXPECT_EQ(server.Wait(), 0);
}

TEST_F(ServeTest, LogsRequestsWithoutWhatWasAsked) {
  ServerProcess server(Args({}), Path("log"));
  Ask(server, Request("POST", kPredict, R"({"rows": [[7.125]]})"));
  Ask(server, Request("GET", "/secret-path?secret-parameter=1"));
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
  const std::string log = server.Out();
  EXPECT_THAT(log, HasSubstr("\"release\":\"heights\""));
  EXPECT_THAT(log, HasSubstr("\"status\":404"));
  EXPECT_THAT(log, Not(HasSubstr("7.125")));
  EXPECT_THAT(log, Not(HasSubstr("secret")));
  for (const std::string& line : Split(log, '\n')) {
    EXPECT_TRUE(line.empty() || json::accept(line)) << line;
  }
}

TEST_F(ServeTest, LogsWhatWasAskedWhenToldTo) {
  ServerProcess server(Args({"--log-queries"}), Path("log"));
  Ask(server, Request("POST", kPredict, R"({"rows": [[7.125]]})"));
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
  EXPECT_THAT(server.Out(), HasSubstr("7.125"));
}

TEST_F(ServeTest, AsksForTheToken) {
  std::ofstream(Path("tokens")) << kToken << "\n";
  const ServerProcess server(Args({"--token-file", Path("tokens")}),
                             Path("log"));
  EXPECT_THAT(Ask(server, Request("GET", "/api/v1/releases")),
              StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(
      Ask(server, Request("GET", "/api/v1/releases", "",
                          Text("Authorization: Bearer ", kToken, "\r\n"))),
      StartsWith("HTTP/1.1 200 "));
}

TEST_F(ServeTest, SpeaksTls) {
  Output(
      Text("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "
           "/CN=localhost -addext subjectAltName=DNS:localhost -keyout ",
           Path("key.pem"), " -out ", Path("cert.pem"), " 2>&1"));
  const ServerProcess server(
      Args({"--tls-cert", Path("cert.pem"), "--tls-key", Path("key.pem")}),
      Path("log"));
  const std::string url = Text("localhost:", server.port(), "/health 2>&1");
  EXPECT_THAT(Output(Text("curl -s --cacert ", Path("cert.pem"),
                          " --resolve localhost:", server.port(),
                          ":127.0.0.1 https://", url)),
              HasSubstr("\"status\":\"ok\""));
  // Not without it, and not in an old version of it.
  EXPECT_THAT(Ask(server, Request("GET", "/health")), Not(HasSubstr("ok")));
  EXPECT_THAT(Output(Text("curl -sk --tls-max 1.1 https://", url)),
              Not(HasSubstr("ok")));
}

}  // namespace
}  // namespace cloak
