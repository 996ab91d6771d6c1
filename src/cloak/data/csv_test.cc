#include "cloak/data/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/base/text.h"
#include "cloak/data/test_key.h"

namespace cloak {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

Table ParseText(std::string_view bytes) {
  return ParseCsv(bytes, "f.csv", {.all_text = true});
}
Vector ParseNumbers(std::string_view bytes) {
  return ParseCsv(bytes, "f.csv", {.numeric = {"a"}}).Numeric({"a"});
}
template <typename Matcher>
void ExpectRefusal(std::string_view bytes, const CsvOptions& options,
                   const Matcher& message) {
  EXPECT_THAT([&] { ParseCsv(bytes, "f.csv", options); },
              ThrowsMessage<InvalidInput>(message))
      << bytes;
}

TEST(CsvTest, ColumnsAreNumbersTextOrSecretsAsAskedFor) {
  const Table table =
      ParseCsv("a,b,c,d\n1,x,2,?\n-3.5e2,y,4,?\n", "f.csv",
               {.numeric = {"a"}, .text = {"a", "b"}, .secret = {"c"}});
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(table.name(), "f.csv");
  EXPECT_THAT(table.header(), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(table.Numeric({"a"}), Eigen::Vector2d(1, -350));
  EXPECT_THAT(table.TextColumn("a"), ElementsAre("1", "-3.5e2"));
  EXPECT_THAT(table.TextColumn("b"), ElementsAre("x", "y"));
  EXPECT_EQ(OpenInTest(table.Private("c")), Eigen::Vector2d(2, 4));
  EXPECT_THROW(table.TextColumn("d"), InvalidInput);
}

TEST(CsvTest, AllTextKeepsEverythingButSecrets) {
  const Table table =
      ParseCsv("a,b,c\n 01,x,7\n", "f.csv",
               {.numeric = {"a"}, .all_text = true, .secret = {"c"}});
  EXPECT_THAT(table.TextColumn("a"), ElementsAre(" 01"));
  EXPECT_THAT(table.TextColumn("b"), ElementsAre("x"));
  EXPECT_THROW(table.TextColumn("c"), InvalidInput);
}

TEST(CsvTest, QuotesProtectCommasQuotesAndLineBreaks) {
  const Table table =
      ParseText("\"a\",\"b,\"\"c\"\r\n\"x\r\n,\"\"\"\"\",\"\"\n , y \n");
  EXPECT_THAT(table.header(), ElementsAre("a", "b,\"c"));
  EXPECT_THAT(table.TextColumn("a"), ElementsAre("x\r\n,\"\"", " "));
  EXPECT_THAT(table.TextColumn("b,\"c"), ElementsAre("", " y "));
}

TEST(CsvTest, HowLinesEndDoesNotMatter) {
  for (const char* bytes :
       {"a,b\n1,x\n2,\n", "a,b\r\n1,x\r\n2,\r\n", "a,b\n1,x\n2,",
        "a,b\r\n1,x\r\n2,", "a,b\n1,x\n2,\n\n\r\n\n",
        "\xef\xbb\xbf"
        "a,b\n1,x\n2,\n"}) {
    const Table table =
        ParseCsv(bytes, "f.csv", {.numeric = {"a"}, .text = {"b"}});
    EXPECT_EQ(table.Numeric({"a"}), Eigen::Vector2d(1, 2)) << bytes;
    EXPECT_THAT(table.TextColumn("b"), ElementsAre("x", "")) << bytes;
  }
}

TEST(CsvTest, ANumberMayHaveASignBlanksOrQuotes) {
  Vector expected(8);
  expected << 1, 2, -3, 0.5, 1e300, 7, 8, 5e-324;
  EXPECT_EQ(ParseNumbers("a\n+1\n 2\t\n\"-3\"\n.5\n1E+300\n\" +7 \"\n8.\n"
                         "5e-324"),
            expected);
}

TEST(CsvTest, ACellThatIsNotANumberIsRefusedWithItsPlace) {
  const CsvOptions options = {.numeric = {"age"}};
  for (const char* cell : {"x", "1.2.3", "12 3", "0x10", "1e", "-", "+", "+-1",
                           "--1", "1;2", "\"1,5\"", "1_000", "٣"}) {
    ExpectRefusal(Text("name,age\nA,1\n\"B\nC\",", cell, "\n"), options,
                  AllOf(StartsWith("the value in 'f.csv', row 2 (line 3), "
                                   "column 'age' must be a number, but is '"),
                        HasSubstr("correct the cell, or leave the row out")));
  }
  ExpectRefusal("name,age\nA,1\n\"B\nC\",2\nD,old\n", options,
                HasSubstr("row 3 (line 5), column 'age' must be a number, but "
                          "is 'old';"));
}

TEST(CsvTest, ANumberThatIsNotFiniteIsRefused) {
  for (const char* cell : {"nan", "inf", "-inf", "NaN", "1e400", "-1e999"}) {
    ExpectRefusal(Text("age\n", cell), {.numeric = {"age"}},
                  AllOf(HasSubstr("row 1 (line 2), column 'age' must be finite "
                                  "and in the range of a double"),
                        HasSubstr(cell)));
  }
}

TEST(CsvTest, AMissingValueIsNeverGuessed) {
  for (const char* cell : {",", " ,", "\"\",", "\t,"}) {
    ExpectRefusal(
        Text("age,b\n1,\n", cell, "\n"), {.numeric = {"age"}},
        "missing value in 'f.csv', row 2 (line 3), column 'age'; Cloak does "
        "not guess public values: fill the cell, or leave the row out");
  }
}

TEST(CsvTest, ALongCellIsCutInItsMessageBetweenCharacters) {
  ExpectRefusal(Text("a\n", std::string(39, 'x'), "ééé"), {.numeric = {"a"}},
                HasSubstr("'" + std::string(39, 'x') + "…'"));
}

TEST(CsvTest, MessagesNeverRepeatAPrivateCell) {
  CsvOptions options = {.text = {"name"}, .secret = {"height"}};
  for (const char* row : {"Ann,1717,5", "Ann,\"1717"}) {
    ExpectRefusal(Text("name,height\n", row, "\n"), options,
                  AllOf(HasSubstr("row 1 (line 2)"), Not(HasSubstr("17"))));
  }
  options.refuse_missing = true;
  for (const char* row :
       {"Ann,17z17", "Ann,1717e999", "Ann,17\"17", "Ann,\"17\"17", "Ann,17\r17",
        "Ann,1717\xff", "Ann,\"1717\xff\"", "Ann,inf"}) {
    ExpectRefusal(Text("name,height\n", row, "\n"), options,
                  AllOf(HasSubstr("row 1 (line 2)"), HasSubstr("'height'"),
                        HasSubstr("refused"), Not(HasSubstr("17"))));
  }
}

// Whether a private cell has a value, and how it is written, is as private as
// the value: nothing that is thrown or kept in public tells of it.
TEST(CsvTest, APrivateCellIsNeverAnErrorWhateverItHolds) {
  const struct {
    const char* cell;
    double value;
  } cases[] = {{"", kNan},
               {" ", kNan},
               {"NA", kNan},
               {"n/a", kNan},
               {"NaN", kNan},
               {"-nan", kNan},
               {"NULL", kNan},
               {".", kNan},
               {"tall", kNan},
               {"1.5.2", kNan},
               {"5\"", kNan},
               {"\"5\" or 6", kNan},
               {"5\r6", kNan},
               {"\xff", kNan},
               {"\"\xe9t\xe9\"", kNan},
               {"\"\"", kNan},
               {"\"1,5\"", kNan},
               {"\"1\n5\"", kNan},
               {"inf", kInfinity},
               {"-inf", -kInfinity},
               {"1e400", kInfinity},
               {"-1e400", -kInfinity},
               {"1e-400", 0},
               {"-.0001e-9999", -0.0},
               {"10e9223372036854775807", kInfinity},
               {"1e99999999999999999999", kInfinity},
               {"+7", 7},
               {" \t8 ", 8},
               {"\" 9 \"", 9}};
  for (const auto& [cell, value] : cases) {
    const Table table =
        ParseCsv(Text("name,height\nAnn,1\nBob,", cell, "\nEve,3\n"), "f.csv",
                 {.text = {"name"}, .secret = {"height"}});
    const Vector heights = OpenInTest(table.Private("height"));
    ASSERT_EQ(heights.size(), 3) << cell;
    EXPECT_EQ(heights(0), 1) << cell;
    EXPECT_EQ(heights(2), 3) << cell;
    EXPECT_THAT(heights(1), ::testing::NanSensitiveDoubleEq(value)) << cell;
    EXPECT_THAT(table.TextColumn("name"), ElementsAre("Ann", "Bob", "Eve"));
  }
}

TEST(CsvTest, ANumberCanStandForAMissingValue) {
  const Table table =
      ParseCsv("a,b\n-999,-999\n-999.0,1\n99,2\nrefused,3\n", "f.csv",
               {.numeric = {"b"},
                .secret = {"a"},
                .missing_values = {"-999", "refused"}});
  const Vector a = OpenInTest(table.Private("a"));
  EXPECT_TRUE(std::isnan(a(0)));
  EXPECT_TRUE(std::isnan(a(1)));
  EXPECT_EQ(a(2), 99);
  EXPECT_TRUE(std::isnan(a(3)));
  // In a public column nothing is guessed.
  EXPECT_EQ(table.Numeric({"b"})(0), -999);
}

// A blank line is the empty cell of a private column that stands alone, also at
// the very end, and nothing elsewhere.
TEST(CsvTest, ABlankLineIsAMissingValueOfAPrivateColumnThatStandsAlone) {
  for (const char* bytes :
       {"a\n1\n\n3\n\n", "a\r\n1\r\n\r\n3\r\n\r\n", "a\n1\nNA\n3\nNA"}) {
    const Vector a =
        OpenInTest(ParseCsv(bytes, "f.csv", {.secret = {"a"}}).Private("a"));
    ASSERT_EQ(a.size(), 4) << bytes;
    EXPECT_EQ(a(2), 3);
    EXPECT_TRUE(std::isnan(a(1)) && std::isnan(a(3))) << bytes;
  }
  EXPECT_EQ(ParseNumbers("a\n1\n\n\n").size(), 1);
}

// Whatever the last cell of a file is, and however its line ends, it is one
// cell.
TEST(CsvTest, TheLastPrivateCellIsOneRowWhateverItHolds) {
  for (const std::string cell : {"5", "\"5\"", "", "NA", "5\r", "\"5\"\r", "\r",
                                 "\r\r", "5\r6", "\"5\"x\r"}) {
    for (const std::string end : {"\n", "\r\n"}) {
      for (const std::string begin : {"", "7,"}) {
        const std::string header = begin.empty() ? "a" : "b,a";
        const std::string bytes =
            Text(header, "\n", begin, "1\n", begin, cell, end);
        const Vector a = OpenInTest(
            ParseCsv(bytes, "f.csv", {.secret = {"a"}}).Private("a"));
        EXPECT_EQ(a.size(), 2) << bytes;
        EXPECT_EQ(a(0), 1) << bytes;
      }
    }
  }
}

// Nobody asked for it, and it may be private too.
TEST(CsvTest, AFaultInAColumnThatIsNotAskedForIsPassedOver) {
  EXPECT_EQ(ParseNumbers("a,b\n1,5\"\n2,\xff\n3,\"x\"y\n"),
            Eigen::Vector3d(1, 2, 3));
}

TEST(CsvTest, ARowOfDataIsNotTakenForTheHeaderInMessages) {
  ExpectRefusal("Ann,1717\nBob,1818\n", {.secret = {"height"}},
                AllOf(HasSubstr("no column 'height' in 'f.csv'"),
                      HasSubstr("give the file a header"), Not(HasSubstr("17")),
                      Not(HasSubstr("Ann"))));
  ExpectRefusal("17,17\n1,2\n", {.secret = {"height"}},
                AllOf(HasSubstr("the same name for columns 1 and 2"),
                      Not(HasSubstr("17"))));
}

TEST(CsvTest, AMissingColumnIsNamedWithWhatThereIs) {
  ExpectRefusal("age,weight,height\n1,2,3\n", {.numeric = {"wieght"}},
                "no column 'wieght' in 'f.csv'; did you mean 'weight'? It has: "
                "age, weight, height");
  ExpectRefusal("age,weight\n1,2\n", {.secret = {"income"}},
                "no column 'income' in 'f.csv'; It has: age, weight");
}

TEST(CsvTest, AColumnIsNotBothPublicAndPrivate) {
  const auto refusal = HasSubstr("both as private and as public");
  ExpectRefusal("a\n1\n", {.numeric = {"a"}, .secret = {"a"}}, refusal);
  ExpectRefusal("a\n1\n", {.text = {"a"}, .secret = {"a"}}, refusal);
}

TEST(CsvTest, TheHeaderMustNameEveryColumnOnce) {
  ExpectRefusal("a,b,a\n1,2,3\n", {},
                AllOf(HasSubstr("'f.csv', header has the same name for columns "
                                "1 and 3"),
                      HasSubstr("rename one 'a'")));
  ExpectRefusal("a,,b\n1,2,3\n", {},
                HasSubstr("'f.csv', header has no name for column 2 of 3"));
  ExpectRefusal("\na,b\n1,2\n", {}, HasSubstr("no name for column 1"));
}

TEST(CsvTest, ARaggedRowIsRefusedWithBothCounts) {
  ExpectRefusal("a,b\n1,2\n3\n4,5\n", {.numeric = {"a", "b"}},
                StartsWith("'f.csv', row 2 (line 3) has 1 cells, but the "
                           "header has 2"));
  ExpectRefusal("a,b\n1,2\n3,4,\"x\ny\",6\n", {},
                StartsWith("'f.csv', row 2 (line 3) has 4 cells, but the "
                           "header has 2"));
  ExpectRefusal("a,b\n1,2,", {}, HasSubstr("row 1 (line 2) has 3 cells"));
}

TEST(CsvTest, ABlankLineBetweenRowsIsRefused) {
  ExpectRefusal("a\n1\n\n2\n", {},
                "'f.csv', row 2 (line 3) is a blank line; "
                "remove it");
  ExpectRefusal("a,b\r\n1,2\r\n\r\n3,4", {}, HasSubstr("is a blank line"));
}

TEST(CsvTest, AFileWithoutRowsIsRefused) {
  for (const char* bytes : {"a,b", "a,b\n", "a,b\r\n\r\n"}) {
    ExpectRefusal(bytes, {}, "'f.csv' has a header but no rows");
  }
  for (const char* bytes : {"", "\n", "\r\n\n", "\xef\xbb\xbf"}) {
    ExpectRefusal(bytes, {}, StartsWith("'f.csv' is empty"));
  }
}

TEST(CsvTest, MalformedQuotesOfPublicCellsAreRefused) {
  const CsvOptions options = {.all_text = true};
  ExpectRefusal("a,b\n1,2\n\"3,4\n5,6\n", {},
                HasSubstr("row 2 (line 3) has a quote that is never closed"));
  ExpectRefusal("a,b\n1,\"2\"x\n", options,
                HasSubstr("text after a closing quote"));
  ExpectRefusal("a,b\n1,2\"x\"\n", options, HasSubstr("a quote inside a cell"));
  ExpectRefusal("a\"b\n1\n", {}, StartsWith("'f.csv', header has a quote"));
  ExpectRefusal("a\r1\r2\r", {}, HasSubstr("carriage return"));
}

TEST(CsvTest, BytesOfPublicCellsThatAreNotUtf8AreRefusedWithTheirRow) {
  const CsvOptions options = {.all_text = true};
  ExpectRefusal("a,b\n1,é\n2,\xe9\n", options,
                StartsWith("'f.csv', row 2 (line 3) has bytes that are not "
                           "UTF-8"));
  ExpectRefusal("a,\"\xe9\"\n1,2\n", {}, StartsWith("'f.csv', header"));
  ExpectRefusal(std::string_view("\xff\xfe"
                                 "a\0\n\0",
                                 6),
                {}, HasSubstr("not UTF-8"));
}

class CsvFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        std::filesystem::temp_directory_path() / "cloak-test-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path Write(const std::string& bytes) const {
    std::ofstream(directory_ / "f.csv", std::ios::binary) << bytes;
    return directory_ / "f.csv";
  }

