// Inferring anew from a file, as somebody does who has nothing else.

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using testing::HasSubstr;
using testing::Matcher;
using testing::Not;

class Infer : public CliTest {
 protected:
  static constexpr char kRougher[] =
      "bias(1000) + matern32(variance=600, lengthscale=5)";

  void SetUp() override {
    const std::string data = Write("heights.csv", Survey(600));
    file_ = Path("heights.cloak");
    // Everything is learned.
    const CliResult released = Run(ReleaseArgs(
        data, file_,
        {"--kernel", "", "--noise-variance", "", "--epsilon", "3"}));
    ASSERT_EQ(released.code, 0) << released.err;
    EXPECT_THAT(released.err, HasSubstr("cloak infer"));
    std::filesystem::remove(data);
    queries_ = Write("new.csv", "age\n5\n20\n60\n");
  }

  void ExpectRefused(const Args& more,
                     const Matcher<const std::string&>& message) {
    const auto before = Files();
    Args args = {"infer"};
    args.insert(args.end(), more.begin(), more.end());
    const CliResult result = Run(args);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, message);
    EXPECT_EQ(Files(), before);
  }

  std::string file_;
  std::string queries_;
};

TEST_F(Infer, AnewWithAnotherKernelWhichTheNewFileSays) {
  const CliResult inferred =
      Run({"infer", file_, "--kernel", kRougher, "--noise-variance", "30",
           "--prior-mean", "100", "-o", Path("rougher.cloak")});
  ASSERT_EQ(inferred.code, 0) << inferred.err;
  EXPECT_THAT(inferred.err, HasSubstr("nothing was spent"));
  const CliResult shown = Run({"show", Path("rougher.cloak")});
  EXPECT_THAT(shown.out, HasSubstr("matern32(variance=600, lengthscale=5)"));
  EXPECT_THAT(shown.out, HasSubstr("inferred"));
  EXPECT_THAT(shown.out, HasSubstr("epsilon = 3"));
  EXPECT_THAT(Run({"show", file_}).out, Not(HasSubstr("inferred")));
  const CliResult before = Run({"predict", file_, queries_});
  const CliResult after = Run({"predict", Path("rougher.cloak"), queries_});
  ASSERT_EQ(after.code, 0) << after.err;
  EXPECT_NE(before.out, after.out);
  // What it costs can be checked as before.
  EXPECT_EQ(Run({"audit", Path("rougher.cloak")}).code, 0);
  EXPECT_EQ(Run({"audit", Path("rougher.cloak")}).out,
            Run({"audit", file_}).out);
}

TEST_F(Infer, ToStandardOutputAndFromStandardInput) {
  const CliResult inferred =
      Run({"infer", "-", "--noise-variance", "30", "-o", "-"},
          Read("heights.cloak"));
  ASSERT_EQ(inferred.code, 0) << inferred.err;
  EXPECT_THAT(inferred.err, HasSubstr("nothing was spent"));
  const std::string copy = Write("copy.cloak", inferred.out);
  EXPECT_EQ(Run({"predict", copy, queries_}).code, 0);
}

TEST_F(Infer, WrongUseSaysWhatToDo) {
  const std::string out = Path("new.cloak");
  ExpectRefused({file_, "-o", out}, HasSubstr("--kernel"));
  ExpectRefused({file_, "--kernel", kRougher}, HasSubstr("-o NEW.cloak"));
  ExpectRefused({file_, "--kernel", "eq(", "-o", out}, HasSubstr("kernel"));
  ExpectRefused({file_, "--kernel", "eq(1, lengthscale=[1, 2])", "-o", out},
                HasSubstr("2"));
  ExpectRefused({file_, "--noise-variance", "-1", "-o", out},
                HasSubstr("--noise-variance"));
  ExpectRefused({file_, "--prior-mean", "1000", "-o", out},
                HasSubstr("prior mean"));
  ExpectRefused({file_, "--prior-mean", "100", "-o", file_},
                HasSubstr("heights.cloak"));
  ExpectRefused({queries_, "--prior-mean", "100", "-o", out},
                HasSubstr("new.csv"));
  ExpectRefused({Path("none.cloak"), "--prior-mean", "100", "-o", out},
                HasSubstr("none.cloak"));
}

TEST_F(Infer, AFileThatIsThereIsReplacedOnlyWhereThatIsSaid) {
  Write("there.cloak", "paid for");
  const Args args = {"infer", file_, "--prior-mean",
                     "100",   "-o",  Path("there.cloak")};
  EXPECT_EQ(Run(args).code, 2);
  EXPECT_EQ(Read("there.cloak"), "paid for");
  Args replacing = args;
  replacing.emplace_back("--overwrite");
  EXPECT_EQ(Run(replacing).code, 0);
  EXPECT_NE(Read("there.cloak"), "paid for");
}

TEST_F(Infer, ACompactFileIsSmallerAndSaysThatNobodyCan) {
  const std::string data = Write("heights.csv", Survey(600));
  const CliResult released = Run(
      ReleaseArgs(data, Path("compact.cloak"), {"--kernel", "", "--compact"}));
  ASSERT_EQ(released.code, 0) << released.err;
  EXPECT_THAT(released.err, HasSubstr("left out, as was asked for"));
  EXPECT_LT(Read("compact.cloak").size(), Read("heights.cloak").size());
  ExpectRefused(
      {Path("compact.cloak"), "--prior-mean", "100", "-o", Path("new.cloak")},
      HasSubstr("left out, as was asked for"));
}

TEST_F(Infer, ReleasesOfOtherKindsSayThatTheyCannot) {
  const std::string data = Write("heights.csv", Survey(300));
  const std::string rows = Path("rows.cloak");
  ASSERT_EQ(Run(ReleaseArgs(data, rows,
                            {"--protect", "rows", "--input-ranges", "age=0:80",
                             "--kernel", ""}))
                .code,
            0);
  ExpectRefused({rows, "--prior-mean", "100", "-o", Path("new.cloak")},
                HasSubstr("private outputs"));
}

}  // namespace
}  // namespace cloak
