// What may depend on the private outputs, and what may not, seen from outside.

#include <nlohmann/json.hpp>

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CliPrivacy : public CliTest {
 protected:
  // Releases `csv` with the same noise each time and returns the file.
  std::string Released(const std::string& csv, const Args& more) {
    const std::string data = Write("data.csv", csv);
    const CliResult result = Run(ReleaseArgs(data, Path("out.cloak"), more));
    EXPECT_EQ(result.code, 0) << result.err;
    report_ = result.out + result.err;
    return Read("out.cloak");
  }

  // Without what is computed from the noisy statistics. Where something is
  // learned from them, that is also what the next one is.
  static json PublicPart(const std::string& text, bool learned) {
    json release = json::parse(text);
    release.erase("checksum");
    release["statistic"].erase("units");
    if (learned) {
      release.erase("posteriors");
      release.erase("statistic");
      release.erase("earlier_statistics");
      release["privacy"].erase("noise_sd");
      release["privacy"].erase("sensitivity");
    } else {
      for (json& earlier : release["earlier_statistics"]) {
        earlier.erase("units");
      }
      for (json& posterior : release["posteriors"]) posterior.erase("mean");
    }
    return release;
  }

  std::string report_;
};

TEST_F(CliPrivacy, OnlyTheNoisyStatisticDependsOnTheOutputs) {
  const std::string one = Released(Survey(60), {});
  const std::string report = report_;
  const std::string other = Released(Survey(60, 13), {});
  EXPECT_NE(one, other);
  EXPECT_EQ(PublicPart(one, false), PublicPart(other, false));
  EXPECT_NE(json::parse(one)["statistic"]["units"],
            json::parse(other)["statistic"]["units"]);
  // Also what is printed says nothing about them (but the size of the file,
  // which is computed from it).
  const auto before_size = [](const std::string& text) {
    return text.substr(0, text.find("  written"));
  };
  EXPECT_EQ(before_size(report), before_size(report_));
}

TEST_F(CliPrivacy, LearnedHyperparametersComeFromTheStatistic) {
  const Args learn = {"--kernel", "", "--noise-variance", ""};
  const std::string one = Released(Survey(60), learn);
  const std::string other = Released(Survey(60, 13), learn);
  EXPECT_NE(one, other);
  EXPECT_EQ(PublicPart(one, true), PublicPart(other, true));
}

TEST_F(CliPrivacy, CloakingToo) {
  const std::string at = Write("at.csv", "age\n5\n20\n60\n");
  for (const std::string design : {"volume", "trace"}) {
    const Args more = {"--method", "cloaking", "--design", design, "--at", at};
    EXPECT_EQ(PublicPart(Released(Survey(60), more), false),
              PublicPart(Released(Survey(60, 13), more), false));
  }
}

TEST_F(CliPrivacy, WithUnitsToo) {
  // Three rows a person.
  const auto visits = [](double shift) {
    std::string csv = "person,age,height\n";
    for (int i = 0; i < 60; ++i) {
      csv += Text("person ", i % 20, ",", i, ",", 100 + i + shift, "\n");
    }
    return csv;
  };
  const std::string at = Write("at.csv", "age\n5\n20\n60\n");
  for (const std::string design : {"bayes", "volume", "trace"}) {
    Args more = {"--unit", "person", "--design", design};
    if (design != "bayes") {
      more.insert(more.end(), {"--method", "cloaking", "--at", at});
    }
    const std::string one = Released(visits(0), more);
    EXPECT_THAT(report_, HasSubstr("all 'height' of one 'person'"));
    const json release = PublicPart(one, false);
    EXPECT_EQ(release, PublicPart(Released(visits(13), more), false));
    EXPECT_EQ(release["privacy"]["unit"], "person");
    EXPECT_EQ(release["privacy"]["units"], 20);
    // Whose rows they are stays at home.
    EXPECT_THAT(one, Not(HasSubstr("person 7")));
    const CliResult shown = Run({"show", Path("out.cloak")});
    EXPECT_THAT(shown.out, HasSubstr("of one 'person'"));
    EXPECT_THAT(shown.out, Not(HasSubstr("person 7")));
  }
}

