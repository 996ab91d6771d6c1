#include "apps/cli/release_summary.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace cloak {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

ReleaseSummary Summary() {
  ReleaseSummary summary;
  summary.inputs = {"age", "weight"};
  summary.output = "height";
  summary.plan.privacy.epsilon = 1;
  summary.plan.privacy.delta = 0.01;
  summary.plan.privacy.rows = 50;
  summary.plan.privacy.lower = 60;
  summary.plan.privacy.upper = 180;
  summary.plan.rank = 12;
  summary.plan.expected_sd = 5.123456;
  summary.plan.expected_sd_without_privacy = 2;
  return summary;
}

TEST(ReleaseSummary, SaysWhatWasReleasedAndWhatItCosts) {
  ReleaseSummary summary = Summary();
  EXPECT_THAT(SummaryText(summary), HasSubstr("Would release 12 numbers"));
  EXPECT_THAT(SummaryText(summary), HasSubstr("spends nothing"));
  EXPECT_THAT(SummaryText(summary), HasSubstr("e^1 = 2.718"));
  EXPECT_THAT(SummaryText(summary), HasSubstr("about 5.123 expected"));
  EXPECT_THAT(SummaryText(summary), Not(HasSubstr("certified")));
  summary.plan.certified_gap = 0.0123;
  summary.written = {"heights.cloak", 12345};
  EXPECT_THAT(SummaryText(summary), HasSubstr("Released 12 numbers"));
  EXPECT_THAT(SummaryText(summary), HasSubstr("heights.cloak, 12.3 kB"));
  EXPECT_THAT(SummaryText(summary), HasSubstr("within 1.2 %"));
}

TEST(ReleaseSummary, SaysWhoseOutputsAreProtected) {
  ReleaseSummary summary = Summary();
  EXPECT_THAT(SummaryText(summary), HasSubstr("of each row's 'height'"));
  EXPECT_THAT(SummaryText(summary), HasSubstr("one row moves them"));
  summary.plan.privacy.unit = "person";
  summary.plan.privacy.units = 17;
  EXPECT_THAT(SummaryText(summary),
              HasSubstr("of all 'height' of one 'person'\n"));
  EXPECT_THAT(SummaryText(summary), HasSubstr("any one of the 17 been"));
  EXPECT_THAT(SummaryText(summary), HasSubstr("one 'person' moves them"));
  const auto parsed = nlohmann::json::parse(SummaryJson(summary));
  EXPECT_EQ(parsed["privacy"]["unit"], "person");
  EXPECT_EQ(parsed["privacy"]["units"], 17);
}

TEST(ReleaseSummary, IsTheSameForPrograms) {
  ReleaseSummary summary = Summary();
  summary.output = "bad \xff bytes";
  const auto parsed = nlohmann::json::parse(SummaryJson(summary));
  EXPECT_EQ(parsed["dry_run"], true);
  EXPECT_EQ(parsed["released_numbers"], 12);
  EXPECT_EQ(parsed["privacy"]["delta"], 0.01);
  EXPECT_EQ(parsed["expected_sd"], 5.123456);
  EXPECT_TRUE(parsed["certified_gap"].is_null());
}

TEST(BudgetWarnings, ComeWhenDeltaIsMoreThanOneOverRows) {
  PrivacyStatement privacy;
  privacy.rows = 100;
  privacy.delta = 0.01;
  EXPECT_THAT(BudgetWarnings(privacy), IsEmpty());
  privacy.delta = 0.02;
  EXPECT_THAT(BudgetWarnings(privacy), SizeIs(1));
  // Or over the number of persons.
  privacy.unit = "person";
  privacy.units = 50;
  EXPECT_THAT(BudgetWarnings(privacy), IsEmpty());
  privacy.units = 51;
  EXPECT_THAT(BudgetWarnings(privacy), SizeIs(1));
}

}  // namespace
}  // namespace cloak
