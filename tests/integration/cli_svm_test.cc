// Support vector machines on the command line.

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Matcher;

class Machines : public CliTest {
 protected:
  // --protect rows, and more.
  static Args Rows(const Args& more = {}) {
    Args all = {"--protect", "rows", "--input-ranges", "age=0:80"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  // A class above the age of 40, but for one row in ten.
  static std::string Ages() {
    std::string csv = "age,ill\n";
    for (int i = 0; i < 400; ++i) {
      const bool old = i % 80 > 40;
      csv += Text(i % 80, ",", old == (i % 10 != 0) ? "yes" : "no", "\n");
    }
    return csv;
  }

  Args MachineArgs(const Args& more = {}) {
    Args all = {"release",    Write("ill.csv", Ages()),
                "--task",     "svm",
                "--classes",  "no,yes",
                "--inputs",   "age",
                "--output",   "ill",
                "--epsilon",  "1",
                "--delta",    "1e-4",
                "-o",         Path("ill.cloak"),
                "--overwrite"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  void ExpectRefused(const Args& more,
                     const Matcher<const std::string&>& message) {
    const CliResult result = Run(MachineArgs(more));
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, message);
    EXPECT_EQ(Files().count("ill.cloak"), 0U);
  }
};

TEST_F(Machines, AreReleasedPredictedAndShown) {
  const CliResult released = Run(MachineArgs(Rows()));
  ASSERT_EQ(released.code, 0) << released.err;
  EXPECT_THAT(released.err, AllOf(HasSubstr("each whole row, inputs too"),
                                  HasSubstr("of privacy noise in a margin")));
  const CliResult predicted =
      Run({"predict", Path("ill.cloak"), Write("new.csv", "age\n5\n75\n")});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_THAT(
      predicted.out,
      AllOf(
          HasSubstr("age,probability,class,lower,upper,margin,sd,outside\n5,"),
          HasSubstr(",no,-"), HasSubstr("\n75,"), HasSubstr(",yes,")));
  EXPECT_THAT(Run({"show", Path("ill.cloak")}).out,
              AllOf(HasSubstr("svm"), HasSubstr("of the margin"),
                    HasSubstr("age, private, clipped to 0 to 80")));
  EXPECT_THAT(Run({"show", Path("ill.cloak"), "--json"}).out,
              HasSubstr("\"task\": \"svm\""));
  EXPECT_EQ(Run({"show", Path("ill.cloak"), "--html", Path("page.html")}).code,
            0);
}

TEST_F(Machines, SayTheirPriceInADryRun) {
  const CliResult priced = Run(MachineArgs(Rows({"--dry-run"})));
  EXPECT_EQ(priced.code, 0) << priced.err;
  EXPECT_THAT(priced.out, HasSubstr("functional, cost "));
}

TEST_F(Machines, RefuseWhatDoesNotBelongToThem) {
  ExpectRefused({"--protect", "outputs"},
                HasSubstr("--task svm needs --protect rows"));
  ExpectRefused({"--protect", "rows"}, HasSubstr("--input-ranges is missing"));
  ExpectRefused(Rows({"--cost", "-1"}),
                HasSubstr("--cost must be finite and positive, but is -1"));
  ExpectRefused(Rows({"--bins", "9"}), HasSubstr("--bins"));
  ExpectRefused(Rows({"--method", "variational"}),
                HasSubstr("--task svm has no other --method"));
  ExpectRefused(Rows({"--bounds", "0:1"}), HasSubstr("--bounds"));
  const CliResult regression = Run(ReleaseArgs(
      Write("data.csv", Survey(20)), Path("out.cloak"), {"--cost", "3"}));
  EXPECT_EQ(regression.code, 2);
  EXPECT_THAT(regression.err, HasSubstr("--cost belongs to --task svm"));
}

}  // namespace
}  // namespace cloak
