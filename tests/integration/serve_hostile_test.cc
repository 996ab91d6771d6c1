// Clients that break every rule there is: each gets the right status and a JSON
// error, and the server lives on.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cloak/base/text.h"
#include "tests/integration/serve_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using Requests = std::vector<std::pair<std::string, std::string>>;

class HostileTest : public ServeTest {
 protected:
  // Each on a connection of its own.
  static void ExpectStatuses(const ServerProcess& server,
                             const Requests& requests) {
    for (const auto& [request, status] : requests) {
      SCOPED_TRACE(request.substr(0, 200));
      RawClient client(server.port());
      client.Send(request);
      const std::string response = client.Receive();
      EXPECT_THAT(response, StartsWith(Text("HTTP/1.1 ", status, " ")));
      const json error = json::parse(Body(response), nullptr, false);
      EXPECT_TRUE(error.is_object() && error.contains("error")) << response;
      for (const char* const member : {"code", "message", "hint"}) {
        EXPECT_FALSE(error["error"].value(member, "").empty()) << member;
      }
      // What came after it was not taken for another request.
      const bool ends = response.find("Connection: close") != std::string::npos;
      if (ends) {
        EXPECT_EQ(client.Receive(), "");
      }
      ExpectAlive(server);
    }
  }
  static void ExpectAlive(const ServerProcess& server) {
    EXPECT_THAT(Ask(server, Request("GET", "/health")),
                StartsWith("HTTP/1.1 200"));
  }
  static std::string WithHeaders(const std::string& headers,
                                 const std::string& body = "") {
    return Text("POST ", kPredict, " HTTP/1.1\r\nHost: here\r\n",
                "Content-Type: application/json\r\n", headers, "\r\n", body);
  }
};

