// Whole rows private on the command line, and what may depend on them.

#include "cloak/release/file_format.h"
#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Matcher;
using testing::Not;

class Rows : public CliTest {
 protected:
  // As ReleaseArgs, with ages private too, and learned.
  Args RowsArgs(const std::string& csv, const Args& more = {}) {
    Args all = {"--kernel", "", "--noise-variance", "", "--protect", "rows"};
    if (std::find(more.begin(), more.end(), "--input-ranges") == more.end()) {
      all.insert(all.end(), {"--input-ranges", "age=0:80"});
    }
    all.insert(all.end(), more.begin(), more.end());
    return ReleaseArgs(Write("data.csv", csv), Path("out.cloak"), all);
  }

  void ExpectRefused(const Args& more,
                     const Matcher<const std::string&>& message) {
    const CliResult result = Run(RowsArgs(Survey(60), more));
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, message);
    EXPECT_EQ(Files().count("out.cloak"), 0U);
  }
};

TEST_F(Rows, AreReleasedPredictedAndShown) {
  const CliResult released = Run(RowsArgs(Survey(400), {"--delta", "1e-5"}));
  ASSERT_EQ(released.code, 0) << released.err;
  EXPECT_THAT(released.err, AllOf(HasSubstr("each whole row, inputs too"),
                                  HasSubstr("of the last of 5 rounds")));
  const CliResult predicted =
      Run({"predict", Path("out.cloak"), Write("new.csv", "age\n5\n40\n")});
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_THAT(predicted.out, HasSubstr("age,mean,sd,lower,upper,outside\n5,"));
  const CliResult shown = Run({"show", Path("out.cloak")});
  EXPECT_THAT(shown.out, Not(HasSubstr("which are public")));
  EXPECT_THAT(shown.out, AllOf(HasSubstr("age, private, clipped to 0 to 80"),
                               HasSubstr("the number of rows (400) is public"),
                               Not(HasSubstr("half of it below"))));
  EXPECT_EQ(Run({"show", Path("out.cloak"), "--html", Path("page.html")}).code,
            0);
  EXPECT_THAT(Read("page.html"), HasSubstr("\"released_parts\":5"));
}

TEST_F(Rows, AreReleasedByThePublishedMethodToo) {
  const CliResult released =
      Run(RowsArgs(Survey(400), {"--method", "variational", "--kernel",
                                 "eq(900, lengthscale=15)", "--noise-variance",
                                 "40", "--inducing", "6"}));
  ASSERT_EQ(released.code, 0) << released.err;
  EXPECT_EQ(
      Run({"predict", Path("out.cloak"), Write("new.csv", "age\n5\n")}).code,
      0);
}

TEST_F(Rows, WithLabels) {
  std::string csv = "age,ill\n";
  for (int i = 0; i < 300; ++i) {
    csv += Text(i % 80, ",", (i * 7) % 80 + i % 80 > 79 ? 1 : 0, "\n");
  }
  const CliResult released = Run({"release",
                                  Write("ill.csv", csv),
                                  "--task",
                                  "classification",
                                  "--classes",
                                  "0,1",
                                  "--inputs",
                                  "age",
                                  "--output",
                                  "ill",
                                  "--protect",
                                  "rows",
                                  "--input-ranges",
                                  "age=0:80",
                                  "--epsilon",
                                  "2",
                                  "--delta",
                                  "1e-4",
                                  "-o",
                                  Path("ill.cloak")});
  ASSERT_EQ(released.code, 0) << released.err;
  const CliResult predicted =
      Run({"predict", Path("ill.cloak"), Write("new.csv", "age\n5\n75\n")});
  EXPECT_THAT(
      predicted.out,
      HasSubstr("age,probability,class,lower,upper,mean,sd,outside\n5,"));
}

