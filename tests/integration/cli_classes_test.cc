// Classes on the command line: released, predicted, shown and audited.

#include <algorithm>

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Matcher;
using testing::Not;

class Classes : public CliTest {
 protected:
  static std::string Loans(const std::string& no, const std::string& yes) {
    std::string csv = "lines,income,bad\n";
    for (int i = 0; i < 120; ++i) {
      csv += Text(i % 12, ",", i % 7, ",",
                  (i * 7) % 12 + i % 12 > 11 ? yes : no, "\n");
    }
    return csv;
  }

  Args ForClasses(const Args& more) {
    Args args = {"release",   Write("loans.csv", Loans("no", "yes")),
                 "--task",    "classification",
                 "--inputs",  "lines",
                 "--output",  "bad",
                 "--protect", "outputs",
                 "--epsilon", "1",
                 "--delta",   "1e-3"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  void ExpectRefused(const Args& more,
                     const Matcher<const std::string&>& message) {
    Args args = ForClasses(more);
    args.insert(args.end(), {"-o", Path("refused.cloak")});
    const CliResult result = Run(args);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, message);
    EXPECT_EQ(Files().count("refused.cloak"), 0U);
  }
};

TEST_F(Classes, AreReleasedPredictedAndShownByEveryMethod) {
  const std::string kernel = "eq(2, lengthscale=4)";
  const std::string queries = Write("new.csv", "lines\n0\n11\n");
  for (const Args& method :
       {Args{}, Args{"--method", "laplace", "--kernel", kernel},
        Args{"--method", "laplace", "--kernel", kernel, "--newton-steps", "2"},
        Args{"--method", "laplace-sparse", "--kernel", kernel, "--inducing",
             "4"}}) {
    Args args = ForClasses(method);
    args.insert(args.end(), {"--classes", "no,yes", "--overwrite", "-o",
                             Path("loans.cloak")});
    const CliResult released = Run(args);
    ASSERT_EQ(released.code, 0) << released.err;
    EXPECT_THAT(released.err, HasSubstr("the other class"));
    const CliResult predicted = Run({"predict", Path("loans.cloak"), queries});
    EXPECT_THAT(
        predicted.out,
        HasSubstr("lines,probability,class,lower,upper,mean,sd,outside\n0,"));
    EXPECT_THAT(predicted.out, HasSubstr(",no,"));
    const CliResult shown = Run({"show", Path("loans.cloak")});
    EXPECT_THAT(shown.out, HasSubstr("\nOf the inputs, which are public,"));
    EXPECT_THAT(shown.out, AllOf(HasSubstr("classification"),
                                 HasSubstr("of the classes 'no' and 'yes'"),
                                 Not(HasSubstr("clipped"))));
    EXPECT_EQ(Run({"show", Path("loans.cloak"), "--html", Path("p.html")}).code,
              0);
    EXPECT_THAT(Read("p.html"), HasSubstr("\"kind\":\"probability\""));
    EXPECT_THAT(Run({"show", Path("loans.cloak"), "--json"}).out,
                HasSubstr("\"classes\""));
    EXPECT_EQ(Run({"audit", Path("loans.cloak")}).code, 0);
  }
}

// Of very many inputs the file has the mean and the principal components.
TEST_F(Classes, NoValueOfManyInputsStandsInTheFile) {
  constexpr int kInputs = 12;
  std::string csv = "bad";
  std::string names;
  for (int j = 0; j < kInputs; ++j) {
    csv += Text(",x", j);
    names += Text(j == 0 ? "" : ",", "x", j);
  }
  std::vector<std::string> values;
  for (int i = 0; i < 40; ++i) {
    csv += i % 3 == 0 ? "\nyes" : "\nno";
    for (int j = 0; j < kInputs; ++j) {
      const int odd = 1000 + (i * i * i * 37 + 911 * j * j + 11 * i) % 8999;
      values.push_back(Text((7 * i + 3 * j) % 50, ".", odd, "13"));
      csv += "," + values.back();
    }
  }
  Args args = ForClasses({"--classes", "no,yes", "-o", Path("many.cloak")});
  args[1] = Write("many.csv", csv + "\n");
  std::replace(args.begin(), args.end(), std::string("lines"), names);
  const CliResult result = Run(args);
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string file = Read("many.cloak");
  EXPECT_THAT(file, HasSubstr("\"projection\""));
  for (const std::string& value : values) {
    EXPECT_EQ(file.find(value), std::string::npos) << value;
  }
}

TEST_F(Classes, TwoInputsAreDrawnAsAMap) {
  Args args = ForClasses({"--classes", "no,yes", "-o", Path("l.cloak")});
  for (std::string& arg : args) {
    if (arg == "lines") arg = "lines,income";
  }
  ASSERT_EQ(Run(args).code, 0);
  ASSERT_EQ(Run({"show", Path("l.cloak"), "--html", Path("p.html")}).code, 0);
  EXPECT_THAT(
      Read("p.html"),
      HasSubstr("\"kind\":\"probability\",\"inputs\":[\"lines\",\"income\"]"));
}

TEST_F(Classes, APlannedReleaseCanBeAudited) {
  Args args = ForClasses({"--classes", "no,yes", "--releases", "10000"});
  args[0] = "audit";
  const CliResult result = Run(args);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("equal"));
  EXPECT_THAT(result.out, HasSubstr("not accused"));
}

