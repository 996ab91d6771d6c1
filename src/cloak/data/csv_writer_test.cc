#include "cloak/data/csv_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <sstream>

#include "cloak/base/error.h"
#include "cloak/data/csv.h"

namespace cloak {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string Written(const std::vector<CsvColumn>& columns) {
  std::ostringstream out;
  WriteCsv(out, columns);
  return out.str();
}

TEST(CsvWriterTest, ColumnsStandSideBySideInOrder) {
  const std::vector<std::string> town = {"Ede", "Den Haag, \"'s-Gravenhage\""};
  const Vector mean = Eigen::Vector2d(0.1, -1e-300);
  EXPECT_EQ(
      Written({{"town", town}, {"mean", mean}}),
      "town,mean\nEde,0.1\n\"Den Haag, \"\"'s-Gravenhage\"\"\",-1e-300\n");
}

TEST(CsvWriterTest, AFieldIsQuotedOnlyWhenItMustBe) {
  EXPECT_EQ(CsvField("plain text;"), "plain text;");
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(CsvField("a\nb"), "\"a\nb\"");
  EXPECT_EQ(CsvField("a\r"), "\"a\r\"");
}

TEST(CsvWriterTest, ALoneEmptyCellIsNotABlankLine) {
  const std::vector<std::string> cells = {"", "x", ""};
  EXPECT_EQ(Written({{"a", cells}}), "a\n\"\"\nx\n\"\"\n");
}

TEST(CsvWriterTest, WhatCouldNotBeReadBackIsRefused) {
  const Vector two = Vector::Zero(2);
  const Vector three = Vector::Zero(3);
  EXPECT_THAT(
      [&] {
        Written({{"a", two}, {"a", two}});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("two columns named 'a'")));
  EXPECT_THAT(
      [&] {
        Written({{"a", two}, {"b", three}});
      },
      ThrowsMessage<InvalidInput>(
          HasSubstr("column 'b' has 3 rows, but column 'a' has 2")));
  EXPECT_THROW(Written({{"", two}}), InvalidInput);
}

// Text of the characters that CSV, UTF-8 and their readers find hardest.
rc::Gen<std::string> AnyText() {
  const auto character = rc::gen::element<std::string>(
      "a", "1", ",", "\"", "\n", "\r", "\r\n", " ", "\t", "é", "😀",
      "\xef\xbb\xbf", ";", "+", std::string(1, '\0'));
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(character),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
}

// Any bits at all that are a finite number.
rc::Gen<double> AnyNumber() {
  const auto bits = rc::gen::map(
      rc::gen::arbitrary<uint64_t>(),
      [](uint64_t pattern) { return std::bit_cast<double>(pattern); });
  return rc::gen::suchThat(
      rc::gen::oneOf(bits, rc::gen::arbitrary<double>(),
                     rc::gen::element(0.0, -0.0, 5e-324, 0.1,
                                      std::numeric_limits<double>::max())),
      [](double value) { return std::isfinite(value); });
}

RC_GTEST_PROP(CsvWriterTest, AnyTableWrittenAndReadBackIsTheSame, ()) {
  const auto rows = *rc::gen::inRange<size_t>(1, 8);
  const auto names = *rc::gen::nonEmpty(
      rc::gen::unique<std::vector<std::string>>(rc::gen::nonEmpty(AnyText())));
  std::map<std::string, std::vector<std::string>> texts;
  std::map<std::string, Vector> numbers;
  std::vector<CsvColumn> columns;
  CsvOptions options;
  for (const std::string& name : names) {
    if (*rc::gen::arbitrary<bool>()) {
      texts[name] =
          *rc::gen::container<std::vector<std::string>>(rows, AnyText());
      options.text.push_back(name);
      columns.emplace_back(name, texts[name]);
    } else {
      const auto values =
          *rc::gen::container<std::vector<double>>(rows, AnyNumber());
      numbers[name] = Eigen::Map<const Vector>(values.data(), rows);
      options.numeric.push_back(name);
      columns.emplace_back(name, numbers[name]);
    }
  }
  const Table table = ParseCsv(Written(columns), "written.csv", options);
  RC_ASSERT(table.header() == names);
  for (const auto& [name, cells] : texts) {
    RC_ASSERT(table.TextColumn(name) == cells);
  }
  for (const auto& [name, values] : numbers) {
    const Vector read = table.Numeric({name});
    // The same bits, so that -0 is not 0.
    RC_ASSERT(std::memcmp(read.data(), values.data(), rows * sizeof(double)) ==
              0);
  }
}

}  // namespace
}  // namespace cloak