  std::filesystem::path directory_;
};

TEST_F(CsvFileTest, AFileIsRead) {
  std::string bytes = "a\n";
  for (int i = 0; i < 100000; ++i) bytes += std::to_string(i) + "\n";
  const Table table = ReadCsv(Write(bytes), {.numeric = {"a"}});
  EXPECT_EQ(table.Numeric({"a"}), Vector::LinSpaced(100000, 0, 99999));
}

TEST_F(CsvFileTest, AFileThatCannotBeReadIsNamedWithTheReason) {
  EXPECT_THAT([] { ReadCsv("no/such.csv", {}); },
              ThrowsMessage<InvalidInput>(
                  "cannot read 'no/such.csv': No such file or directory"));
  EXPECT_THAT([&] { ReadCsv(directory_, {}); },
              ThrowsMessage<InvalidInput>(
                  "cannot read '" + directory_.string() + "': Is a directory"));
}

TEST_F(CsvFileTest, AFileLongerThanTheLimitIsRefused) {
  const auto path = Write("a\n1\n2\n");
  EXPECT_EQ(ReadCsv(path, {.max_bytes = 6}).rows(), 2);
  EXPECT_THAT([&] { ReadCsv(path, {.max_bytes = 5}); },
              ThrowsMessage<InvalidInput>(HasSubstr("longer than 5 bytes")));
}