TEST_F(Classes, WhatDoesNotFitIsRefused) {
  const std::string kernel = "eq(2, lengthscale=4)";
  ExpectRefused({}, AllOf(HasSubstr("--classes"), HasSubstr("somebody")));
  ExpectRefused({"--classes", "no,yes,maybe"}, HasSubstr("names 3"));
  ExpectRefused({"--classes", "no,no"}, HasSubstr("the same"));
  ExpectRefused({"--classes", "no,yes", "--bounds", "0:1"},
                HasSubstr("--bounds"));
  ExpectRefused({"--classes", "no,yes", "--noise-variance", "1"},
                HasSubstr("--noise-variance"));
  ExpectRefused({"--classes", "no,yes", "--method", "cloaking"},
                HasSubstr("--task regression"));
  ExpectRefused({"--classes", "no,yes", "--method", "laplace"},
                HasSubstr("--kernel"));
  ExpectRefused({"--classes", "no,yes", "--newton-steps", "2"},
                HasSubstr("laplace"));
  ExpectRefused({"--classes", "no,yes", "--method", "laplace-sparse",
                 "--kernel", kernel, "--inducing", "13"},
                HasSubstr("12"));
}

TEST_F(Classes, ALabelOfNoClassIsNotRepeated) {
  ExpectRefused({"--classes", "no,perhaps", "--missing", "refuse"},
                AllOf(HasSubstr("row "), HasSubstr("2 classes"),
                      Not(HasSubstr("'yes'"))));
}

TEST_F(Classes, OptionsOfClassesBelongToTheirTask) {
  const CliResult result = Run(ReleaseArgs(
      Write("good.csv", Survey(30)), Path("x.cloak"), {"--classes", "no,yes"}));
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("--task classification"));
}

TEST_F(Classes, ALedgerKnowsLabelsByTheirNumbers) {
  const std::string data = Write("loans.csv", Loans("0", "1"));
  ASSERT_EQ(Run({"ledger", "init", Path("l.ledger"), data, "--dataset", "loans",
                 "--private", "bad", "--protect", "outputs", "--epsilon", "1.5",
                 "--delta", "1e-3"})
                .code,
            0);
  const Args args = {"release",    data,
                     "--task",     "classification",
                     "--inputs",   "lines",
                     "--output",   "bad",
                     "--classes",  "0,1",
                     "--protect",  "outputs",
                     "--epsilon",  "1",
                     "--delta",    "1e-3",
                     "--ledger",   Path("l.ledger"),
                     "-o",         Path("l.cloak"),
                     "--overwrite"};
  const CliResult first = Run(args);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("charged to 'loans'"));
  EXPECT_EQ(Run(args).code, 3);
}

}  // namespace
}  // namespace cloak
