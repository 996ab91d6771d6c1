#ifndef CLOAK_TESTS_TESTING_API_FIXTURE_H_
#define CLOAK_TESTS_TESTING_API_FIXTURE_H_

#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/release/file_format.h"
#include "cloak/server/api.h"
#include "tests/testing/small_release.h"

namespace cloak {

constexpr char kRelease[] = "/api/v1/releases/heights";
constexpr std::array kAssets = {
    Asset{"/", "text/html; charset=utf-8", "<!DOCTYPE html>"},
    Asset{"/app.js", "text/javascript", "start()"},
};

// A directory with releases of every task, and the service over it.
class ApiTest : public testing::Test {
 public:
  ApiTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "cloak-api-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    Write("heights.cloak", SmallContent());
    Write("states.cloak", ClassContent());
    Write("maps.cloak", TwoInputContent());
    Write("margins.cloak", MachineContent());
    Write("ages.cloak", DensityContent());
    Write("towns.cloak", HistogramContent());
    catalogue_ = std::make_unique<Catalogue>(
        std::vector<std::filesystem::path>{directory_});
    catalogue_->Refresh();
    api_ = std::make_unique<Api>(*catalogue_, metrics_, Tokens(), ApiLimits(),
                                 kAssets);
  }
  ~ApiTest() override { std::filesystem::remove_all(directory_); }

 protected:
  void Write(const std::string& name, const ReleaseContent& content) const {
    std::ofstream(directory_ / name) << ReleaseToJson(Release(content));
  }
  HttpResponse Get(const std::string& target,
                   const std::string& method = "GET") const {
    return api_->Handle({.method = method, .target = target});
  }
  HttpResponse Post(const std::string& target, const std::string& body,
                    const std::string& type = "application/json") const {
    return api_->Handle({.method = "POST",
                         .target = target,
                         .content_type = type,
                         .body = body});
  }
  HttpResponse Predict(const std::string& body) const {
    return Post(Text(kRelease, "/predict"), body);
  }

  std::filesystem::path directory_;
  std::unique_ptr<Catalogue> catalogue_;
  Metrics metrics_;
  std::unique_ptr<Api> api_;
};

inline void ExpectError(const HttpResponse& response, int status,
                        const std::string& code) {
  EXPECT_EQ(response.status, status) << response.body;
  const nlohmann::json body = nlohmann::json::parse(response.body);
  EXPECT_EQ(body["error"]["code"], code) << response.body;
  EXPECT_FALSE(body["error"]["message"].get<std::string>().empty());
  EXPECT_FALSE(body["error"]["hint"].get<std::string>().empty());
}

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_API_FIXTURE_H_
