#include "cloak/data/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace cloak {
namespace {

TEST(Utf8Test, TextOfEveryLengthOfCharacterIsValid) {
  const std::string text = "a é € 😀 \xf4\x8f\xbf\xbf";
  EXPECT_EQ(FirstInvalidUtf8(text), text.size());
  EXPECT_EQ(FirstInvalidUtf8(""), 0);
}

// The classes of ill-formed sequences in the Unicode Standard, section 3.9.
TEST(Utf8Test, TheFirstBadByteIsFoundWhereverItStands) {
  for (const std::string bad :
       {"\x80", "\xff", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
        "\xf4\x90\x80\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98"}) {
    for (size_t before = 0; before < 70; ++before) {
      const std::string text = std::string(before, 'a') + bad;
      EXPECT_EQ(FirstInvalidUtf8(text), before);
      EXPECT_EQ(FirstInvalidUtf8(text + std::string(70, 'b')), before);
    }
  }
}

}  // namespace
}  // namespace cloak
