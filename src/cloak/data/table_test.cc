#include "cloak/data/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cloak/base/error.h"
#include "cloak/data/test_key.h"

namespace cloak {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Table People() {
  Table::Columns columns;
  columns.numeric["age"] = Vector::LinSpaced(2, 30, 40);
  columns.numeric["weight"] = Vector::LinSpaced(2, 60, 70);
  columns.text["age"] = {"30", "40"};
  columns.text["town"] = {"Ede", "Oss"};
  columns.secret["height"] = Vector::LinSpaced(2, 171, 182);
  return {"people.csv",
          2,
          {"town", "age", "weight", "height", "notes"},
          std::move(columns)};
}

TEST(TableTest, NumericColumnsComeInTheOrderAskedFor) {
  Matrix expected(2, 2);
  expected << 60, 30, 70, 40;
  EXPECT_EQ(People().Numeric({"weight", "age"}), expected);
  EXPECT_EQ(People().Numeric({}).rows(), 2);
}

TEST(TableTest, AColumnMayBeBothNumbersAndText) {
  EXPECT_THAT(People().TextColumn("age"), ElementsAre("30", "40"));
}

TEST(TableTest, APrivateColumnIsASecret) {
  const Table people = People();
  EXPECT_EQ(OpenInTest(people.Private("height")),
            Vector::LinSpaced(2, 171, 182));
}

TEST(TableTest, TheHeaderNamesColumnsThatWereNotKept) {
  EXPECT_EQ(People().header().back(), "notes");
  EXPECT_EQ(People().rows(), 2);
}

TEST(TableTest, APrivateColumnCannotBeHadAsPublic) {
  const auto refusal = ThrowsMessage<InvalidInput>(
      AllOf(HasSubstr("column 'height' of 'people.csv'"),
            HasSubstr("was read as private numbers")));
  EXPECT_THAT([] { People().Numeric({"age", "height"}); }, refusal);
  EXPECT_THAT([] { People().TextColumn("height"); }, refusal);
}

TEST(TableTest, APublicColumnCannotBeHadAsPrivate) {
  EXPECT_THAT([] { People().Private("age"); },
              ThrowsMessage<InvalidInput>(
                  HasSubstr("was read as public numbers and public text")));
}

TEST(TableTest, AColumnThatWasNotReadIsRefused) {
  EXPECT_THAT([] { People().TextColumn("notes"); },
              ThrowsMessage<InvalidInput>(
                  AllOf(HasSubstr("column 'notes' of 'people.csv'"),
                        HasSubstr("was not read"))));
}

TEST(TableTest, ColumnsOfAnotherLengthAreRefused) {
  Table::Columns columns;
  columns.secret["height"] = Vector::Zero(3);
  EXPECT_THAT([&] { Table("t", 2, {"height"}, columns); },
              ThrowsMessage<InvalidInput>(
                  HasSubstr("column 'height' of 't' must have 2 rows like the "
                            "table, but has 3")));
}

TEST(TableTest, AColumnIsNotBothPublicAndPrivate) {
  Table::Columns columns;
  columns.secret["height"] = Vector::Zero(1);
  columns.text["height"] = {"0"};
  EXPECT_THROW(Table("t", 1, {"height"}, columns), InvalidInput);
}

}  // namespace
}  // namespace cloak
