// The ledger as custodians meet it, on both backends.

#include <sys/resource.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/integration/cli_fixture.h"
#include "tests/ledger/ledger_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class CliLedger : public CliTest, public testing::WithParamInterface<Backend> {
 protected:
  CliLedger() { data_ = Write("data.csv", Survey(40)); }

  CliResult Init(const std::string& data, const std::string& name = "heights") {
    return Run({"ledger", "init", Where(), data, "--dataset", name, "--private",
                "height", "--protect", "outputs", "--epsilon", "2", "--delta",
                "1e-3"});
  }

  // A release of `epsilon` at delta 1e-3, charged to the ledger.
  CliResult Release(const std::string& epsilon, const Args& more = {}) {
    Args options = {"--ledger", Where(), "--epsilon", epsilon};
    options.insert(options.end(), more.begin(), more.end());
    return Run(ReleaseArgs(data_, Path("out.cloak"), options));
  }

  json Shown() {
    return json::parse(Run({"ledger", "show", Where(), "--json"}).out);
  }

  bool Released() { return std::filesystem::exists(Path("out.cloak")); }

  const std::string& Where() const { return place_.location(); }

  LedgerPlace place_{GetParam()};
  std::string data_;
};

INSTANTIATE_TEST_SUITE_P(Backends, CliLedger,
                         testing::Values(Backend::kSqlite, Backend::kPostgres),
                         BackendName);

TEST_P(CliLedger, InitReleaseShowVerify) {
  const CliResult init = Init(data_);
  ASSERT_EQ(init.code, 0) << init.err;
  EXPECT_THAT(init.out, AllOf(HasSubstr("epsilon 2 at delta 0.001"),
                              HasSubstr("40 rows, private: height"),
                              HasSubstr("epsilon 2 for one more release")));
  const CliResult release = Release("1");
  ASSERT_EQ(release.code, 0) << release.err;
  EXPECT_THAT(release.err,
              AllOf(HasSubstr("charged to 'heights' as entry 3"),
                    HasSubstr("spent: epsilon 1 of epsilon 2 at delta 0.001"),
                    Not(HasSubstr("nobody but you"))));
  const CliResult show = Run({"ledger", "show", Where()});
  EXPECT_THAT(show.out, AllOf(HasSubstr("spent     epsilon 1 in 1 release"),
                              HasSubstr("height given age; epsilon 1, delta "
                                        "0.001, bounds 60:180")));
  const json shown = Shown();
  EXPECT_EQ(shown["entries"], 3);
  EXPECT_EQ(shown["datasets"][0]["releases"].size(), 1U);
  const std::string head = shown["head"];
  EXPECT_EQ(Run({"ledger", "verify", Where(), "--head", head}).code, 0);
  EXPECT_EQ(Release("0.1").code, 0);
  EXPECT_EQ(Run({"ledger", "verify", Where(), "--head", head}).code, 0);
  const CliResult other =
      Run({"ledger", "verify", Where(), "--head", std::string(64, 'a')});
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.err, HasSubstr("tampered"));
}

TEST_P(CliLedger, RefusesToOverspendBeforeAnythingIsReleased) {
  Init(data_);
  const CliResult refused = Release("2.5");
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("total  epsilon 2 at delta 0.001"),
                    HasSubstr("spent  epsilon 0 in 0 releases"),
                    HasSubstr("asked  epsilon 2.5\n"),
                    HasSubstr("left   epsilon 2 for one more release"),
                    HasSubstr("--epsilon 2 --delta 0.001 --dry-run"),
                    HasSubstr("Nothing was released")));
  EXPECT_FALSE(Released());
  EXPECT_EQ(Shown()["entries"], 2);
  EXPECT_EQ(Release("2").code, 0);
}

