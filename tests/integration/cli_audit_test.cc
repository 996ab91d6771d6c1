#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/release/file_format.h"
#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class CliAudit : public CliTest {
 protected:
  // The options of a release, for `cloak audit`.
  Args AuditArgs(const std::string& data, const Args& more = {}) const {
    Args args = ReleaseArgs(data, "", more);
    args[0] = "audit";
    args.insert(args.end(), {"--releases", "20000"});
    return args;
  }

  // A release file with a change and a fresh checksum.
  using Change = std::function<void(ReleaseContent&)>;
  std::string ReleaseFile(const Change& change) {
    const std::string data = Write("data.csv", Survey(60));
    const CliResult made = Run(ReleaseArgs(data, Path("true.cloak")));
    EXPECT_EQ(made.code, 0) << made.err;
    ReleaseContent content =
        ReleaseFromJson(Read("true.cloak"), "true.cloak").content();
    change(content);
    return Write("other.cloak", ReleaseToJson(Release(content)));
  }

  // As files were before they said what each statistic costs.
  static void ForgetCosts(ReleaseContent& content) {
    content.statistic.cost = {};
    for (ReleasedStatistic& earlier : content.earlier_statistics) {
      earlier.cost = {};
    }
  }
};

TEST_F(CliAudit, APlannedReleaseIsNotAccused) {
  const std::string data = Write("data.csv", Survey(60));
  const auto before = Files();
  const CliResult result = Run(AuditArgs(data));
  EXPECT_EQ(result.code, kDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("claimed      epsilon = 1 at delta"));
  for (int round = 1; round <= 5; ++round) {
    EXPECT_THAT(result.out, HasSubstr(Text("  round ", round, " of 5 ")));
  }
  EXPECT_THAT(result.out, HasSubstr("together     mu = 0.3884 declared"));
  EXPECT_THAT(result.out, HasSubstr("not accused"));
  EXPECT_EQ(Files(), before);
}

TEST_F(CliAudit, SaysTheSameInJson) {
  const std::string person =
      "person,age,height\na,1,100\nb,20,150\na,30,160\nb,50,170\nc,70,165\n";
  const std::string data = Write("data.csv", person);
  const CliResult result = Run(AuditArgs(data, {"--json", "--unit", "person"}));
  EXPECT_EQ(result.code, kDone) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["claimed_epsilon"], 1);
  EXPECT_EQ(report["delta"], 1e-3);
  EXPECT_EQ(report["accused"], false);
  ASSERT_EQ(report["rounds"].size(), 1U);
  const json& round = report["rounds"][0];
  EXPECT_EQ(round["releases"], 20000);
  EXPECT_EQ(round["declared_sensitivity_squared_units"],
            round["measured_sensitivity_squared_units"]);
  EXPECT_GT(round["gaussian_epsilon_lower"], 0.95);
  EXPECT_LE(round["gaussian_epsilon_lower"], 1);
}

TEST_F(CliAudit, WholeRowsAreAttackedInEveryRound) {
  const std::string data = Write("data.csv", Survey(60));
  Args args =
      AuditArgs(data, {"--kernel", "", "--noise-variance", "", "--protect",
                       "rows", "--input-ranges", "age=0:100", "--json"});
  const CliResult result = Run(args);
  EXPECT_EQ(result.code, kDone) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["rounds"].size(), 5U);
  EXPECT_GT(report["mu_lower"].get<double>(),
            0.95 * report["claimed_mu"].get<double>());
  // Neither inputs nor outputs are read.
  std::string hidden = "name,age,height\n";
  for (int i = 0; i < 60; ++i) hidden += "somebody,hidden,\n";
  args[1] = Write("other.csv", hidden);
  EXPECT_EQ(Run(args).out, result.out);
}

TEST_F(CliAudit, SaysWhatCannotBeAttacked) {
  const std::string data = Write("data.csv", Survey(60));
  const CliResult result = Run(
      {"audit", data, "--task", "histogram", "--inputs", "age",
       "--input-ranges", "age=0:100", "--protect", "rows", "--epsilon", "1"});
  EXPECT_EQ(result.code, kWrongInput);
  EXPECT_THAT(result.err, HasSubstr("counts cannot be audited before"));
}

TEST_F(CliAudit, DoesNotReadThePrivateOutputs) {
  const std::string data =
      Write("data.csv", "age,height\n1,secret\n30,\n70,not a number\n");
  const CliResult hidden = Run(AuditArgs(data));
  EXPECT_EQ(hidden.code, kDone) << hidden.err;
  const std::string other =
      Write("other.csv", "age,height\n1,100\n30,160\n70,170\n");
  EXPECT_EQ(Run(AuditArgs(other)).out, hidden.out);
}

