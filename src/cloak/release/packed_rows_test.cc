#include "cloak/release/packed_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cloak/base/error.h"

namespace cloak {
namespace {

using testing::HasSubstr;

Matrix RandomRows(Index rows, Index columns, double size) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal(0, size);
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

TEST(PackedRowsTest, WhatCanBePackedComesBackBitForBit) {
  for (const double size : {1e-300, 1e-7, 1.0, 3e12, 1e300}) {
    const Matrix matrix = Packable(RandomRows(5, 7, size));
    EXPECT_EQ(Packable(matrix), matrix) << size;
    EXPECT_EQ(Unpack(Pack(matrix), 7, "m"), matrix) << size;
  }
}

TEST(PackedRowsTest, RoundingIsByABillionthOfTheLargestNumber) {
  const Matrix matrix = RandomRows(30, 40, 5);
  EXPECT_LE((Packable(matrix) - matrix).cwiseAbs().maxCoeff(),
            1e-9 * matrix.cwiseAbs().maxCoeff());
}

TEST(PackedRowsTest, NumbersOfFewDigitsTakeFewBytes) {
  const auto bytes = [](double a, double b) {
    Matrix matrix(1, 2);
    matrix << a, b;
    const PackedRows packed = Pack(matrix);
    EXPECT_EQ(Unpack(packed, 2, "m"), matrix);
    return packed.bytes;
  };
  EXPECT_EQ(bytes(0, 0), 1);
  EXPECT_EQ(bytes(0.25, -32), 1);  // 1 and −128 steps
  EXPECT_EQ(bytes(0.25, 32), 2);   // 1 and 128 steps
  EXPECT_EQ(bytes(1, 32767), 2);
  EXPECT_EQ(bytes(-32768, 1), 2);
  EXPECT_EQ(bytes(1, -32769), 3);
  EXPECT_EQ(bytes(8388607, 1), 3);
  EXPECT_EQ(bytes(8388609, 0.5), 4);
}

// Where the largest number would be rounded up to a power of two, the step
// would be another one the next time.
TEST(PackedRowsTest, TheLargestNumberStaysBelowItsPowerOfTwo) {
  Matrix matrix(1, 2);
  matrix << std::nextafter(1, 0), 0x1p-30;
  const Matrix packable = Packable(matrix);
  EXPECT_LT(packable(0), 1);
  EXPECT_EQ(packable(1), 0x1p-30);
  EXPECT_EQ(Packable(packable), packable);
}

TEST(PackedRowsTest, TheBytesAreThoseOfTheDocumentation) {
  Matrix matrix(2, 2);
  matrix << 0.5, -1, 0, 300.5;
  const PackedRows packed = Pack(matrix);
  EXPECT_EQ(packed.step, 0.5);
  EXPECT_EQ(packed.bytes, 2);
  // 1, −2 and 0, 601 as 01 00 fe ff and 00 00 59 02.
  EXPECT_EQ(packed.rows, (std::vector<std::string>{"AQD+/w==", "AABZAg=="}));
}

TEST(PackedRowsTest, AMatrixMayHaveNoRowsOrColumns) {
  EXPECT_EQ(Unpack(Pack(Matrix(0, 3)), 3, "m").rows(), 0);
  const Matrix empty = Unpack(Pack(Matrix(2, 0)), 0, "m");
  EXPECT_EQ(empty.rows(), 2);
  EXPECT_EQ(empty.cols(), 0);
}

TEST(PackedRowsTest, WhatDoesNotFitIsRefused) {
  const auto refusal = [](const PackedRows& packed) -> std::string {
    try {
      Unpack(packed, 2, "posteriors[0].directions");
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({0.5, 2, {"AQD+/w=="}}), "");
  EXPECT_THAT(refusal({0.5, 0, {""}}),
              HasSubstr("'posteriors[0].directions.bytes'"));
  EXPECT_THAT(refusal({0.5, 5, {"AAAAAAAAAAAAAA=="}}), HasSubstr("1 to 4"));
  EXPECT_THAT(refusal({0, 2, {"AQD+/w=="}}), HasSubstr(".step'"));
  EXPECT_THAT(refusal({HUGE_VAL, 2, {"AQD+/w=="}}), HasSubstr(".step'"));
  EXPECT_THAT(refusal({0.5, 2, {"AQD+/w==", "AQD+"}}),
              HasSubstr("directions.rows[1]' must have 2 numbers"));
  for (const char* text : {"AQD+/w= ", "AQD+/w=A", "AQD+\n/w=", "AQD-_w=="}) {
    EXPECT_THAT(refusal({0.5, 2, {text}}), HasSubstr("is not base64")) << text;
  }
}

}  // namespace
}  // namespace cloak