TEST_P(CliLedger, ADryRunPricesWithoutSpending) {
  Init(data_);
  Release("1.5");
  const json allowed =
      json::parse(Release("0.5", {"--dry-run", "--json"}).out)["ledger"];
  EXPECT_EQ(allowed["allowed"], true);
  const CliResult refused = Release("1.9", {"--dry-run"});
  EXPECT_EQ(refused.code, 0);
  EXPECT_THAT(refused.out, HasSubstr("does not allow this release"));
  EXPECT_EQ(Shown()["entries"], 3);
  // It does not look at the outputs, so with two data sets it must be told.
  Init(Write("more.csv", Survey(41)), "more");
  EXPECT_THAT(Release("0.5", {"--dry-run"}).err, HasSubstr("--dataset"));
  EXPECT_EQ(Release("0.5", {"--dry-run", "--dataset", "more"}).code, 0);
  EXPECT_THAT(Release("0.5", {"--dry-run", "--dataset", "mor"}).err,
              HasSubstr("did you mean 'more'"));
  // A release knows better.
  EXPECT_THAT(Release("0.1", {"--dataset", "more"}).err,
              HasSubstr("those of the data set 'heights'"));
}

TEST_P(CliLedger, ATableThatChangedHasNoBudgetUntilItIsAdded) {
  Init(data_);
  data_ = Write("data.csv", Survey(40) + "one more,33,170\n");
  const CliResult unknown = Release("0.5");
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.err,
              AllOf(HasSubstr("does not know"), HasSubstr("cloak ledger add")));
  EXPECT_FALSE(Released());
  const CliResult add = Run({"ledger", "add", Where(), data_, "--dataset",
                             "heights", "--private", "height"});
  EXPECT_EQ(add.code, 0) << add.err;
  EXPECT_THAT(add.out, HasSubstr("41 rows"));
  EXPECT_EQ(Release("0.5").code, 0);
  EXPECT_EQ(Shown()["datasets"].size(), 1U);
}

TEST_P(CliLedger, APrivateColumnIsNoInput) {
  Run({"ledger", "init", Where(), data_, "--dataset", "heights", "--private",
       "height,age", "--protect", "outputs", "--epsilon", "2", "--delta",
       "1e-3"});
  const CliResult result = Release("0.5");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("'age' is private"),
                                HasSubstr("cannot be used as a public one")));
  EXPECT_FALSE(Released());
  EXPECT_EQ(Shown()["entries"], 2);
}

TEST_P(CliLedger, APrivateColumnIsNotPublicInAnyUseOfAnyVersion) {
  std::string csv = "person,age,spread,height\n";
  for (int i = 0; i < 40; ++i) {
    csv += Text("p", i % 9, ",", i, ",", 1 + i % 3, ",", 100 + 2 * i, "\n");
  }
  data_ = Write("data.csv", csv);
  ASSERT_EQ(Run({"ledger", "init", Where(), data_, "--dataset", "heights",
                 "--private", "height,person,spread", "--protect", "outputs",
                 "--epsilon", "2", "--delta", "1e-3"})
                .code,
            0);
  const auto expect_refused = [&](const Args& more, const std::string& name) {
    for (const Args& run : {Args{}, Args{"--dry-run"}}) {
      Args all = more;
      all.insert(all.end(), run.begin(), run.end());
      const CliResult result = Release("0.5", all);
      EXPECT_EQ(result.code, 3) << name;
      EXPECT_THAT(result.err, HasSubstr(Text("'", name, "' is private")));
    }
    EXPECT_FALSE(Released());
  };
  // The number of persons would be published.
  expect_refused({"--unit", "person"}, "person");
  expect_refused({"--noise-column", "spread"}, "spread");
  std::string at = "age\n";
  for (int i = 0; i < 40; ++i) at += Text(100 + 2 * i, "\n");
  expect_refused({"--at", Write("at.csv", at)}, "age");
  // Another version, which does not say again what is private.
  data_ = Write("data.csv", csv + "p3,41,2,150\n");
  ASSERT_EQ(Run({"ledger", "add", Where(), data_, "--dataset", "heights",
                 "--private", "height"})
                .code,
            0);
  expect_refused(
      {"--inputs", "age,spread", "--kernel", "", "--noise-variance", ""},
      "spread");
  EXPECT_EQ(Release("0.5").code, 0);
}

