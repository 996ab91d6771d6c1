// Histograms and densities on the command line.

#include <nlohmann/json.hpp>

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Matcher;
using testing::Not;

class Spread : public CliTest {
 protected:
  static std::string People(int rows, const std::string& odd_sex = "x") {
    std::string csv = "age,sex,height\n";
    for (int i = 0; i < rows; ++i) {
      csv += Text(i % 80, ",",
                  i % 10 == 9  ? odd_sex
                  : i % 2 == 0 ? "F"
                               : " M",
                  ",", 100 + i % 80, "\n");
    }
    return csv;
  }

  Args HistogramArgs(const std::string& csv, const Args& more = {}) {
    Args args = {"release",      Write("data.csv", csv),
                 "--task",       "histogram",
                 "--protect",    "rows",
                 "--inputs",     "age,sex",
                 "--categories", "sex=F|M",
                 "--bins",       "age=8",
                 "--epsilon",    "5",
                 "-o",           Path("out.cloak"),
                 "--overwrite"};
    if (std::find(more.begin(), more.end(), "--input-ranges") == more.end()) {
      args.insert(args.end(), {"--input-ranges", "age=0:80"});
    }
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }

  Args DensityArgs(const std::string& csv, const Args& more = {}) {
    Args args = {"release",        Write("data.csv", csv),
                 "--task",         "density",
                 "--protect",      "rows",
                 "--inputs",       "age",
                 "--input-ranges", "age=0:80",
                 "--epsilon",      "2",
                 "--overwrite",    "-o",
                 Path("out.cloak")};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }

  void ExpectRefused(const Args& args,
                     const Matcher<const std::string&>& message) {
    const CliResult result = Run(args);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_THAT(result.err, message);
    EXPECT_EQ(Files().count("out.cloak"), 0U);
  }
};

TEST_F(Spread, NamesMayHaveWhatListsAreSeparatedBy) {
  std::string csv = "\"age, years\",\"a=b\"\n";
  for (int i = 0; i < 400; ++i) {
    csv += Text(i % 80, ",", i % 2 == 0 ? "x=1\n" : "\"y,|2\"\n");
  }
  const CliResult released = Run(
      {"release", Write("odd.csv", csv), "--task", "histogram", "--protect",
       "rows", "--inputs", R"("age, years","a=b")", "--categories",
       R"("a=b"="x=1"|"y,|2")", "--bins", R"("age, years"=4)", "--input-ranges",
       R"("age, years"=0:80)", "--epsilon", "5", "-o", Path("odd.cloak")});
  ASSERT_EQ(released.code, 0) << released.err;
  const nlohmann::json shown =
      nlohmann::json::parse(Run({"show", Path("odd.cloak"), "--json"}).out);
  EXPECT_EQ(shown["inputs"][0]["name"], "age, years");
  EXPECT_EQ(shown["inputs"][1]["name"], "a=b");
  EXPECT_EQ(shown["inputs"][1]["categories"],
            nlohmann::json({"x=1", "y,|2", "other"}));
}

TEST_F(Spread, AHistogramIsReleasedPredictedAndShown) {
  const CliResult released = Run(HistogramArgs(People(800)));
  ASSERT_EQ(released.code, 0) << released.err;
  EXPECT_THAT(
      released.err,
      AllOf(HasSubstr("25 numbers for a histogram of 'age', 'sex'"),
            HasSubstr("(5, 0)-differential privacy of each whole row")));
  const CliResult predicted =
      Run({"predict", Path("out.cloak"),
           Write("new.csv", "sex,age\nF,5\nM,75\nneither,200\n")});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_THAT(predicted.out,
              HasSubstr("sex,age,count,sd,lower,upper,fraction,outside\nF,5,"));
  // 50 women, 40 men and 10 others in each bin, with noise of sd 0.5.
  std::istringstream lines(predicted.out);
  std::string line;
  std::getline(lines, line);
  for (const double expected : {50.0, 40.0, 10.0}) {
    std::getline(lines, line);
    EXPECT_NEAR(ParseNumber(Split(line, ',')[2], "count"), expected, 4);
  }
  const CliResult shown = Run({"show", Path("out.cloak")});
  EXPECT_THAT(shown.out,
              AllOf(HasSubstr("age, private, in 8 bins from 0 to 80"),
                    HasSubstr("sex, private, one of F, M, other"),
                    HasSubstr("discrete Laplace"), Not(HasSubstr("bounds"))));
  const CliResult in_json = Run({"show", Path("out.cloak"), "--json"});
  EXPECT_EQ(nlohmann::json::parse(in_json.out)["bins"], 24);
  EXPECT_EQ(Run({"show", Path("out.cloak"), "--html", Path("page.html")}).code,
            0);
  EXPECT_EQ(
      Run({"predict", Path("out.cloak"), Path("new.csv"), "--interval", "0.5"})
          .code,
      2);
}

