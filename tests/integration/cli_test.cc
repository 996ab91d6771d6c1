// The three commands from end to end, and what must simply work.

#include <nlohmann/json.hpp>

#include "cloak/data/csv.h"
#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Cli : public CliTest {
 protected:
  void ExpectWorks(const std::string& csv, const Args& more = {}) {
    const std::string data = Write("data.csv", csv);
    const std::string file = Path("out.cloak");
    const CliResult release = Run(ReleaseArgs(data, file, more));
    ASSERT_EQ(release.code, 0) << release.err;
    const CliResult predict = Run({"predict", file, data});
    ASSERT_EQ(predict.code, 0) << predict.err;
    CsvOptions options;
    options.numeric = {"mean", "sd", "lower", "upper"};
    const Matrix predicted =
        ParseCsv(predict.out, "predictions", options).Numeric(options.numeric);
    EXPECT_TRUE((predicted.col(1).array() > 0).all());
    EXPECT_TRUE((predicted.col(2).array() < predicted.col(0).array()).all());
    EXPECT_TRUE((predicted.col(0).array() < predicted.col(3).array()).all());
    EXPECT_EQ(Run({"show", file, "--html", Path("page.html")}).code, 0);
  }
  const Args kLearn = {"--kernel", "", "--noise-variance", ""};
};

TEST_F(Cli, LearnsWhatThereIsToLearn) {
  const std::string data = Write("data.csv", Survey(400));
  const std::string file = Path("out.cloak");
  ASSERT_EQ(Run(ReleaseArgs(data, file, {"--epsilon", "20"})).code, 0);
  const CliResult result =
      Run({"predict", file, "-", "--latent"}, "age\n2\n40\n");
  CsvOptions options;
  options.numeric = {"mean"};
  const Matrix mean =
      ParseCsv(result.out, "out", options).Numeric(options.numeric);
  EXPECT_NEAR(mean(0), 60 + 110 * (1 - std::exp(-2.0 / 9)), 8);
  EXPECT_NEAR(mean(1), 60 + 110 * (1 - std::exp(-40.0 / 9)), 5);
}

TEST_F(Cli, ReleaseSaysWhatItDid) {
  const std::string data = Write("data.csv", Survey(50));
  const CliResult result = Run(ReleaseArgs(data, Path("out.cloak")));
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("Released"), HasSubstr("50 rows"),
                    HasSubstr("(1, 0.001)-differential privacy"),
                    HasSubstr("without privacy"), HasSubstr("out.cloak")));
  const CliResult quiet =
      Run(ReleaseArgs(data, Path("out.cloak"), {"--quiet"}));
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(Cli, PredictKeepsTheQueryColumnsAsTheyAre) {
  const std::string file = Path("out.cloak");
  ASSERT_EQ(Run(ReleaseArgs(Write("data.csv", Survey(50)), file)).code, 0);
  const std::string queries =
      "who,age,note\n\"O'Neil, \"\"Ann\"\"\",07.50,\nBö, 8 ,1e400\n";
  const CliResult result = Run({"predict", file, Write("q.csv", queries)});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              StartsWith("who,age,note,mean,sd,lower,upper,outside\n"));
  EXPECT_THAT(result.out, HasSubstr("\n\"O'Neil, \"\"Ann\"\"\",07.50,,"));
  EXPECT_THAT(result.out, HasSubstr("\nBö, 8 ,1e400,"));
  // The same through pipes and to a file.
  EXPECT_EQ(Run({"predict", file, "-"}, queries).out, result.out);
  EXPECT_EQ(Run({"predict", "-", Path("q.csv")}, Read("out.cloak")).out,
            result.out);
  EXPECT_EQ(Run({"predict", file, "-", "-o", Path("p.csv")}, queries).out, "");
  EXPECT_EQ(Read("p.csv"), result.out);
}

TEST_F(Cli, IntervalsNestAndTheFunctionIsSurerThanAnObservation) {
  const std::string file = Path("out.cloak");
  ASSERT_EQ(Run(ReleaseArgs(Write("data.csv", Survey(50)), file)).code, 0);
  const auto sd_lower = [&](const Args& more) {
    Args args = {"predict", file, "-"};
    args.insert(args.end(), more.begin(), more.end());
    CsvOptions options;
    options.numeric = {"sd", "lower"};
    return ParseCsv(Run(args, "age\n30\n").out, "out", options)
        .Numeric(options.numeric)
        .eval();
  };
  EXPECT_LT(sd_lower({"--latent"})(0), sd_lower({})(0));
  EXPECT_LT(sd_lower({"--interval", "0.99"})(1), sd_lower({})(1));
  EXPECT_LT(sd_lower({})(1), sd_lower({"--interval", "0.5"})(1));
}