TEST_P(CliLedger, TextIsChargedLikeNumbers) {
  std::string csv = "age,sex,repaid\n";
  for (int i = 0; i < 60; ++i) {
    csv += Text(i, i % 3 == 0 ? ",F," : ",M,", i % 5 < i / 20 ? "yes" : "no",
                "\n");
  }
  data_ = Write("data.csv", csv);
  const auto init = [&](const std::string& dataset, const std::string& columns,
                        const std::string& protect) {
    return Run({"ledger", "init", Where(), data_, "--dataset", dataset,
                "--private", columns, "--protect", protect, "--epsilon", "2",
                "--delta", "1e-3"});
  };
  ASSERT_EQ(init("loans", "repaid", "outputs").code, 0);
  const CliResult classes =
      Run({"release",   data_,     "--task",    "classification",
           "--protect", "outputs", "--inputs",  "age",
           "--output",  "repaid",  "--classes", "no,yes",
           "--epsilon", "1",       "--delta",   "1e-4",
           "--ledger",  Where(),   "-o",        Path("classes.cloak")});
  EXPECT_EQ(classes.code, 0) << classes.err;
  EXPECT_THAT(classes.err, HasSubstr("charged to 'loans'"));
  ASSERT_EQ(init("people", "sex", "rows").code, 0);
  const CliResult categories =
      Run({"release", data_, "--task", "histogram", "--protect", "rows",
           "--inputs", "sex", "--categories", "sex=F|M", "--epsilon", "0.5",
           "--delta", "1e-4", "--ledger", Where(), "-o", Path("sex.cloak")});
  EXPECT_EQ(categories.code, 0) << categories.err;
  EXPECT_THAT(categories.err, HasSubstr("charged to 'people'"));
}

TEST_P(CliLedger, AReleaseThatFailsAfterItsChargeSaysThatItStaysSpent) {
  Init(data_);
  const CliResult full = Release("0.5", {"-o", "/dev/full"});
  EXPECT_EQ(full.code, 4);
  EXPECT_THAT(full.err, AllOf(HasSubstr("No space left"),
                              HasSubstr("charged it before (entry 3)"),
                              HasSubstr("stays spent")));
  EXPECT_EQ(Shown()["entries"], 3);
}

TEST_P(CliLedger, TamperingStopsReleases) {
  Init(data_);
  Release("0.5");
  Release("0.5");
  std::filesystem::remove(Path("out.cloak"));
  place_.Tamper({"DELETE FROM cloak_ledger_entry WHERE sequence = 3"});
  EXPECT_EQ(Release("0.5").code, 3);
  EXPECT_FALSE(Released());
  EXPECT_EQ(Run({"ledger", "verify", Where()}).code, 3);
  EXPECT_EQ(Run({"ledger", "show", Where()}).code, 3);
}

TEST_P(CliLedger, AFileThatIsNotWrittenMeansNoCharge) {
  Init(data_);
  const CliResult result =
      Release("0.5", {"-o", Path("missing/directory/out.cloak")});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(Shown()["entries"], 2);
}

TEST_P(CliLedger, NothingPrintedDependsOnTheOutputs) {
  const std::string init = Init(data_).out;
  const auto before_head = [](const std::string& text) {
    const size_t table = text.find("  table");
    return text.substr(text.find("\nheights"), table - text.find("\nheights"));
  };
  const LedgerPlace other(GetParam());
  const CliResult result = Run(
      {"ledger", "init", other.location(), Write("other.csv", Survey(40, 7)),
       "--dataset", "heights", "--private", "height", "--protect", "outputs",
       "--epsilon", "2", "--delta", "1e-3"});
  EXPECT_EQ(before_head(init), before_head(result.out));
}