TEST_F(CsvFileTest, ADashIsStandardInput) {
  const auto path = Write("a\n1\n2\n");
  ASSERT_NE(freopen(path.c_str(), "r", stdin), nullptr);
  EXPECT_EQ(ReadCsv("-", {}).rows(), 2);
  EXPECT_THAT([] { ReadCsv("-", {}); },
              ThrowsMessage<InvalidInput>(StartsWith("'standard input' is")));
}

CsvOptions LabelsOf(const std::vector<std::string>& classes) {
  CsvOptions options;
  options.labels = {"a", classes};
  return options;
}

TEST(CsvTest, LabelsAreReadAsMinusOneAndOne) {
  const auto labels = [](std::string_view bytes, const CsvOptions& options) {
    return OpenInTest(ParseCsv(bytes, "f.csv", options).Private("a"));
  };
  EXPECT_THAT(labels("a\nno\n yes \n\"yes\"\n", LabelsOf({"no", "yes"})),
              ElementsAre(-1, 1, 1));
  // A class that does not occur, and other spellings of a number.
  EXPECT_THAT(labels("a\n1\n1.0\n+1\n", LabelsOf({"0", "1"})),
              ElementsAre(1, 1, 1));
  EXPECT_THAT(labels("a\n-1\n1e0\n-1.00\n", LabelsOf({"-1", "1"})),
              ElementsAre(-1, 1, -1));
}