TEST_F(Cli, ShowTellsPeopleAndPrograms) {
  const std::string file = Path("out.cloak");
  ASSERT_EQ(Run(ReleaseArgs(Write("data.csv", Survey(50)), file)).code, 0);
  EXPECT_THAT(
      Run({"show", file}).out,
      AllOf(HasSubstr("regression"), HasSubstr("age, from 0 to"),
            HasSubstr("bias(1000)"), HasSubstr("differential privacy")));
  const json described = json::parse(Run({"show", file, "--json"}).out);
  EXPECT_EQ(described["output"], "height");
  EXPECT_EQ(described["privacy"]["rows"], 50);
  EXPECT_EQ(described["posteriors"][0]["noise_variance"], 40);
  EXPECT_EQ(Run({"show", file, "--html", Path("page.html")}).out, "");
  EXPECT_THAT(Read("page.html"), HasSubstr("\"kind\":\"curve\""));
}

TEST_F(Cli, WorksWithDuplicateRows) {
  ExpectWorks("age,height\n5,90\n5,90\n5,90\n5,91\n", kLearn);
}

TEST_F(Cli, WorksWithAConstantInput) {
  ExpectWorks("age,height\n5,90\n5,99\n5,80\n", kLearn);
}

TEST_F(Cli, WorksWithInputsOfVeryDifferentScales) {
  std::string csv = "age,income,height\n";
  for (int i = 0; i < 60; ++i) {
    csv += Text(20 + i % 30, ",", 1e4 + 7e3 * ((i * 37) % 60), ",",
                100 + i % 50, "\n");
  }
  Args more = kLearn;
  more.insert(more.end(), {"--inputs", "age,income"});
  ExpectWorks(csv, more);
}

TEST_F(Cli, WorksWithOneRowAndWithTwo) {
  ExpectWorks("age,height\n5,90\n", kLearn);
  ExpectWorks("age,height\n5,90\n6,95\n", kLearn);
  ExpectWorks("age,height\n5,90\n6,95\n");
}

TEST_F(Cli, WorksWithTenThousandRows) { ExpectWorks(Survey(10000)); }

TEST_F(Cli, WorksWithNegativeBoundsAndPlaces) {
  ExpectWorks("age,height\n-5,-9\n-6,9\n-7,3\n", {"--bounds", "-10:10"});
}

TEST_F(Cli, WorksForGivenPlacesByCloaking) {
  const std::string at = Write("at.csv", "age\n5\n20\n60\n");
  ExpectWorks(Survey(50), {"--method", "cloaking", "--at", at});
  ExpectWorks(Survey(50), {"--at", at});
}

TEST_F(Cli, ReadsItsTableFromAPipeAndWritesToOne) {
  const CliResult result = Run(ReleaseArgs("-", "-"), Survey(50));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(Run({"show", "-"}, result.out).code, 0);
}

TEST_F(Cli, ShowsProgressOnATerminalOnly) {
  const std::string data = Write("data.csv", Survey(200));
  const Args args = ReleaseArgs(data, Path("out.cloak"), kLearn);
  const CliResult pipe = Run(args);
  EXPECT_THAT(pipe.err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(pipe.err, Not(HasSubstr("\r")));
  const CliResult terminal = Run(args, "", true);
  EXPECT_THAT(terminal.err, HasSubstr("\r\x1b[K"));
  // It is gone before the summary, which is the same.
  EXPECT_EQ(terminal.err.substr(terminal.err.rfind("\x1b[K") + 3), pipe.err);
}

TEST_F(Cli, HelpManualAndCompletionCoverTheCommands) {
  EXPECT_THAT(Run({"--help"}).out, HasSubstr("Exit codes:"));
  EXPECT_THAT(Run({"--version"}).out, StartsWith("cloak "));
  const std::string help = Run({"release", "--help"}).out;
  const std::string manual = Run({"manual"}).out;
  const std::string bash = Run({"completion", "bash"}).out;
  for (const std::string option :
       {"inputs", "output", "bounds", "epsilon", "delta", "protect", "method",
        "design", "kernel", "at", "dry-run", "quiet", "json", "threads"}) {
    EXPECT_THAT(help, HasSubstr("--" + option));
    EXPECT_THAT(bash, HasSubstr("--" + option));
  }
  EXPECT_THAT(manual, HasSubstr("\\-\\-epsilon"));
  EXPECT_EQ(Run({"completion", "tcsh"}).code, 2);
  EXPECT_EQ(Run({"completion"}).code, 2);
}

}  // namespace
}  // namespace cloak
