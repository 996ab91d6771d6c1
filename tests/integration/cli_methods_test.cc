// The published methods on the command line: each releases something that can
// be predicted from, shown and audited, and says what it misses.

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Matcher;

class Methods : public CliTest {
 protected:
  Args ForMethod(const std::string& method, const std::string& file,
                 const Args& more = {}) {
    Args args = {"release",     Write("good.csv", Survey(60)),
                 "--inputs",    "age",
                 "--output",    "height",
                 "--bounds",    "60:180",
                 "--protect",   "outputs",
                 "--epsilon",   "1",
                 "--method",    method,
                 "--overwrite", "-o",
                 Path(file),    "--noise-variance",
                 "30"};
    if (method != "polynomial" && method != "binning") {
      args.insert(args.end(),
                  {"--kernel", "bias(1000) + eq(400, lengthscale=10)"});
    }
    if (method.find("binning") == std::string::npos) {
      args.insert(args.end(), {"--delta", "1e-3"});
    }
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  void ExpectRefused(const std::string& method, const Args& more,
                     const Matcher<const std::string&>& message) {
    const CliResult result = Run(ForMethod(method, "refused.cloak", more));
    EXPECT_EQ(result.code, 2) << method;
    EXPECT_THAT(result.err, message);
  }
};

TEST_F(Methods, EachReleasesWhatCanBePredictedFromAndAudited) {
  const std::string at = Write("at.csv", "age\n5\n15\n25\n");
  const std::vector<std::pair<std::string, Args>> cases = {
      {"cloaking", {"--at", at}},
      {"cloaking", {"--at", at, "--design", "trace"}},
      {"sparse-cloaking", {"--inducing", "5"}},
      {"sparse-cloaking", {"--inducing", "5", "--design", "trace"}},
      {"nonstationary-cloaking", {"--at", at, "--neighbours", "10"}},
      {"functional", {}},
      {"binning", {"--bins", "8", "--input-ranges", "age=0:100"}},
      {"integral-binning", {}},
      {"polynomial", {"--degree", "2"}},
      {"cloaking", {"--at", at, "--reproduce", "smith2018", "--accept-weaker"}},
  };
  for (const auto& [method, more] : cases) {
    const CliResult released = Run(ForMethod(method, "out.cloak", more));
    ASSERT_EQ(released.code, 0) << method << ": " << released.err;
    EXPECT_THAT(released.err, HasSubstr(method));
    const CliResult predicted = Run({"predict", Path("out.cloak"), at});
    EXPECT_EQ(predicted.code, 0) << predicted.err;
    EXPECT_THAT(predicted.out,
                HasSubstr("age,mean,sd,lower,upper,outside\n5,"));
    EXPECT_EQ(Run({"show", Path("out.cloak")}).code, 0);
    EXPECT_EQ(Run({"audit", Path("out.cloak")}).code, 0) << method;
  }
}

TEST_F(Methods, SayWhatTheyMissOrCannotUse) {
  ExpectRefused("cloaking", {}, HasSubstr("--at QUERIES.csv"));
  ExpectRefused("sparse-cloaking", {"--inducing", "61"},
                AllOf(HasSubstr("different rows"), HasSubstr("61")));
  ExpectRefused("sparse-cloaking", {"--inducing", "0"},
                HasSubstr("--inducing must be a whole number"));
  ExpectRefused("nonstationary-cloaking", {}, HasSubstr("--at QUERIES.csv"));
  ExpectRefused("functional", {"--neighbours", "5"},
                HasSubstr("belongs to --method nonstationary-cloaking"));
  ExpectRefused("functional", {"--inducing", "5"},
                HasSubstr("belongs to --method sparse-cloaking"));
  ExpectRefused("binning", {"--delta", "1e-3"}, HasSubstr("leave --delta out"));
  ExpectRefused("binning", {"--kernel", "eq(1)"}, HasSubstr("no kernel"));
  ExpectRefused("binning", {"--bins", "3,4"}, HasSubstr("one for each"));
  ExpectRefused("binning", {"--bins", "0"}, HasSubstr("whole number"));
  ExpectRefused("binning", {"--input-ranges", "weight=0:3"},
                HasSubstr("NAME=LO:HI"));
  ExpectRefused("binning", {"--input-ranges", "age=3:0"},
                HasSubstr("LO below HI"));
  ExpectRefused("functional", {"--bins", "3"},
                HasSubstr("belongs to --method binning"));
  ExpectRefused("functional", {"--at", Write("at.csv", "age\n5\n")},
                HasSubstr("leave the query points out"));
  ExpectRefused("functional", {"--design", "trace"},
                HasSubstr("a design of its own"));
  ExpectRefused("polynomial", {"--degree", "6"}, HasSubstr("0 to 5"));
  ExpectRefused("polynomial", {"--design", "bayes"}, HasSubstr("'optimal'"));
  ExpectRefused("polynomial", {"--kernel", "eq(1)"}, HasSubstr("no kernel"));
  ExpectRefused("optimal", {"--prior-mean", "1000"},
                HasSubstr("within the bounds"));
  ExpectRefused("optimal", {"--noise-column", "height"},
                HasSubstr("both the output and --noise-column"));
  ExpectRefused("optimal", {"--noise-column", "height", "--dry-run"},
                HasSubstr("both the output and --noise-column"));
}

TEST_F(Methods, APapersOwnNoiseNeedsConsent) {
  const std::string at = Write("at.csv", "age\n5\n");
  ExpectRefused(
      "cloaking", {"--at", at, "--reproduce", "smith2018"},
      AllOf(HasSubstr("less than it could"), HasSubstr("--accept-weaker")));
  // A dry run spends nothing.
  EXPECT_EQ(
      Run(ForMethod("cloaking", "out.cloak",
                    {"--at", at, "--reproduce", "smith2018", "--dry-run"}))
          .code,
      0);
  ExpectRefused("cloaking", {"--at", at, "--accept-weaker"},
                HasSubstr("belongs to --reproduce"));
  ExpectRefused("optimal", {"--reproduce", "smith2018", "--accept-weaker"},
                HasSubstr("belongs to their methods"));
}

}  // namespace
}  // namespace cloak
