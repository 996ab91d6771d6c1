#include "apps/cli/quoted_names.h"

#include <gmock/gmock.h>

#include "cloak/base/error.h"

namespace cloak {
namespace {

using testing::ElementsAre;

TEST(QuotedNamesTest, NamesWithoutQuotesAreSplitAsTheyAre) {
  EXPECT_THAT(SplitNames("age,weight", ','), ElementsAre("age", "weight"));
  EXPECT_THAT(SplitNames("", ','), ElementsAre(""));
  EXPECT_THAT(SplitNames("a,,b", ','), ElementsAre("a", "", "b"));
  // A quote inside of a name is part of it.
  EXPECT_THAT(SplitNames("5\" pipe,6\"", ','), ElementsAre("5\" pipe", "6\""));
}

TEST(QuotedNamesTest, SeparatorsInQuotesBelongToTheName) {
  EXPECT_THAT(SplitNames("\"height, cm\",age", ','),
              ElementsAre("height, cm", "age"));
  EXPECT_THAT(SplitNames("\"a \"\"b\"\", c\",d", ','),
              ElementsAre("a \"b\", c", "d"));
  EXPECT_THAT(SplitOutsideQuotes("\"a,b\"=\"c,d\"|e,f=g", ','),
              ElementsAre("\"a,b\"=\"c,d\"|e", "f=g"));
}

TEST(QuotedNamesTest, AQuoteThatIsNeverClosedIsRefused) {
  EXPECT_THROW(SplitNames("\"a,b", ','), InvalidInput);
  EXPECT_THROW(SplitNames("a,\"", ','), InvalidInput);
}

TEST(QuotedNamesTest, TheLastSignOutsideOfQuotesIsFound) {
  EXPECT_EQ(FindLastOutsideQuotes("a=b=c", '='), 3U);
  EXPECT_EQ(FindLastOutsideQuotes("a=\"b=c\"", '='), 1U);
  EXPECT_EQ(FindLastOutsideQuotes("\"a=b\"", '='), std::string_view::npos);
}

}  // namespace
}  // namespace cloak