// Nothing but what was released may tell that rows were clipped, even all of
// them: not the exit code, not a message, and not what a dry run says.
TEST_F(Rows, AreClippedInSilence) {
  const auto all_at = [](double age, double height) {
    std::string csv = "name,age,height\n";
    for (int i = 0; i < 60; ++i) {
      csv += Text("person ", i, ",", age, ",", height, "\n");
    }
    return csv;
  };
  const auto before_counts = [](std::string text) {
    const size_t noise = text.find("  noise");
    return text.substr(text.find("  privacy"), noise - text.find("  privacy"));
  };
  const CliResult inside = Run(RowsArgs(all_at(40, 120)));
  ASSERT_EQ(inside.code, 0) << inside.err;
  for (const double age : {-1e300, 1e6}) {
    const CliResult outside = Run(RowsArgs(all_at(age, 1e9)));
    EXPECT_EQ(outside.code, 0) << outside.err;
    EXPECT_EQ(before_counts(outside.err), before_counts(inside.err));
    EXPECT_THAT(outside.err, Not(HasSubstr("clip")));
    EXPECT_THAT(outside.err, Not(HasSubstr("outside")));
  }
  const CliResult dry = Run(RowsArgs(all_at(40, 120), {"--dry-run"}));
  EXPECT_EQ(Run(RowsArgs(all_at(1e9, 1e9), {"--dry-run"})).out, dry.out);
  EXPECT_THAT(dry.out, HasSubstr("opens nothing private"));
}

TEST_F(Rows, ADryRunDoesNotReadThem) {
  const std::string csv = "name,age,height\nann,secret,secret\nbob,x,\n";
  const CliResult dry = Run(RowsArgs(csv, {"--dry-run"}));
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_THAT(dry.out + dry.err, Not(HasSubstr("secret")));
  EXPECT_EQ(Run(RowsArgs(csv, {"--dry-run", "--missing", "refuse"})).code, 0);
  const CliResult read = Run(RowsArgs(csv, {"--missing", "refuse"}));
  EXPECT_EQ(read.code, 2);
  EXPECT_THAT(read.err, Not(HasSubstr("secret")));
}

TEST_F(Rows, NeedRangesFromPublicKnowledge) {
  ExpectRefused({"--input-ranges", ""}, HasSubstr("--input-ranges is missing"));
  ExpectRefused({"--input-ranges", "age=80:0"}, HasSubstr("LO below HI"));
  ExpectRefused({"--input-ranges", "weight=0:80"},
                HasSubstr("'weight' is not one of the inputs (age)"));
  ExpectRefused({"--input-ranges", "age=0:80,age=0:90"},
                HasSubstr("'age' stands there twice"));
  ExpectRefused({"--input-ranges", "age=0:inf"}, HasSubstr("--input-ranges"));
}

TEST_F(Rows, RefuseWhatNeedsPublicInputs) {
  ExpectRefused({"--unit", "name"}, HasSubstr("--unit belongs to --protect"));
  ExpectRefused({"--design", "trace"}, HasSubstr("--design belongs"));
  ExpectRefused({"--method", "cloaking"}, HasSubstr("optimal or variational"));
  ExpectRefused({"--method", "variational"}, HasSubstr("--kernel and"));
  ExpectRefused({"--inducing", "7"}, HasSubstr("--method variational"));
  ExpectRefused({"--bins", "0"}, HasSubstr("--bins must be"));
  ExpectRefused({"--bins", "100000"}, HasSubstr("cells"));
  ExpectRefused({"--prior-mean", "200"}, HasSubstr("prior mean"));
  EXPECT_THAT(Run(ReleaseArgs(Write("data.csv", Survey(60)), Path("out.cloak"),
                              {"--method", "variational"}))
                  .err,
              HasSubstr("belongs to --protect rows"));
}

TEST_F(Rows, AreChargedToALedgerOfRows) {
  const std::string data = Write("data.csv", Survey(60));
  const auto init = [&](const std::string& protect, const std::string& columns,
                        const std::string& ledger) {
    return Run({"ledger", "init", Path(ledger), data, "--dataset", "people",
                "--private", columns, "--epsilon", "3", "--delta", "1e-2",
                "--protect", protect});
  };
  ASSERT_EQ(init("rows", "age,height", "rows.ledger").code, 0);
  ASSERT_EQ(init("outputs", "height", "outputs.ledger").code, 0);
  const CliResult charged =
      Run(RowsArgs(Survey(60), {"--ledger", Path("rows.ledger")}));
  EXPECT_EQ(charged.code, 0) << charged.err;
  EXPECT_THAT(charged.err, HasSubstr("charged to 'people' as entry"));
  // A budget for outputs says nothing about rows.
  const CliResult refused =
      Run(RowsArgs(Survey(60), {"--ledger", Path("outputs.ledger")}));
  EXPECT_NE(refused.code, 0);
}