TEST_F(CliAudit, AReleaseFileIsNotAccused) {
  const CliResult result = Run({"audit", ReleaseFile([](ReleaseContent&) {})});
  EXPECT_EQ(result.code, kDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("not checked"));
  // What every round costs, and all of them together.
  EXPECT_THAT(result.out, HasSubstr("numbers: round 1 of 5: "));
  EXPECT_THAT(result.out, HasSubstr("numbers: round 5 of 5: "));
  EXPECT_THAT(result.out, HasSubstr("which keeps epsilon = 1 at this delta"));
}

TEST_F(CliAudit, WhatEveryKindOfFileStatesAddsUpToItsClaim) {
  const std::string data = Write("data.csv", Survey(60));
  const Args rows = {"--protect", "rows", "--input-ranges", "age=0:100"};
  const Args learned = {"--kernel", "", "--noise-variance", ""};
  const auto join = [](Args args, const Args& more) {
    args.insert(args.end(), more.begin(), more.end());
    return args;
  };
  const Args counts = join(rows, {"--output", "", "--bounds", "", "--kernel",
                                  "", "--noise-variance", ""});
  const Args binning = join(learned, {"--method", "binning", "--delta", ""});
  const std::vector<Args> all = {
      {},
      learned,
      {"--method", "cloaking", "--at", data},
      binning,
      rows,
      join(rows, {"--method", "variational"}),
      join(counts, {"--task", "density", "--delta", ""}),
      join(counts, {"--task", "density", "--method", "functional"}),
      join(counts, {"--task", "histogram", "--bins", "9", "--delta", "0.2"}),
      join(rows, {"select", "--kernel", "eq(variance=900, lengthscale={5,20})",
                  "--tries", "3"})};
  for (const Args& more : all) {
    Args args = ReleaseArgs(data, Path("out.cloak"), more);
    const auto select = std::find(args.begin(), args.end(), "select");
    if (select != args.end()) {
      args.erase(select);
      args[0] = "select";
    }
    const std::string what = testing::PrintToString(args);
    const CliResult made = Run(args);
    ASSERT_EQ(made.code, kDone) << what << made.err;
    const CliResult audited = Run({"audit", Path("out.cloak"), "--json"});
    EXPECT_EQ(audited.code, kDone) << what << audited.err;
    const json report = json::parse(audited.out);
    EXPECT_FALSE(report["costs"].empty()) << what;
    const double claimed = report["claimed_epsilon"];
    EXPECT_NEAR(report["stated_epsilon"], claimed, 1e-3 * claimed) << what;
  }
}

TEST_F(CliAudit, AnOldFileIsCheckedAsFarAsItSays) {
  const CliResult result = Run({"audit", ReleaseFile(ForgetCosts)});
  EXPECT_EQ(result.code, kDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("of the last statistic alone"));
}

TEST_F(CliAudit, AFileThatStatesTooLittleNoiseIsAccused) {
  // The claim is of what all rounds cost together.
  const std::string file = ReleaseFile([](ReleaseContent& content) {
    StatisticCost& first = *content.earlier_statistics.front().cost;
    first.noise_scale /= 3;
    first.price *= 3;
  });
  const CliResult result = Run({"audit", file, "--json"});
  EXPECT_EQ(result.code, kPrivacyNotKept);
  EXPECT_EQ(json::parse(result.out)["accused"], true);
  EXPECT_GT(json::parse(result.out)["stated_epsilon"], 1.2);
  EXPECT_THAT(result.err, HasSubstr("the audit refutes the privacy claim"));
  EXPECT_THAT(result.err, HasSubstr("the noise stated keeps"));
}

TEST_F(CliAudit, SaysWhatIsMissing) {
  EXPECT_THAT(Run({"audit"}).err, HasSubstr("cloak audit DATA.csv"));
  const std::string data = Write("data.csv", Survey(10));
  EXPECT_EQ(Run({"audit", data}).code, kWrongInput);
  EXPECT_THAT(Run({"audit", data, "--inputs", "age"}).err,
              HasSubstr("--output is missing"));
  EXPECT_THAT(Run({"audit", data, "--inputs", "age", "--output", "height"}).err,
              HasSubstr("--protect is missing"));
  EXPECT_THAT(Run({"audit", data, "--releases", "10"}).err,
              HasSubstr("an audit needs 10000"));
}

}  // namespace
}  // namespace cloak