// No cell of a category is an error, whatever it holds.
TEST(CsvTest, CategoriesAreReadAsPlacesAndWhatIsNoneAsTheLast) {
  CsvOptions options;
  options.categories = {{"a", {"x", "1", "other"}}, {"b", {"y", "other"}}};
  const Table table =
      ParseCsv("a,b\nx,y\n 1.0 ,Y\n,\n\"x\",-1e999\nnan, y\nother,\"q,q\"\n",
               "f.csv", options);
  EXPECT_THAT(OpenInTest(table.Private("a")), ElementsAre(0, 1, 2, 0, 2, 2));
  EXPECT_THAT(OpenInTest(table.Private("b")), ElementsAre(0, 1, 1, 1, 0, 1));
  options.categories[0].classes = {"x", "x"};
  ExpectRefusal("a,b\nx,y\n", options, HasSubstr("the same"));
}

TEST(CsvTest, ALabelOfNoClassIsMissing) {
  const Vector labels =
      OpenInTest(ParseCsv("a\nno\nmaybe\n\"\"\nNA\nNo\n\xff\nyes\n", "f.csv",
                          LabelsOf({"no", "yes"}))
                     .Private("a"));
  ASSERT_EQ(labels.size(), 7);
  EXPECT_EQ(labels(0), -1);
  for (Index i = 1; i < 6; ++i) EXPECT_TRUE(std::isnan(labels(i))) << i;
  EXPECT_EQ(labels(6), 1);
}

TEST(CsvTest, ALabelOfNoClassIsNotRepeatedWhereItIsRefused) {
  CsvOptions options = LabelsOf({"no", "yes"});
  options.refuse_missing = true;
  ExpectRefusal("a\nno\nsecretive\n", options,
                AllOf(HasSubstr("row 2"), HasSubstr("2 classes"),
                      Not(HasSubstr("secretive"))));
  ExpectRefusal("a\nno\n\"\"\n", options, HasSubstr("row 2"));
  ExpectRefusal("a\nNo\n", options, HasSubstr("row 1"));
  ExpectRefusal("a\n1\n", LabelsOf({"1", "1.0"}), HasSubstr("the same"));
  ExpectRefusal("a\n1\n", LabelsOf({"1"}), HasSubstr("2 classes"));
}

}  // namespace
}  // namespace cloak