class SelectedRows : public Rows {
 protected:
  Args SelectArgs(const Args& more) {
    Args args = {"select",
                 Write("data.csv", Survey(80)),
                 "--inputs",
                 "age",
                 "--output",
                 "height",
                 "--bounds",
                 "60:180",
                 "--protect",
                 "rows",
                 "--noise-variance",
                 "40",
                 "--kernel",
                 "bias(1000) + eq(variance=900, lengthscale={8,20})"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
};

TEST_F(SelectedRows, AreTheReleaseOfTheBestCandidate) {
  const CliResult result =
      Run(SelectArgs({"--input-ranges", "age=0:80", "--epsilon", "6", "--delta",
                      "1e-4", "--tries", "3", "-o", Path("best.cloak")}));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("--method optimal --kernel 'bias"),
                                HasSubstr("--noise-variance 40")));
  EXPECT_THAT(result.err, HasSubstr("(6, 1e-04)-differential privacy of each "
                                    "whole row"));
  const CliResult shown = Run({"show", Path("best.cloak")});
  EXPECT_THAT(shown.out, HasSubstr("the best of a random number of private"));
}

// Whichever of them is the best, file and summary describe that one.
TEST_F(SelectedRows, SayWhichCandidateIsTheBest) {
  Args args =
      SelectArgs({"--input-ranges", "age=0:80", "--epsilon", "6", "--delta",
                  "1e-4", "--tries", "3", "--method", "variational",
                  "--inducing", "{3,6}", "-o", Path("best.cloak")});
  args[13] = "eq(variance=900, lengthscale=20)";
  const CliResult result = Run(args);
  ASSERT_EQ(result.code, 0) << result.err;
  const Release release = ReleaseFromJson(Read("best.cloak"), "best.cloak");
  EXPECT_THAT(result.out,
              HasSubstr("--inducing " +
                        std::to_string(release.content().basis_points.rows())));
  EXPECT_THAT(release.content().privacy.mechanism,
              HasSubstr("this one by exact Gaussian release of moments"));
  EXPECT_THAT(result.err, AllOf(HasSubstr("variational"),
                                Not(HasSubstr("expected in the function"))));
}

TEST_F(SelectedRows, ArePricedWithoutLookingAtThem) {
  const CliResult result =
      Run(SelectArgs({"--input-ranges", "age=0:80", "--epsilon", "3", "--delta",
                      "1e-4", "--dry-run"}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("opens nothing private"));
}

TEST_F(SelectedRows, SayWhatIsMissing) {
  const auto error_of = [&](const Args& more) {
    Args args = SelectArgs(more);
    args.insert(args.end(), {"-o", Path("best.cloak")});
    const CliResult result = Run(args);
    EXPECT_EQ(result.code, 2);
    return result.err;
  };
  EXPECT_THAT(error_of({"--epsilon", "3", "--delta", "1e-4"}),
              HasSubstr("--input-ranges is missing"));
  EXPECT_THAT(error_of({"--input-ranges", "age=0:80", "--epsilon", "3"}),
              HasSubstr("--delta is missing"));
  EXPECT_THAT(error_of({"--input-ranges", "age=0:80", "--epsilon", "3",
                        "--delta", "1e-4", "--tries", "1"}),
              HasSubstr("--tries must be"));
  EXPECT_THAT(error_of({"--input-ranges", "age=0:80", "--epsilon", "3",
                        "--delta", "1e-4", "--tries", "1001"}),
              HasSubstr("--tries must be"));
  EXPECT_THAT(error_of({"--input-ranges", "age=0:80", "--epsilon", "3",
                        "--delta", "1e-4", "--method", "cloaking"}),
              AllOf(HasSubstr("candidate 1"), HasSubstr("variational")));
}

}  // namespace
}  // namespace cloak