TEST_F(HostileTest, WhatIsNotHttpIsRefused) {
  const ServerProcess server(Args({}), Path("log"));
  const std::string get = "GET /health HTTP/1.1\r\nHost: here\r\n";
  ExpectStatuses(
      server,
      {{"GET / HTTP/9.9\r\nHost: here\r\n\r\n", "400"},
       {"nonsense\r\n\r\n", "400"},
       {std::string("\0\1\2\3\r\n\r\n", 8), "400"},
       {"\x16\x03\x01\x02\x01\x01\xfc\x03\r\n\r\n", "400"},
       {"GET /health HTTP/1.1\r\n\r\n", "400"},
       {Text(get, "Host: there\r\n\r\n"), "400"},
       {Text(get, "no colon\r\n\r\n"), "400"},
       {Text(get, "X : blank\r\n\r\n"), "400"},
       {Text(get, std::string("X: \0\r\n\r\n", 8)), "400"},
       {Text("GET /", std::string(20'000, 'a'), " HTTP/1.1\r\n\r\n"), "431"},
       {Text(get, "X: ", std::string(20'000, 'a'), "\r\n\r\n"), "431"}});
  std::string many = get;
  for (int i = 0; i < 5000; ++i) many += "X: 1\r\n";
  ExpectStatuses(server, {{Text(many, "\r\n"), "431"}});
}

TEST_F(HostileTest, BodiesOfDoubtfulLengthAreRefused) {
  const ServerProcess server(Args({}), Path("log"));
  const std::string inner = Request("GET", "/api/v1/releases");
  const std::string chunk = "3\r\n{}\n\r\n0\r\n\r\n";
  Requests requests;
  for (const std::string length : {"-1", "+2", "0x2", "2e0", "", "2 2",
                                   "99999999999999999999999", "2, 2", "2, 3"}) {
    requests.emplace_back(
        WithHeaders(Text("Content-Length: ", length, "\r\n"), "{}"), "400");
  }
  for (const std::string headers :
       {"Content-Length: 2\r\nContent-Length: 3\r\n",
        "Content-Length: 2\r\nContent-Length: 2\r\n",
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding: identity\r\n", "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding : chunked\r\n"}) {
    // A server that reads the length in another way would answer `inner`.
    requests.emplace_back(WithHeaders(headers, Text(chunk, inner)), "400");
  }
  requests.emplace_back(
      Text("POST ", kPredict, " HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
           chunk),
      "400");
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  requests.emplace_back(WithHeaders(chunked, "zz\r\n{}\r\n"), "400");
  requests.emplace_back(WithHeaders(chunked, "-2\r\n{}\r\n"), "400");
  requests.emplace_back(WithHeaders(chunked, "2\r\n{}0\r\n\r\n"), "400");
  requests.emplace_back(
      WithHeaders(chunked, "10000000000000002\r\n{}\r\n0\r\n\r\n"), "400");
  ExpectStatuses(server, requests);
}

TEST_F(HostileTest, LongBodiesAreRefusedAtOnce) {
  const ServerProcess server(Args({"--max-body", "100000"}), Path("log"));
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const std::string chunk = Text("4000\r\n", std::string(0x4000, ' '), "\r\n");
  std::string chunks;
  for (int i = 0; i < 8; ++i) chunks += chunk;
  const auto begin = std::chrono::steady_clock::now();
  ExpectStatuses(
      server,
      // A gigabyte is refused by its length; none of it is waited for, also by
      // a client that waits to be told to send it.
      {{WithHeaders("Content-Length: 1073741824\r\n"), "413"},
       {WithHeaders("Content-Length: 1073741824\r\nExpect: 100-continue\r\n"),
        "413"},
       {WithHeaders("Content-Length: 100001\r\n"), "413"},
       {WithHeaders(chunked, Text("FFFFFFFF\r\n", std::string(1 << 20, '1'))),
        "413"},
       {WithHeaders(chunked, chunks), "413"},
       // Chunks that announce themselves without end, and trailers.
       {WithHeaders(chunked, Text("1;a=", std::string(100'000, 'b'))), "431"},
       {WithHeaders(chunked, Text("0\r\nX: ", std::string(100'000, 'b'))),
        "431"}});
  // Waiting for the rest of a single one would take 30 seconds.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(25));
  // A gigabyte that comes all the same is thrown away, not kept.
  RawClient flood(server.port());
  flood.Send(WithHeaders("Content-Length: 1073741824\r\n"));
  const std::string megabyte(1 << 20, '1');
  for (int i = 0; i < 64 && flood.Send(megabyte); ++i) {
  }
  EXPECT_THAT(flood.Receive(), StartsWith("HTTP/1.1 413 "));
  ExpectAlive(server);
}

TEST_F(HostileTest, UnknownMethodsAndPathTricksFindNothing) {
  const ServerProcess server(Args({}), Path("log"));
  Requests requests;
  for (const char* const method :
       {"BREW", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get"}) {
    requests.emplace_back(Request(method, "/health"), "405");
  }
  requests.emplace_back(Request("CONNECT", "somewhere:443"), "400");
  for (const char* const path :
       {"/../../etc/passwd", "//etc/passwd", "/..%2f..%2fetc%2fpasswd",
        "/%c0%ae%c0%ae/etc/passwd", "/%00", "/health%00", "/./health",
        "/api/v1/releases/../../../health", "/api/v1/releases/..%2fheights",
        "/api/v1/releases/heights.cloak", "/api/v1/releases/%ff",
        "/api/v1/releases/heights;x", "/HEALTH"}) {
    requests.emplace_back(Request("GET", path), "404");
  }
  for (const char* const target : {"/%", "/%zz", "*", "health", "file:x"}) {
    requests.emplace_back(Request("GET", target), "400");
  }
  ExpectStatuses(server, requests);
}

TEST_F(HostileTest, BrokenQuestionsAreRefused) {
  const ServerProcess server(Args({}), Path("log"));
  Requests requests;
  for (const std::string& body :
       {std::string("{\"rows\": [[1]"), std::string("{\"rows\": [[1,]]}"),
        std::string("{\"rows\": [[NaN]]}"), std::string("{\"rows\": [[01]]}"),
        std::string("{\"rows\": [[1e999]]}"), std::string("{\"rows\": [[.5]]}"),
        std::string("{\"rows\": [[1]]}\0{}", 18),
        std::string("{\"rows\": [[1]]}\0", 16),
        std::string("\xef\xbb\xbf{\"rows\": [[1]]}"),
        std::string("{\"rows\": [{\"\xff\xfe\": 1}]}"),
        std::string("{\"rows\": [{\"\\ud800\": 1}]}"),
        std::string("{\"r\\u006fws\": [[1]], \"rows\": [[1]]}"),
        std::string("{\"rows\": [{\"age\": 1, \"age\": 1}]}"),
        std::string("{\"rows\": [[1, 2]]}"), std::string("{\"rows\": [{}]}"),
        Text("{\"rows\": [[1", std::string(1'000'000, '0'), "]]}"),
        std::string(1'000'000, '['),
        Text("{\"rows\":", std::string(1 << 20, '['))}) {
    requests.emplace_back(Request("POST", kPredict, body), "400");
  }
  ExpectStatuses(server, requests);
  Requests tables;
  const auto csv = [](const std::string& body) {
    return Text("POST ", kPredict, " HTTP/1.1\r\nHost: here\r\n",
                "Content-Type: text/csv\r\nContent-Length: ", body.size(),
                "\r\n\r\n", body);
  };
  for (const std::string& body :
       {std::string("age\n\"1\n"), std::string("age\n1,2\n"),
        std::string("weight\n1\n"), std::string("age,age\n1,1\n"),
        std::string("age\nnan\n"), std::string("age\ninf\n"),
        std::string("age\n1e999\n"), std::string("age\n1\0\n", 7),
        std::string("\xff\xfe\n1\n"), std::string("\x1f\x8b\x08\x00 cut"),
        // 70 MB of nothing.
        Output("head -c 70000000 /dev/zero | gzip -1")}) {
    tables.emplace_back(csv(body), "400");
  }
  ExpectStatuses(server, tables);
}

TEST_F(HostileTest, LittleThatUnpacksToMuchIsNotKept) {
  const ServerProcess server(Args({}), Path("log"));
  Requests tables;
  for (const std::string& command :
       {std::string("(echo age; yes 1 | head -c 60000000)"),
        std::string("(seq -s , 1000000; yes '' | head -c 50000000; echo 1)")}) {
    const std::string body = Output(Text(command, " | gzip -1"));
    ASSERT_LT(body.size(), 4'000'000U);
    tables.emplace_back(Text("POST ", kPredict, " HTTP/1.1\r\nHost: here\r\n",
                             "Content-Type: text/csv\r\nContent-Length: ",
                             body.size(), "\r\n\r\n", body),
                        "413");
  }
  ExpectStatuses(server, tables);
  std::ifstream status(Text("/proc/", server.pid(), "/status"));
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) {
      EXPECT_LT(kilobytes, 700'000);
    }
  }
}

TEST_F(HostileTest, WhatFollowsABodySaysNothingAboutItsRequest) {
  const ServerProcess server(Args({}), Path("log"));
  const std::string request = Text(
      "POST ", kPredict, " HTTP/1.1\r\nHost: here\r\n",
      "Transfer-Encoding: chunked\r\n\r\n", "f\r\n{\"rows\": [[1]]}\r\n0\r\n",
      "Content-Type: application/json\r\n\r\n");
  ExpectStatuses(server, {{request, "415"}});
}

TEST_F(HostileTest, SlowSendersAreToldAndIdleConnectionsClosed) {
  // On a busy machine, some time may pass between connecting and sending.
  const ServerProcess server(Args({"--timeout", "3"}), Path("log"));
  RawClient slow_header(server.port());
  slow_header.Send("GET /health HTTP/1.1\r\nHost:");
  RawClient slow_body(server.port());
  slow_body.Send(WithHeaders("Content-Length: 50\r\n", "{"));
  RawClient slow_chunks(server.port());
  slow_chunks.Send(WithHeaders("Transfer-Encoding: chunked\r\n", "5\r\n{"));
  // A byte now and then does not help: the whole request must come in time.
  RawClient trickle(server.port());
  trickle.Send("GET /health HTTP/1.1\r\nHost: a");
  for (int i = 0; i < 16; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    trickle.Send("a");
  }
  RawClient idle(server.port());
  for (RawClient* const client :
       {&slow_header, &slow_body, &slow_chunks, &trickle}) {
    EXPECT_THAT(client->Receive(), StartsWith("HTTP/1.1 408 "));
    EXPECT_TRUE(client->IsClosed());
  }
  EXPECT_EQ(idle.Receive(), "");
  EXPECT_TRUE(idle.IsClosed());
  ExpectAlive(server);
}

TEST_F(HostileTest, TimeToArriveIsCountedFromTheFirstByte) {
  // Each pause is far shorter than the limit, both together are longer: were
  // time counted from the connection, no try could succeed. On a very busy
  // machine a single one may fail.
  const ServerProcess server(Args({"--timeout", "6"}), Path("log"));
  const std::string request = Request("GET", "/health");
  std::string response;
  for (int i = 0; i < 5 && !response.starts_with("HTTP/1.1 200"); ++i) {
    RawClient client(server.port());
    std::this_thread::sleep_for(std::chrono::milliseconds(3200));
    client.Send(request.substr(0, 10));
    std::this_thread::sleep_for(std::chrono::milliseconds(3200));
    client.Send(request.substr(10));
    response = client.Receive();
  }
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200"));
}

TEST_F(HostileTest, SlowReadersAndThoseThatLeaveHoldNothing) {
  const ServerProcess server(Args({"--timeout", "0.6"}), Path("log"));
  std::string rows = "{\"rows\": [[1]";
  for (int i = 0; i < 60'000; ++i) rows += ",[2.5]";
  rows += "]}";
  const std::string request = Request("POST", kPredict, rows);
  std::vector<RawClient> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back(server.port());
    readers.back().Send(request);
  }
  for (int i = 0; i < 200; ++i) {
    RawClient(server.port()).Send(request.substr(0, 1000 + 10 * i));
  }
  std::string metrics;
  EXPECT_TRUE(Eventually([&server, &metrics] {
    metrics = Ask(server, Request("GET", "/metrics"));
    return metrics.find("cloak_connections 1\n") != std::string::npos;
  })) << metrics;
}

TEST_F(HostileTest, PipelinedRequestsAreAnsweredInTheirOrder) {
  const ServerProcess server(Args({}), Path("log"));
  RawClient client(server.port());
  std::string large = "{\"rows\": [[1]";
  for (int i = 0; i < 1000; ++i) large += ",[2.5]";
  large += "]}";
  std::string all;
  for (int i = 0; i < 30; ++i) {
    all += Request("GET", "/health");
    all += Request("POST", kPredict, large);
    all += Request("POST", kPredict, "{");
    all += WithHeaders("Transfer-Encoding: chunked\r\n",
                       "f\r\n{\"rows\": [[1]]}\r\n0\r\nX: trailer\r\n\r\n");
  }
  std::thread sender([&] { client.Send(all); });
  for (int i = 0; i < 30; ++i) {
    EXPECT_THAT(client.Receive(), HasSubstr("\"status\":\"ok\""));
    EXPECT_THAT(client.Receive(), HasSubstr("\"rows\":1001"));
    EXPECT_THAT(client.Receive(), HasSubstr("malformed_json"));
    EXPECT_THAT(client.Receive(), HasSubstr("\"rows\":1,"));
  }
  sender.join();
}

TEST_F(HostileTest, TenThousandIdleConnectionsLeaveRoomForMore) {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  const size_t wanted = 10'000;
  if (limit.rlim_cur < wanted + 100) GTEST_SKIP() << "too few files allowed";
  const ServerProcess server(Args({"--timeout", "60"}), Path("log"));
  std::vector<RawClient> idle;
  for (size_t i = 0; i < wanted; ++i) {
    idle.emplace_back(server.port());
    ASSERT_TRUE(idle.back().connected()) << i;
  }
  EXPECT_THAT(Ask(server, Request("POST", kPredict, R"({"rows": [[2]]})")),
              StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(Ask(server, Request("GET", "/metrics")),
              HasSubstr("cloak_connections 1000"));
  idle.back().Send(Request("GET", "/health"));
  EXPECT_THAT(idle.back().Receive(), StartsWith("HTTP/1.1 200"));
}

}  // namespace
}  // namespace cloak
