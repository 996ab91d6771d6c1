#include "cloak/linalg/privacy_units.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(UnitsTest, RowsWithTheSameLabelAreOneUnitWhereverTheyStand) {
  const PrivacyUnits units = PrivacyUnits::FromLabels(
      {"anna", "bo", "anna", "chi", "bo", "anna"}, "names");
  EXPECT_EQ(units.rows(), 6);
  EXPECT_EQ(units.count(), 3);
  EXPECT_EQ(units.largest(), 3);
  EXPECT_FALSE(units.IsEachRow());
  EXPECT_THAT(units.Rows(0), ElementsAre(0, 2, 5));
  EXPECT_THAT(units.Rows(1), ElementsAre(1, 4));
  EXPECT_THAT(units.Rows(2), ElementsAre(3));
}

TEST(UnitsTest, EachRowIsAUnitOfItsOwn) {
  const PrivacyUnits units = PrivacyUnits::EachRow(4);
  EXPECT_EQ(units.count(), 4);
  EXPECT_TRUE(units.IsEachRow());
  EXPECT_THAT(units.Rows(3), ElementsAre(3));
  EXPECT_TRUE(PrivacyUnits::FromLabels({"1", "2", "3"}, "ids").IsEachRow());
  EXPECT_EQ(PrivacyUnits::EachRow(0).count(), 0);
}

TEST(UnitsTest, EveryRowIsInOneUnitOnce) {
  std::srand(3);
  std::vector<std::string> labels(1000);
  for (std::string& label : labels) label = Text(std::rand() % 70);
  const PrivacyUnits units = PrivacyUnits::FromLabels(labels, "labels");
  std::vector<Index> seen;
  for (Index unit = 0; unit < units.count(); ++unit) {
    for (const Index row : units.Rows(unit)) {
      seen.push_back(row);
      EXPECT_EQ(labels[size_t(row)], labels[size_t(units.Rows(unit)[0])]);
    }
  }
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(seen.size(), 1000U);
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], Index(i));
}

TEST(UnitsTest, BlanksAroundALabelDoNotSplitAPerson) {
  EXPECT_EQ(
      PrivacyUnits::FromLabels({"anna", " anna", "anna \t"}, "names").count(),
      1);
  // But those within it do, and so do capitals.
  EXPECT_EQ(
      PrivacyUnits::FromLabels({"an na", "anna", "Anna"}, "names").count(), 3);
}

TEST(UnitsTest, AMissingLabelIsAnErrorThatSaysWhereAndRepeatsNoLabel) {
  for (const std::string missing : {"", "  ", "\t"}) {
    try {
      PrivacyUnits::FromLabels({"anna", "bo", missing}, "column 'name'");
      FAIL() << "accepted";
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.what(), HasSubstr("column 'name', row 3"));
      EXPECT_THAT(error.what(), Not(HasSubstr("anna")));
    }
  }
}

}  // namespace
}  // namespace cloak
