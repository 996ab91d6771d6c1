#include "cloak/privacy/integer128.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

#include "cloak/base/error.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;

Uint128 Join(uint64_t high, uint64_t low) {
  return (Uint128{high} << 64) | low;
}

TEST(Integer128Test, TheExtremesAreWrittenInFull) {
  EXPECT_EQ(DecimalText(kMaxUint128),
            "340282366920938463463374607431768211455");
  EXPECT_EQ(DecimalText(kMaxInt128), "170141183460469231731687303715884105727");
  EXPECT_EQ(DecimalText(kMinInt128),
            "-170141183460469231731687303715884105728");
  EXPECT_EQ(DecimalText(Int128{0}), "0");
}

RC_GTEST_PROP(Integer128Test, TextReadsBackAsTheSameNumber,
              (uint64_t high, uint64_t low)) {
  const Uint128 value = Join(high, low);
  const auto negative = static_cast<Int128>(value);
  RC_ASSERT(ParseUint128(DecimalText(value), "x") == value);
  RC_ASSERT(ParseInt128(DecimalText(negative), "x") == negative);
  RC_ASSERT(DecimalText(value) == ((cpp_int(high) << 64) + low).str());
}

TEST(Integer128Test, AnythingButAWholeNumberThatFitsIsRefused) {
  for (const char* text :
       {"", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "--1", "١",
        "340282366920938463463374607431768211456"}) {
    EXPECT_THROW(ParseUint128(text, "units"), InvalidInput) << text;
    EXPECT_THROW(ParseInt128(text, "units"), InvalidInput) << text;
  }
  EXPECT_THROW(ParseUint128("-1", "units"), InvalidInput);
  EXPECT_THROW(ParseInt128("170141183460469231731687303715884105728", "units"),
               InvalidInput);
  EXPECT_THROW(ParseInt128("-170141183460469231731687303715884105729", "units"),
               InvalidInput);
}

RC_GTEST_PROP(Integer128Test, SumsAndProductsAreExactOrRefused,
              (uint64_t high_a, uint64_t low_a, uint64_t high_b,
               uint64_t low_b)) {
  const int shift_a = *rc::gen::inRange(0, 128);
  const int shift_b = *rc::gen::inRange(0, 128);
  const Uint128 a = Join(high_a, low_a) >> shift_a;
  const Uint128 b = Join(high_b, low_b) >> shift_b;
  const auto exact = [](Uint128 x) { return cpp_int(DecimalText(x)); };
  const auto expect = [](const cpp_int& result, auto compute) {
    if (result > cpp_int(DecimalText(kMaxUint128))) {
      RC_ASSERT_THROWS_AS(compute(), PrivacyFailure);
    } else {
      RC_ASSERT(DecimalText(compute()) == result.str());
    }
  };
  expect(exact(a) + exact(b), [=] { return CheckedAdd(a, b); });
  expect(exact(a) * exact(b), [=] { return CheckedMultiply(a, b); });
}

TEST(Integer128Test, SignedOverflowIsRefused) {
  EXPECT_THROW(CheckedAdd(kMaxInt128, Int128{1}), PrivacyFailure);
  EXPECT_THROW(CheckedAdd(kMinInt128, Int128{-1}), PrivacyFailure);
  EXPECT_THROW(CheckedMultiply(kMinInt128, Int128{-1}), PrivacyFailure);
  EXPECT_TRUE(CheckedAdd(kMaxInt128, Int128{-1}) == kMaxInt128 - 1);
}

}  // namespace
}  // namespace cloak
