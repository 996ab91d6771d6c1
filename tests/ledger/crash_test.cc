// kill -9 at random moments of a loop of releases: a crash may waste what was
// charged, but nothing is released that was not.

#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "apps/cli/cli.h"
#include "cloak/data/atomic_file.h"
#include "cloak/privacy/randomness.h"
#include "cloak/release/file_format.h"
#include "tests/ledger/ledger_fixture.h"

namespace cloak {
namespace {

namespace fs = std::filesystem;

class Crashes : public testing::TestWithParam<Backend> {
 protected:
  // A whole `cloak` command, its messages thrown away.
  static int Run(const std::vector<std::string>& args,
                 const RandomnessSource& randomness = Randomness::FromSystem) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    return RunCli(args, {in, out, err}, randomness);
  }

  void WriteData() const {
    WriteFileAtomically(File("data.csv"),
                        "age,height\n10,130\n20,160\n30,170\n40,171\n");
  }
  int Init() const {
    return Run({"ledger", "init", place_.location(), File("data.csv"),
                "--dataset", "heights", "--private", "height", "--protect",
                "outputs", "--epsilon", "1000", "--delta", "1e-3"});
  }
  int Release(const std::string& file, const RandomnessSource& randomness =
                                           Randomness::FromSystem) const {
    return Run({"release",
                File("data.csv"),
                "--inputs",
                "age",
                "--output",
                "height",
                "--bounds",
                "60:200",
                "--protect",
                "outputs",
                "--epsilon",
                "0.1",
                "--delta",
                "1e-5",
                "--kernel",
                "eq(variance=100, lengthscale=10)",
                "--threads",
                "1",
                "--noise-variance",
                "40",
                "--ledger",
                place_.location(),
                "-o",
                File(file)},
               randomness);
  }

  std::string File(const std::string& name) const {
    return (place_.directory() / name).string();
  }

  LedgerPlace place_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Backends, Crashes,
                         testing::Values(Backend::kSqlite, Backend::kPostgres),
                         BackendName);

TEST_P(Crashes, LeaveNoReleaseWithoutItsChargeHoweverManyKills) {
  // 300 in all; `./test full` asks for 2000.
  const char* asked = std::getenv("CLOAK_KILLS");
  const int kills = asked == nullptr ? 150 : std::atoi(asked);
  WriteData();
  ASSERT_EQ(ExitCodeOf(Fork([&] { return Init(); })), 0);
  // Kills come at any moment of a release and of part of the next.
  const auto begin = std::chrono::steady_clock::now();
  constexpr int kTimed = 5;
  for (int i = 0; i < kTimed; ++i) {
    const std::string file = Text("timed-", i, ".cloak");
    ASSERT_EQ(ExitCodeOf(Fork([&] { return Release(file); })), 0);
  }
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - begin;
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(Text("seed ", seed));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> seconds(
      0, 1.5 * elapsed.count() / kTimed);
  for (int k = 0; k < kills; ++k) {
    const pid_t child = Fork([&] {
      for (int i = 0;; ++i) {
        const int code = Release(Text(k, "-", i, ".cloak"));
        if (code != 0) return code;
      }
    });
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds(random)));
    kill(child, SIGKILL);
    // A child that ended by itself found something wrong.
    ASSERT_EQ(ExitCodeOf(child), -SIGKILL) << "after " << k << " kills";
  }

  Ledger ledger = Ledger::Open(place_.location());
  const DatasetAccount account = ledger.Dataset("heights");
  EXPECT_EQ(ledger.Verify(std::nullopt).entries, account.charges.size() + 2);
  std::set<std::string> charged;
  for (const DatasetCharge& charge : account.charges) {
    charged.insert(
        charge.description.substr(charge.description.rfind("to ") + 3));
  }
  EXPECT_EQ(charged.size(), account.charges.size());
  size_t released = 0;
  for (const auto& entry : fs::directory_iterator(place_.directory())) {
    if (entry.path().extension() != ".cloak") continue;
    ++released;
    EXPECT_TRUE(charged.contains(entry.path().string())) << entry.path();
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NO_THROW(ReleaseFromJson(bytes, entry.path().string()));
  }
  std::cout << kills << " kills: " << account.charges.size() << " charges, "
            << released << " releases\n";
  // The kills did not all come before anything was done.
  EXPECT_GT(released, static_cast<size_t>(kills) / 20);
}

// The moment that matters most, not left to chance: noise is about to be drawn.
TEST_P(Crashes, FindTheChargeMadeWhenNoiseIsDrawn) {
  WriteData();
  ASSERT_EQ(ExitCodeOf(Fork([&] { return Init(); })), 0);
  const pid_t child = Fork([&] {
    return Release("out.cloak", []() -> Randomness {
      raise(SIGKILL);
      return Randomness::FromSystem();
    });
  });
  EXPECT_EQ(ExitCodeOf(child), -SIGKILL);
  EXPECT_FALSE(fs::exists(File("out.cloak")));
  EXPECT_EQ(Ledger::Open(place_.location()).Dataset("heights").charges.size(),
            1U);
}

}  // namespace
}  // namespace cloak
