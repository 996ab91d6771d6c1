// What a custodian can get wrong: each is told clearly, with exit code 2, and
// writes nothing.

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Matcher;
using testing::Not;
using testing::StartsWith;

class BadInput : public CliTest {
 protected:
  void ExpectRefused(const Args& args,
                     const Matcher<const std::string&>& message) {
    const auto before = Files();
    const CliResult result = Run(args);
    EXPECT_EQ(result.code, 2) << testing::PrintToString(args);
    EXPECT_THAT(result.err, StartsWith("cloak: "));
    EXPECT_THAT(result.err, message);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(Files(), before);
  }
  // Refused for what stands in the table.
  void ExpectTableRefused(const std::string& csv,
                          const Matcher<const std::string&>& message) {
    ExpectRefused(ReleaseArgs(Write("data.csv", csv), Path("out.cloak")),
                  message);
  }
  // Refused for an option, with a good table.
  void ExpectOptionRefused(const Args& more,
                           const Matcher<const std::string&>& message) {
    ExpectRefused(
        ReleaseArgs(Write("good.csv", Survey(20)), Path("out.cloak"), more),
        message);
  }
};

TEST_F(BadInput, MissingFile) {
  ExpectRefused(ReleaseArgs(Path("none.csv"), Path("out.cloak")),
                HasSubstr("none.csv"));
  ExpectRefused({"release"}, HasSubstr("DATA.csv"));
  ExpectRefused({"show", Path("none.cloak")}, HasSubstr("none.cloak"));
  ExpectRefused({"predict", Path("none.cloak"), Path("none.csv")},
                HasSubstr("none.cloak"));
}

TEST_F(BadInput, MissingColumn) {
  ExpectOptionRefused({"--inputs", "weight"},
                      AllOf(HasSubstr("'weight'"), HasSubstr("name, age")));
  ExpectOptionRefused({"--output", "hight"},
                      AllOf(HasSubstr("'hight'"), HasSubstr("'height'")));
  ExpectOptionRefused({"--output", "hight", "--dry-run"},
                      AllOf(HasSubstr("'hight'"), HasSubstr("'height'")));
}

TEST_F(BadInput, UnitsThatAreNone) {
  ExpectOptionRefused(
      {"--unit", "nane"},
      AllOf(HasSubstr("no column 'nane'"), HasSubstr("did you mean 'name'?")));
  ExpectOptionRefused({"--unit", "height"},
                      HasSubstr("both the unit and the output"));
  ExpectOptionRefused({"--unit", ""}, HasSubstr("--unit is empty"));
  for (const std::string cell : {"", "  ", "\"\""}) {
    const std::string data =
        Write("data.csv", "name,age,height\nanna,1,70\n" + cell + ",2,80\n");
    for (const Args& more :
         {Args{"--unit", "name"}, Args{"--unit", "name", "--dry-run"}}) {
      ExpectRefused(
          ReleaseArgs(data, Path("out.cloak"), more),
          AllOf(HasSubstr("missing value in column 'name'"), HasSubstr("row 2"),
                HasSubstr("whose row"), Not(HasSubstr("anna"))));
    }
  }
  ExpectRefused(ReleaseArgs(Write("data.csv", "name,age,height\nb\xff,1,70\n"),
                            Path("out.cloak"), {"--unit", "name"}),
                HasSubstr("UTF-8"));
}

TEST_F(BadInput, NoBounds) {
  ExpectOptionRefused(
      {"--bounds", ""},
      AllOf(HasSubstr("--bounds"), HasSubstr("public knowledge"),
            HasSubstr("cannot read them off the data")));
}

TEST_F(BadInput, BoundsThatAreNone) {
  for (const std::string bounds :
       {"60", "60:", ":180", "60:180:200", "low:high", "0:inf", "nan:1"}) {
    ExpectOptionRefused({"--bounds", bounds},
                        AllOf(HasSubstr("--bounds must be LO:HI"),
                              HasSubstr("'" + bounds + "'")));
  }
  for (const std::string bounds : {"180:60", "60:60"}) {
    ExpectOptionRefused({"--bounds", bounds}, HasSubstr("LO below HI"));
  }
}