class CliSqliteLedger : public CliLedger {};
INSTANTIATE_TEST_SUITE_P(Backends, CliSqliteLedger,
                         testing::Values(Backend::kSqlite), BackendName);

TEST_P(CliSqliteLedger, AFullDiskMeansAClearErrorAndNoRelease) {
  Init(data_);
  const int code = ExitCodeOf(Fork([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {512, 512};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 99;
    const CliResult result = Release("0.5");
    std::cerr << result.err;
    if (result.err.find("cannot use the ledger") == std::string::npos) return 9;
    return result.code;
  }));
  EXPECT_EQ(code, 2);
  EXPECT_FALSE(Released());
  EXPECT_EQ(Shown()["entries"], 2);
}

TEST_P(CliSqliteLedger, TheReleaseCannotOverwriteTheLedger) {
  Init(data_);
  EXPECT_THAT(Release("0.5", {"-o", Where()}).err,
              HasSubstr("would be overwritten"));
  EXPECT_EQ(Shown()["entries"], 2);
}

TEST_P(CliSqliteLedger, WithoutOneAReleaseSaysThatNobodyCounts) {
  const CliResult loud = Run(ReleaseArgs(data_, Path("out.cloak")));
  EXPECT_EQ(loud.code, 0);
  EXPECT_THAT(loud.err, HasSubstr("nobody but you counts"));
  EXPECT_THAT(Run(ReleaseArgs(data_, Path("out.cloak"), {"--quiet"})).err,
              IsEmpty());
  EXPECT_THAT(Run(ReleaseArgs(data_, "", {"--dry-run"})).out,
              Not(HasSubstr("nobody but you counts")));
}

TEST_P(CliSqliteLedger, SaysWhatIsMissing) {
  EXPECT_THAT(Run({"ledger"}).err, HasSubstr("init, add, show or verify"));
  EXPECT_THAT(Run({"ledger", "show"}).err, HasSubstr("which ledger?"));
  EXPECT_THAT(Run({"ledger", "show", Path("none")}).err,
              HasSubstr("cloak ledger init"));
  EXPECT_THAT(Run({"ledger", "init", Where(), data_}).err,
              HasSubstr("--dataset is missing"));
  EXPECT_THAT(Run({"ledger", "init", Where(), data_, "--dataset", "x"}).err,
              HasSubstr("--epsilon is missing"));
  EXPECT_THAT(Run({"ledger", "init", Where(), data_, "--dataset", "x",
                   "--epsilon", "1", "--delta", "1e-5"})
                  .err,
              AllOf(HasSubstr("--protect is missing"),
                    HasSubstr("--protect units all those of one person"),
                    HasSubstr("--protect rows counts whole rows")));
  EXPECT_THAT(Run({"ledger", "init", Where(), data_, "--dataset", "x",
                   "--epsilon", "1", "--delta", "1e-5", "--protect", "outputs"})
                  .err,
              HasSubstr("--private is missing"));
  EXPECT_THAT(
      Run({"ledger", "init", Where(), data_, "--dataset", "x", "--epsilon", "1",
           "--delta", "1e-5", "--protect", "outputs", "--private", "heigth"})
          .err,
      HasSubstr("height"));
  EXPECT_FALSE(std::filesystem::exists(Where()));
}

TEST(CliUsage, NeverPrintsThePasswordOfALedger) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const std::string url = "postgresql://u:s3cret@127.0.0.1:1/x";
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"ledger", "show", url, url},
        {"leger", "show", url},
        {"show", "a", url},
        {"release", "a", "--leger", url},
        {"ledger", "show", url}}) {
    EXPECT_EQ(RunCli(args, {in, out, err}, Randomness::FromSystem), 2);
  }
  EXPECT_THAT(out.str() + err.str(), Not(HasSubstr("s3cret")));
}

}  // namespace
}  // namespace cloak
