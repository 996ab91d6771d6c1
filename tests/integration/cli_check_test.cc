#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Check : public CliTest {};

TEST_F(Check, ShowsEveryMissingAndMalformedCellAtOnce) {
  const std::string data = Write("people.csv",
                                 "age,height,name\n1,70,Ann\nx,NA,\"B\nC\"\n3,"
                                 "\"1,7\",D\n4,1e400,NA\n5,-999,\xff\n6,,G\n");
  const CliResult result = Run({"check", data});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("For you alone"),
                    HasSubstr("people.csv: 6 rows, 3 columns"),
                    HasSubstr("age: 5 numbers, 1 malformed"),
                    HasSubstr("row 2 (line 3): 'x' is not a number"),
                    HasSubstr("height: 2 numbers, 2 missing, 2 malformed"),
                    HasSubstr("missing in rows 2, 6"),
                    HasSubstr("row 3 (line 5): '1,7' is not a number")));
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("row 4 (line 6): '1e400' is beyond the range"),
                    HasSubstr("name: 4 texts, 1 missing, 1 malformed"),
                    HasSubstr("has bytes that are not UTF-8")));
  EXPECT_THAT(Run({"check", data, "--missing-values", "-999"}).out,
              HasSubstr("missing in rows 2, 5-6"));
}

TEST_F(Check, FindsNothingInACleanTable) {
  const std::string data = Write("clean.csv", "a,b\n1,x\n2,y\n");
  const CliResult result = Run({"check", data});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("a: 2 numbers\n"), HasSubstr("b: 2 texts\n"),
                    Not(HasSubstr("missing in"))));
}

// As a release reads it.
TEST_F(Check, ABlankLineIsAMissingCellOfTheOnlyColumn) {
  const CliResult result = Run({"check", Write("a.csv", "a\n1\n\n2\n\n")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("4 rows, 1 columns"),
                                HasSubstr("missing in rows 2, 4")));
}

// Whatever it lists stays short.
TEST_F(Check, DoesNotListWithoutEnd) {
  std::string csv = "a\n";
  for (int i = 0; i < 400; ++i) csv += i % 2 == 0 ? "1\n" : "\"\"\n";
  for (int i = 0; i < 90; ++i) csv += "x\n";
  const CliResult result = Run({"check", Write("long.csv", csv)});
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("and 150 more"), HasSubstr("and 40 more")));
}

TEST_F(Check, WhatIsNoTableIsRefused) {
  EXPECT_EQ(Run({"check", Path("nothing.csv")}).code, 2);
  EXPECT_EQ(Run({"check", Write("bad.csv", "a,b\n1\n")}).code, 2);
  EXPECT_THAT(Run({"check"}).err, HasSubstr("cloak check DATA.csv"));
}

// The advice of the release's own messages: nothing tells anybody to remove a
// row whose private cell is missing.
TEST_F(Check, MissingOutputsNeedNoMending) {
  const std::string data =
      Write("gaps.csv", "age,height\n1,70\n2,NA\n3,90\n4,\n5,101\n");
  const CliResult result = Run(ReleaseArgs(data, Path("out.cloak")));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("missing")));
}

}  // namespace
}  // namespace cloak