TEST_F(BadInput, MissingNanOrInfiniteCellsOfPublicColumnsAreNamed) {
  for (const std::string cell : {"", "nan", "inf", "-inf", "1e999", "tall"}) {
    // Line 3 of the file: the second row of data.
    ExpectTableRefused("age,height\n1,70\n" + cell + ",80\n3,90\n",
                       AllOf(HasSubstr("column 'age'"), HasSubstr("3")));
  }
}

TEST_F(BadInput, PrivateCellsAreRefusedOnDemandAndNotRepeated) {
  for (const std::string cell :
       {"", "nan", "inf", "-inf", "1e999", "secretly 181 cm"}) {
    ExpectRefused(
        ReleaseArgs(Write("data.csv", "age,height\n1,70\n2," + cell + "\n"),
                    Path("out.cloak"), {"--missing", "refuse"}),
        AllOf(HasSubstr("column 'height'"), HasSubstr("line 3"),
              Not(HasSubstr("181"))));
  }
}

// Whoever asks for it is told what it gives away.
TEST_F(BadInput, RefusingPrivateCellsComesWithAWarning) {
  const std::string data = Write("data.csv", "age,height\n1,70\n2,80\n3,90\n");
  const CliResult refusing =
      Run(ReleaseArgs(data, Path("a.cloak"), {"--missing", "refuse"}));
  EXPECT_EQ(refusing.code, 0) << refusing.err;
  EXPECT_THAT(refusing.err, HasSubstr("warning: with --missing refuse"));
  EXPECT_THAT(Run(ReleaseArgs(data, Path("b.cloak"))).err,
              Not(HasSubstr("--missing")));
}

// A quote or a separator that is not where it should be puts private cells
// into public ones, or into what is taken for the header.
TEST_F(BadInput, PrivateCellsThatStrayIntoPublicOnesAreNotRepeatedEither) {
  const std::string secret = "1723.5";
  for (const std::string& csv :
       {"age,height\n\"31," + secret + "\"\n",
        "age,height\n31;" + secret + "\n", "31;" + secret + "\n32;160.1\n",
        "31\t" + secret + "\n32\t160.1\n",
        "age,height\n\"31," + secret + "\n32,160.1\n",
        "31," + secret + "\n32,160.1\n"}) {
    ExpectTableRefused(csv, Not(HasSubstr(secret)));
    ExpectRefused(
        ReleaseArgs(Write("data.csv", csv), Path("out.cloak"), {"--dry-run"}),
        Not(HasSubstr(secret)));
  }
}

TEST_F(BadInput, RaggedRows) {
  ExpectTableRefused("age,height\n1,70\n2\n", HasSubstr("header has 2"));
  ExpectTableRefused("age,height\n1,70\n2,80,5\n", HasSubstr("header has 2"));
}

TEST_F(BadInput, NoRows) {
  ExpectTableRefused("", HasSubstr("empty"));
  ExpectTableRefused("age,height\n", HasSubstr("no rows"));
}

TEST_F(BadInput, ColumnsInTwoRoles) {
  ExpectOptionRefused(
      {"--inputs", "age,height"},
      AllOf(HasSubstr("'height'"), HasSubstr("input"), HasSubstr("output")));
  ExpectOptionRefused({"--inputs", "age,age"}, HasSubstr("'age' twice"));
  ExpectOptionRefused({"--inputs", "age,"}, HasSubstr("empty name"));
}

TEST_F(BadInput, BudgetOutOfRange) {
  for (const std::string epsilon : {"0", "-1", "inf", "nan", "1e9"}) {
    ExpectOptionRefused({"--epsilon", epsilon}, HasSubstr("epsilon must be"));
  }
  for (const std::string delta : {"0", "1", "-0.1", "nan", "2"}) {
    ExpectOptionRefused({"--delta", delta}, HasSubstr("delta must be"));
  }
  ExpectOptionRefused({"--epsilon", "one"}, HasSubstr("must be a number"));
  ExpectOptionRefused({"--epsilon", ""}, HasSubstr("--epsilon is missing"));
  ExpectOptionRefused({"--delta", ""}, HasSubstr("--delta is missing"));
}

