#ifndef CLOAK_TESTS_INTEGRATION_CLI_FIXTURE_H_
#define CLOAK_TESTS_INTEGRATION_CLI_FIXTURE_H_

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "apps/cli/cli.h"
#include "cloak/base/text.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {

struct CliResult {
  int code = 0;
  std::string out;
  std::string err;
};

// Runs whole commands in this process, in a directory of their own.
class CliTest : public testing::Test {
 public:
  CliTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "cloak-cli-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~CliTest() override { std::filesystem::remove_all(directory_); }

 protected:
  using Args = std::vector<std::string>;
  static constexpr char kKernel[] =
      "bias(1000) + eq(variance=600, lengthscale=15)";

  std::string Path(const std::string& name) const {
    return (directory_ / name).string();
  }

  std::string Write(const std::string& name, const std::string& content) const {
    std::ofstream(Path(name), std::ios::binary) << content;
    return Path(name);
  }

  std::string Read(const std::string& name) const {
    std::ifstream in(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // Everything in the directory, to see that nothing changed.
  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      const std::string name = entry.path().filename().string();
      files[name] = entry.is_regular_file() ? Read(name) : "(directory)";
    }
    return files;
  }

  CliResult Run(const Args& args, const std::string& in = "",
                bool terminal = false) const {
    std::istringstream input(in);
    std::ostringstream out;
    std::ostringstream err;
    // Each generator of one command differs; those of the next repeat.
    const auto seeded = [seed = seed_]() mutable {
      return RandomnessForTesting::Seeded(seed++);
    };
    const int code = RunCli(args, {input, out, err, terminal}, seeded);
    return {code, out.str(), err.str()};
  }

  // `rows` people whose height grows with age; `shift` moves every height.
  static std::string Survey(int rows, double shift = 0) {
    std::string csv = "name,age,height\n";
    for (int i = 0; i < rows; ++i) {
      const double age = 80.0 * i / rows;
      csv += Text("person ", i, ",", age, ",",
                  60 + 110 * (1 - std::exp(-age / 9)) + 3 * std::sin(i) + shift,
                  "\n");
    }
    return csv;
  }

  // A release of the height by age in `data`, to which `more` is added; an
  // option in `more` replaces that of the same name.
  static Args ReleaseArgs(const std::string& data, const std::string& file,
                          const Args& more = {}) {
    std::map<std::string, std::string> options = {
        {"--inputs", "age"},        {"--output", "height"},
        {"--bounds", "60:180"},     {"--epsilon", "1"},
        {"--delta", "1e-3"},        {"--kernel", kKernel},
        {"--noise-variance", "40"}, {"--protect", "outputs"}};
    Args args = {"release", data};
    if (!file.empty()) {
      options["-o"] = file;
      args.emplace_back("--overwrite");  // tests release again and again
    }
    for (size_t i = 0; i < more.size(); ++i) {
      if (i + 1 < more.size() && options.contains(more[i])) {
        options[more[i]] = more[i + 1];
        ++i;
      } else {
        args.push_back(more[i]);
      }
    }
    for (const auto& [name, value] : options) {
      if (value.empty()) continue;
      args.push_back(name);
      args.push_back(value);
    }
    return args;
  }

  uint64_t seed_ = 1;

 private:
  std::filesystem::path directory_;
};

}  // namespace cloak

#endif  // CLOAK_TESTS_INTEGRATION_CLI_FIXTURE_H_