TEST_F(CliPrivacy, APersonWithManyRowsCostsMoreNoiseThanOneWithOne) {
  const auto noise = [&](const Args& more) {
    return json::parse(Released(Survey(30), more))["privacy"];
  };
  // Everybody has one row: the same promise, under another name.
  const json rows = noise({});
  const json names = noise({"--unit", "name"});
  EXPECT_FALSE(rows.contains("unit"));
  EXPECT_EQ(names["units"], 30);
  EXPECT_EQ(names["sensitivity"], rows["sensitivity"]);
  EXPECT_EQ(names["noise_sd"], rows["noise_sd"]);
}

TEST_F(CliPrivacy, OutputsOutsideTheBoundsAreClippedInSilence) {
  const std::string inside = "age,height\n1,60\n2,180\n3,100\n";
  const std::string outside = "age,height\n1,-1e9\n2,181\n3,100\n";
  const std::string one = Released(inside, {});
  const std::string report = report_;
  EXPECT_EQ(one, Released(outside, {}));
  EXPECT_EQ(report, report_);
}

TEST_F(CliPrivacy, ThreadsDoNotMatter) {
  for (const Args& kernel :
       {Args{}, Args{"--kernel", "", "--noise-variance", ""}}) {
    Args one = kernel;
    Args two = kernel;
    one.insert(one.end(), {"--threads", "1"});
    two.insert(two.end(), {"--threads", "2"});
    EXPECT_EQ(Released(Survey(300), one), Released(Survey(300), two));
  }
}

TEST_F(CliPrivacy, NoiseIsFreshEachTime) {
  const std::string one = Released(Survey(60), {});
  seed_ = 2;
  EXPECT_NE(one, Released(Survey(60), {}));
}

TEST_F(CliPrivacy, ADryRunOpensNoOutputsAndWritesNothing) {
  // It could not be released: the outputs are not numbers.
  const std::string data = Write("data.csv", "age,height\n1,?\n2,\n3,tall\n");
  const auto before = Files();
  const CliResult result =
      Run(ReleaseArgs(data, Path("out.cloak"), {"--dry-run"}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Would release"));
  EXPECT_THAT(result.out, HasSubstr("without privacy"));
  EXPECT_EQ(Files(), before);
  // Nor does it need to know where a release would go.
  EXPECT_EQ(Run(ReleaseArgs(data, "", {"--dry-run"})).out, result.out);
}

TEST_F(CliPrivacy, ADryRunPricesWhatTheReleaseCosts) {
  const std::string data = Write("data.csv", Survey(60));
  json price =
      json::parse(Run(ReleaseArgs(data, "", {"--dry-run", "--json"})).out);
  json paid =
      json::parse(Run(ReleaseArgs(data, Path("out.cloak"), {"--json"})).out);
  EXPECT_EQ(price["dry_run"], true);
  EXPECT_EQ(paid["bytes"], Read("out.cloak").size());
  for (json* summary : {&price, &paid}) {
    for (const char* key : {"dry_run", "file", "bytes"}) summary->erase(key);
  }
  EXPECT_EQ(price, paid);
}

TEST_F(CliPrivacy, WithoutEntropyNothingIsReleased) {
  const std::string data = Write("data.csv", Survey(20));
  const auto before = Files();
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(RunCli(ReleaseArgs(data, Path("out.cloak")), {in, out, err},
                   RandomnessForTesting::WithFailingEntropy),
            3);
  EXPECT_THAT(err.str(), HasSubstr("Nothing was released"));
  EXPECT_EQ(Files(), before);
}

TEST_F(CliPrivacy, ALargeDeltaIsWarnedAbout) {
  const std::string data = Write("data.csv", Survey(20));
  const Args args = ReleaseArgs(data, Path("out.cloak"), {"--delta", "0.1"});
  EXPECT_THAT(Run(args).err, HasSubstr("warning: delta = 0.1"));
  Args quiet = args;
  quiet.push_back("--quiet");
  EXPECT_EQ(Run(quiet).err, "");
  EXPECT_THAT(Run(ReleaseArgs(data, Path("out.cloak"))).err,
              Not(HasSubstr("warning")));
}

}  // namespace
}  // namespace cloak