TEST_F(BadInput, WhatIsPrivateIsNotSaid) {
  // Two lines say what each of the two promises and costs.
  ExpectOptionRefused(
      {"--protect", ""},
      AllOf(HasSubstr("--protect is missing"),
            HasSubstr("\n--protect outputs promises nothing about the inputs"),
            HasSubstr("\n--protect rows hides whole rows, inputs too: it adds "
                      "more noise")));
}

TEST_F(BadInput, KernelsThatAreNone) {
  ExpectOptionRefused({"--kernel", "rbf(1)"}, HasSubstr("rbf"));
  ExpectOptionRefused({"--kernel", "eq(variance=-1)"}, HasSubstr("variance"));
  ExpectOptionRefused({"--kernel", "eq(1, lengthscale=[1, 2])"},
                      HasSubstr("lengthscale"));
  ExpectOptionRefused({"--noise-variance", "-1"},
                      HasSubstr("--noise-variance must be"));
}

TEST_F(BadInput, WhatThisVersionCannotDo) {
  ExpectOptionRefused({"--protect", "cells"}, HasSubstr("outputs or rows"));
  ExpectOptionRefused({"--method", "best"}, HasSubstr("optimal or cloaking"));
  ExpectOptionRefused({"--design", "best"}, HasSubstr("bayes or volume"));
  ExpectOptionRefused({"--threads", "0"}, HasSubstr("--threads must be"));
  ExpectOptionRefused({"--method", "cloaking"}, HasSubstr("--at"));
  ExpectRefused(ReleaseArgs("-", Path("out.cloak"), {"--at", "-"}),
                HasSubstr("both be standard input"));
  ExpectRefused({"relaese"}, HasSubstr("relaese"));
  ExpectRefused({}, HasSubstr("which command"));
}

TEST_F(BadInput, NoFileToWrite) {
  ExpectRefused(ReleaseArgs(Write("good.csv", Survey(20)), ""),
                AllOf(HasSubstr("-o"), HasSubstr("--dry-run")));
}

TEST_F(BadInput, UnwritableOutput) {
  const std::string data = Write("good.csv", Survey(20));
  ExpectRefused(ReleaseArgs(data, Path("no/such/out.cloak")),
                HasSubstr("no directory"));
  ExpectRefused(ReleaseArgs(data, Path(".")), HasSubstr("directory"));
  ExpectRefused(ReleaseArgs(data, data), HasSubstr("would be overwritten"));
  ExpectRefused(ReleaseArgs(data, Path("./good.csv")),
                HasSubstr("would be overwritten"));
  // Nobody can create files there, not even root.
  ExpectRefused(ReleaseArgs(data, "/proc/out.cloak"),
                HasSubstr("cannot write '/proc/out.cloak'"));
}

TEST_F(BadInput, QueriesThatDoNotFit) {
  const std::string data = Write("good.csv", Survey(20));
  const std::string file = Path("good.cloak");
  ASSERT_EQ(Run(ReleaseArgs(data, file)).code, 0);
  const auto refused = [&](const std::string& csv, const auto& message) {
    ExpectRefused({"predict", file, Write("q.csv", csv)}, message);
  };
  refused("weight\n1\n", HasSubstr("'age'"));
  refused("age\n1\n\n2\n", HasSubstr("blank"));
  refused("age,x\n1,a\n,b\n", HasSubstr("column 'age'"));
  refused("age,mean\n1,2\n", AllOf(HasSubstr("'mean'"), HasSubstr("rename")));
  for (const std::string interval : {"0", "1", "95", "nan", "wide"}) {
    ExpectRefused({"predict", file, data, "--interval", interval},
                  HasSubstr("--interval"));
  }
  ExpectRefused({"predict", file, data, "-o", data},
                HasSubstr("would be overwritten"));
  ExpectRefused({"predict", file, data, "-o", file},
                HasSubstr("would be overwritten"));
  ExpectRefused({"show", file, "--html", file},
                HasSubstr("would be overwritten"));
  ExpectRefused({"predict", "-", "-"}, HasSubstr("standard input"));
  ASSERT_EQ(
      Run(ReleaseArgs(data, file, {"--kernel", "bias(1000) + linear(1)"})).code,
      0);
  refused("age\n5\n1e300\n", AllOf(HasSubstr("row 2"), HasSubstr("so far")));
}

}  // namespace
}  // namespace cloak
