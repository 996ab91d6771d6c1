#include "apps/cli/progress_bar.h"

#include <gmock/gmock.h>

#include <sstream>

namespace cloak {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(ProgressBar, DrawsNothingInAPipe) {
  std::ostringstream out;
  {
    ProgressBar bar(out, false);
    bar.Show("designing", 0.5);
  }
  EXPECT_EQ(out.str(), "");
}

TEST(ProgressBar, ShowsTheStageAndErasesItself) {
  std::ostringstream out;
  {
    ProgressBar bar(out, true);
    bar.Show("designing", 0.5);
    EXPECT_THAT(out.str(), HasSubstr("50 % designing"));
  }
  EXPECT_THAT(out.str(), EndsWith("designing\r\x1b[K"));
}

TEST(ProgressBar, DrawsOnlyWhatChanged) {
  std::ostringstream out;
  ProgressBar bar(out, true);
  bar.Show("designing", 0.5);
  const std::string once = out.str();
  bar.Show("designing", 0.50001);
  EXPECT_EQ(out.str(), once);
}

TEST(ProgressBar, BearsFractionsThatAreNone) {
  std::ostringstream out;
  ProgressBar bar(out, true);
  bar.Show("designing", 7);
  EXPECT_THAT(out.str(), HasSubstr("100 %"));
  bar.Show("designing", -1);
  bar.Show("designing", 0.0 / 0.0);
  EXPECT_THAT(out.str(), HasSubstr("  0 %"));
}

}  // namespace
}  // namespace cloak
