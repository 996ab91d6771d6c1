#ifndef CLOAK_TESTS_INTEGRATION_SERVE_FIXTURE_H_
#define CLOAK_TESTS_INTEGRATION_SERVE_FIXTURE_H_

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/release/file_format.h"
#include "tests/integration/server_process.h"
#include "tests/testing/small_release.h"

namespace cloak {

inline constexpr char kPredict[] = "/api/v1/releases/heights/predict";

inline std::string Request(const std::string& method, const std::string& target,
                           const std::string& body = "",
                           const std::string& headers = "") {
  return Text(method, " ", target, " HTTP/1.1\r\nHost: here\r\n", headers,
              body.empty() ? "" : "Content-Type: application/json\r\n",
              "Content-Length: ", body.size(), "\r\n\r\n", body);
}

inline std::string Body(const std::string& response) {
  const size_t head = response.find("\r\n\r\n");
  return head == std::string::npos ? "" : response.substr(head + 4);
}

// What a command of the shell prints.
inline std::string Output(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> bytes = {};
  for (size_t count = 0;
       (count = fread(bytes.data(), 1, bytes.size(), pipe)) > 0;) {
    output.append(bytes.data(), count);
  }
  pclose(pipe);
  return output;
}

// Whether the check holds within a minute.
template <typename Check>
bool Eventually(const Check& check) {
  for (int i = 0; i < 1200; ++i) {
    if (check()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

// A directory with one release, "heights", and room for logs.
class ServeTest : public testing::Test {
 public:
  ServeTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "cloak-serve-XXXXXX")
            .string();
    directory_ = mkdtemp(pattern.data());
    std::filesystem::create_directory(directory_ / "releases");
    WriteRelease("heights");
  }
  ~ServeTest() override { std::filesystem::remove_all(directory_); }

 protected:
  std::string Path(const std::string& name) const {
    return (directory_ / name).string();
  }
  void WriteRelease(const std::string& name) const {
    std::ofstream(directory_ / "releases" / Text(name, ".cloak"))
        << ReleaseToJson(Release(SmallContent()));
  }
  std::vector<std::string> Args(const std::vector<std::string>& more) const {
    std::vector<std::string> args = {Path("releases")};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  static std::string Ask(const ServerProcess& server,
                         const std::string& request) {
    RawClient client(server.port());
    client.Send(request);
    return client.Receive();
  }

  std::filesystem::path directory_;
};

}  // namespace cloak

#endif  // CLOAK_TESTS_INTEGRATION_SERVE_FIXTURE_H_
