// What the real server does on SIGHUP.
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cloak/base/text.h"
#include "tests/integration/serve_fixture.h"

namespace cloak {
namespace {

using testing::HasSubstr;

constexpr char kOldToken[] = "old-0123456789abcdef";
constexpr char kNewToken[] = "new-0123456789abcdef";

class ServeReloadTest : public ServeTest {
 protected:
  std::string Read(const std::string& name) const {
    std::ifstream in(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void Replace(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path("written")) << bytes;
    std::filesystem::rename(Path("written"), Path(name));
  }
  static bool IsAccepted(const ServerProcess& server,
                         const std::string& token) {
    return Ask(server, Request("GET", "/api/v1/releases", "",
                               Text("Authorization: Bearer ", token, "\r\n")))
        .starts_with("HTTP/1.1 200 ");
  }
};

TEST_F(ServeReloadTest, TokensAreReadAgain) {
  Replace("tokens", kOldToken);
  const ServerProcess server(Args({"--token-file", Path("tokens")}),
                             Path("log"));
  EXPECT_TRUE(IsAccepted(server, kOldToken));
  Replace("tokens", kNewToken);
  EXPECT_FALSE(IsAccepted(server, kNewToken));
  server.Signal(SIGHUP);
  EXPECT_TRUE(Eventually([&] { return IsAccepted(server, kNewToken); }));
  EXPECT_FALSE(IsAccepted(server, kOldToken));
  // A file that is no good changes nothing.
  Replace("tokens", "short");
  server.Signal(SIGHUP);
  EXPECT_TRUE(Eventually([&] {
    return server.Out().find("not reloaded: ") != std::string::npos;
  }));
  EXPECT_TRUE(IsAccepted(server, kNewToken));
}

TEST_F(ServeReloadTest, TheLogIsOpenedAgainAndEveryFileIsReadAgain) {
  const ServerProcess server(Args({"--log-file", Path("access.log")}),
                             Path("log"));
  EXPECT_TRUE(Eventually([&] {
    return Read("access.log").find("serving 'heights'") != std::string::npos;
  }));
  std::filesystem::rename(Path("access.log"), Path("access.log.1"));
  const std::string before = Read("access.log.1");
  server.Signal(SIGHUP);
  EXPECT_TRUE(Eventually([&] {
    return Read("access.log").find("serving 'heights'") != std::string::npos;
  }));
  EXPECT_THAT(Read("access.log"), HasSubstr("reloading"));
  EXPECT_EQ(Read("access.log.1"), before);
  EXPECT_EQ(server.Out(), "");
}

TEST_F(ServeReloadTest, NewConnectionsGetTheNewCertificate) {
  const auto make = [this](const std::string& name) {
    Output(
        Text("openssl req -x509 -newkey ec -pkeyopt "
             "ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=",
             name, " -keyout ", Path("key.pem"), " -out ", Path("cert.pem"),
             " 2>&1"));
  };
  make("first");
  const ServerProcess server(
      Args({"--tls-cert", Path("cert.pem"), "--tls-key", Path("key.pem")}),
      Path("log"));
  const auto subject = [&server] {
    return Output(Text("openssl s_client -connect 127.0.0.1:", server.port(),
                       " < /dev/null 2>&1"));
  };
  EXPECT_THAT(subject(), HasSubstr("CN = first"));
  make("second");
  server.Signal(SIGHUP);
  EXPECT_TRUE(Eventually([&subject] {
    return subject().find("CN = second") != std::string::npos;
  }));
  std::ofstream(Path("cert.pem")) << "nothing";
  server.Signal(SIGHUP);
  EXPECT_TRUE(Eventually([&server] {
    return server.Out().find("the certificate stays") != std::string::npos;
  }));
  EXPECT_THAT(subject(), HasSubstr("CN = second"));
}

TEST_F(ServeReloadTest, SigtermStillDrains) {
  ServerProcess server(Args({}), Path("log"));
  server.Signal(SIGHUP);
  EXPECT_TRUE(Eventually([&server] {
    return server.Out().find("reloading") != std::string::npos;
  }));
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
}

}  // namespace
}  // namespace cloak
