// The real program on a real port: what only sockets, signals and files show.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

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

TEST_F(ServeTest, RequestsAreNumberedInTheLogAndInTheAnswer) {
  const ServerProcess server(Args({}), Path("log"));
  const std::string first = Ask(server, Request("GET", "/health"));
  const std::string second = Ask(server, "nonsense\r\n\r\n");
  const auto id = [](const std::string& response) {
    const std::string header = "X-Request-Id: ";
    const size_t place = response.find(header) + header.size();
    return response.substr(place, response.find('\r', place) - place);
  };
  EXPECT_NE(id(first), id(second));
  EXPECT_TRUE(Eventually([&] {
    return server.Out().find(Text("\"id\":\"", id(first), "\"")) !=
               std::string::npos &&
           server.Out().find(Text("\"id\":\"", id(second), "\"")) !=
               std::string::npos;
  }));
}

TEST_F(ServeTest, PassesOverEmptyLinesBeforeARequest) {
  const ServerProcess server(Args({}), Path("log"));
  RawClient client(server.port());
  client.Send("\r\n" + Request("GET", "/health") + "\r\n\r\n");
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 200 "));
  client.Send(Request("GET", "/health"));
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(ServeTest, PicksUpNewFiles) {
  const ServerProcess server(Args({}), Path("log"));
  WriteRelease("later");
  EXPECT_TRUE(Eventually([&server] {
    return Ask(server, Request("GET", "/api/v1/releases/later"))
        .starts_with("HTTP/1.1 200");
  }));
}

TEST_F(ServeTest, KeepsServingWhatAHalfWrittenFileReplaces) {
  std::ofstream(Path("releases/broken.cloak")) << "{";
  const ServerProcess server(Args({}), Path("log"));
  // It is moved there: one that is written there could be seen empty too, and
  // be refused twice.
  std::ofstream(Path("half")) << "{\"format\":";
  std::filesystem::rename(Path("half"), Path("releases/heights.cloak"));
  std::string metrics;
  Eventually([&server, &metrics] {
    metrics = Ask(server, Request("GET", "/metrics"));
    return metrics.find("{outcome=\"refused\"} 2") != std::string::npos;
  });
  EXPECT_THAT(metrics, HasSubstr("cloak_files_total{outcome=\"refused\"} 2\n"));
  EXPECT_THAT(metrics, HasSubstr("cloak_files_total{outcome=\"served\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("cloak_releases 1\n"));
  EXPECT_THAT(Ask(server, Request("POST", kPredict, R"({"rows": [[2]]})")),
              StartsWith("HTTP/1.1 200"));
  // A thread of its own writes the log.
  EXPECT_TRUE(Eventually([&server] {
    return server.Out().find("not serving") != std::string::npos;
  }));
}

TEST_F(ServeTest, FinishesWhatItHasBegunWhenToldToEnd) {
  ServerProcess server(Args({}), Path("log"));
  std::string rows = "{\"rows\": [[1]";
  for (int i = 0; i < 5000; ++i) rows += ",[2.5]";
  rows += "]}";
  RawClient idle(server.port());
  RawClient busy(server.port());
  const std::string request =
      Request("POST", kPredict, rows, "Expect: 100-continue\r\n");
  // Once it is told to go on, the request is under way.
  busy.Send(request.substr(0, request.size() - rows.size()));
  EXPECT_THAT(busy.Receive(), StartsWith("HTTP/1.1 100 "));
  busy.Send(rows.substr(0, rows.size() / 2));
  server.Signal(SIGTERM);
  EXPECT_TRUE(idle.IsClosed());
  busy.Send(rows.substr(rows.size() / 2));
  const std::string response = busy.Receive();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(response, HasSubstr("Connection: close"));
  EXPECT_EQ(json::parse(Body(response))["rows"], 5001);
  EXPECT_TRUE(busy.IsClosed());
  EXPECT_FALSE(RawClient(server.port()).connected());
  EXPECT_EQ(server.Wait(), 0);
}

TEST_F(ServeTest, EndsAtOnceWhenToldTwiceWhateverWaits) {
  ServerProcess server(Args({}), Path("log"));
  // Each takes a while, and there are more than threads.
  std::string rows = "{\"count\": 1000, \"rows\": [[0]";
  for (int i = 1; i < 1000; ++i) rows += Text(",[", i, "]");
  rows += "]}";
  const std::string request =
      Request("POST", "/api/v1/releases/heights/samples", rows);
  std::vector<RawClient> clients;
  for (int i = 0; i < 30; ++i) {
    clients.emplace_back(server.port());
    clients.back().Send(request);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  server.Signal(SIGTERM);
  // Two signals that come before the first is seen are one.
  EXPECT_TRUE(Eventually([&server] {
    return server.Out().find("ending: ") != std::string::npos;
  }));
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0) << server.Err();
}

TEST_F(ServeTest, ServesWithoutALogWhenNobodyReadsIt) {
  ASSERT_EQ(mkfifo(Path("log.out").c_str(), 0600), 0);
  const int reader = open(Path("log.out").c_str(), O_RDONLY | O_NONBLOCK);
  const ServerProcess piped(Args({}), Path("log"));
  close(reader);
  std::filesystem::create_symlink("/dev/full", Path("full.out"));
  const ServerProcess full(Args({}), Path("full"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Ask(piped, Request("GET", "/health")),
                StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(Ask(full, Request("GET", "/health")),
                StartsWith("HTTP/1.1 200"));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
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

TEST_F(ServeTest, AsksForTheTokenBeforeTheBody) {
  std::ofstream(Path("tokens")) << kToken << "\n";
  const ServerProcess server(Args({"--token-file", Path("tokens")}),
                             Path("log"));
  const std::string head =
      Text("POST ", kPredict, " HTTP/1.1\r\nHost: here\r\n",
           "Content-Type: application/json\r\n");
  const std::string announced = "Content-Length: 4000000\r\n";
  const std::string waits = "Expect: 100-continue\r\n";
  const std::string token = Text("Authorization: Bearer ", kToken, "\r\n");
  // None of these sends a body.
  const std::vector<std::string> refused = {
      announced, announced + waits,
      std::string("Transfer-Encoding: chunked\r\n")};
  std::vector<RawClient> clients;
  for (const std::string& headers : refused) {
    clients.emplace_back(server.port());
    clients.back().Send(Text(head, headers, "\r\n"));
  }
  // Each is closed after some seconds, all of them at the same time.
  for (size_t i = 0; i < refused.size(); ++i) {
    EXPECT_THAT(clients[i].Receive(), StartsWith("HTTP/1.1 401 "))
        << refused[i];
    EXPECT_TRUE(clients[i].IsClosed());
  }
  // A token after the body comes too late.
  RawClient late(server.port());
  late.Send(Text(head, "Transfer-Encoding: chunked\r\n\r\n",
                 "f\r\n{\"rows\": [[1]]}\r\n0\r\n", token, "\r\n"));
  EXPECT_THAT(late.Receive(), StartsWith("HTTP/1.1 401 "));
  // What is refused with its body there leaves the connection open.
  RawClient client(server.port());
  client.Send(Request("POST", kPredict, R"({"rows": [[1]]})") +
              Request("GET", "/health"));
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 200 "));
  // Who has one is told to go on.
  RawClient patient(server.port());
  patient.Send(Text(head, token, waits, "Content-Length: 15\r\n\r\n"));
  EXPECT_EQ(patient.Receive(), "HTTP/1.1 100 Continue\r\n\r\n");
  patient.Send(R"({"rows": [[1]]})");
  EXPECT_THAT(patient.Receive(), StartsWith("HTTP/1.1 200 OK"));
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