TEST_F(Spread, ADensityIsReleasedPredictedAndShown) {
  for (const Args& more :
       {Args{}, Args{"--method", "functional", "--delta", "1e-4"},
        Args{"--method", "functional", "--delta", "1e-4", "--bandwidth",
             "4"}}) {
    const CliResult released = Run(DensityArgs(People(800), more));
    ASSERT_EQ(released.code, 0) << released.err;
    EXPECT_THAT(released.err, HasSubstr("for a density of 'age'"));
    const CliResult predicted =
        Run({"predict", Path("out.cloak"), Write("new.csv", "age\n40\n200\n")});
    ASSERT_EQ(predicted.code, 0) << predicted.err;
    EXPECT_THAT(predicted.out,
                AllOf(HasSubstr("age,density,lower,upper,outside\n40,"),
                      HasSubstr("\n200,0,0,0,1\n")));
    const CliResult shown = Run({"show", Path("out.cloak")});
    EXPECT_THAT(shown.out, HasSubstr("the density of the rows"));
    EXPECT_EQ(
        Run({"show", Path("out.cloak"), "--html", Path("page.html")}).code, 0);
  }
}

// Nothing but what was released may tell what a cell holds: not the exit code
// and not a message, even when no row is as expected.
TEST_F(Spread, RowsThatAreNotAsExpectedAreCountedInSilence) {
  const auto without_size = [](const CliResult& result) {
    return result.err.substr(0, result.err.find("  written"));
  };
  const CliResult expected = Run(HistogramArgs(People(100, "F")));
  ASSERT_EQ(expected.code, 0);
  for (const std::string& odd : {std::string(), std::string("\"a,b\""),
                                 std::string("-1e308"), std::string("nan")}) {
    const CliResult result = Run(HistogramArgs(People(100, odd)));
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out, expected.out);
    EXPECT_EQ(without_size(result), without_size(expected));
  }
  const std::string far = "age,sex\n-1e300,F\n1e300,Q\n";
  EXPECT_EQ(Run(HistogramArgs(far)).code, 0);
  EXPECT_EQ(Run(DensityArgs(far)).code, 0);
}

TEST_F(Spread, AnAuditOfTheFilesFindsNothing) {
  const std::vector<Args> all = {
      HistogramArgs(People(300)),
      HistogramArgs(People(300), {"--delta", "0.1"}), DensityArgs(People(300)),
      DensityArgs(People(300), {"--delta", "0.2"}),
      DensityArgs(People(300), {"--method", "functional", "--delta", "1e-4"})};
  for (const Args& args : all) {
    ASSERT_EQ(Run(args).code, 0);
    const CliResult audited = Run({"audit", Path("out.cloak")});
    EXPECT_EQ(audited.code, 0) << audited.err;
  }
}

TEST_F(Spread, ADryRunOpensNothingPrivate) {
  const CliResult dry =
      Run(HistogramArgs("age,sex\nthis,is\nnot,read\n", {"--dry-run"}));
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_THAT(dry.out, AllOf(HasSubstr("Would release 25 numbers"),
                             HasSubstr("opens nothing private")));
  EXPECT_EQ(Files().count("out.cloak"), 0U);
}

// Gaussian noise, which a ledger prices as it is; Laplace noise is dear.
TEST_F(Spread, TheLedgerIsChargedWhatTheNoiseCosts) {
  const std::string data = Write("data.csv", People(200));
  const CliResult init = Run({"ledger", "init", Path("l.db"), data, "--dataset",
                              "people", "--private", "age,sex", "--protect",
                              "rows", "--epsilon", "6", "--delta", "1e-4"});
  ASSERT_EQ(init.code, 0) << init.err;
  const Args laplace = HistogramArgs(People(200), {"--ledger", Path("l.db")});
  EXPECT_NE(Run(laplace).code, 0);
  const Args gaussian =
      HistogramArgs(People(200), {"--ledger", Path("l.db"), "--delta", "5e-5"});
  const CliResult first = Run(gaussian);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("charged to 'people'"));
  EXPECT_NE(Run(gaussian).code, 0);
}

TEST_F(Spread, WhatDoesNotFitIsRefused) {
  const std::string csv = People(20);
  ExpectRefused(HistogramArgs(csv, {"--output", "height"}),
                HasSubstr("--output does not belong to --task histogram"));
  ExpectRefused(HistogramArgs(csv, {"--bandwidth", "3"}),
                HasSubstr("--bandwidth belongs to --task density"));
  ExpectRefused(HistogramArgs(csv, {"--method", "functional"}),
                HasSubstr("--method optimal"));
  ExpectRefused(HistogramArgs(csv, {"--input-ranges", "age=0:80,sex=0:1"}),
                HasSubstr("--input-ranges"));
  ExpectRefused(HistogramArgs(csv, {"--delta", "2"}), HasSubstr("--delta"));
  ExpectRefused(DensityArgs(csv, {"--categories", "age=1|2"}),
                HasSubstr("--categories belongs to --task histogram"));
  ExpectRefused(DensityArgs(csv, {"--bandwidth", "4"}),
                HasSubstr("--method functional"));
  ExpectRefused(DensityArgs(csv, {"--method", "functional"}),
                HasSubstr("--delta is missing"));
  ExpectRefused(DensityArgs(csv, {"--method", "cloaking"}),
                HasSubstr("--method optimal or functional"));
  Args outputs = DensityArgs(csv);
  outputs[5] = "outputs";
  ExpectRefused(outputs, HasSubstr("--protect rows"));
  ExpectRefused(ReleaseArgs(Path("data.csv"), Path("out.cloak"),
                            {"--categories", "age=1|2"}),
                HasSubstr("--categories belongs to --task histogram"));
}

}  // namespace
}  // namespace cloak
