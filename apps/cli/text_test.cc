#include <gmock/gmock.h>

#include "apps/cli/printable.h"
#include "apps/cli/wrapped_text.h"

namespace cloak {
namespace {

TEST(Printable, DisarmsControlSequences) {
  EXPECT_EQ(Printable("a\x1b[2Jb\rc\nd"), "a?[2Jb?c\nd");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "2J é"),
            "?2J é");
  // Directions of writing, and bytes that are not UTF-8.
  EXPECT_EQ(Printable("a\u202eb\u2066c\u200fd\u2028e"), "a?b?c?d?e");
  EXPECT_EQ(Printable("a\xff\xe2\x80z 🙂 \u05d0"), "a???z 🙂 \u05d0");
}

TEST(WrappedText, BreaksAtSpacesAndKeepsNewlines) {
  EXPECT_EQ(WrappedText("one two three\nfour", 7), "one two\nthree\nfour");
  EXPECT_EQ(WrappedText("unbreakable word", 4), "unbreakable\nword");
}

}  // namespace
}  // namespace cloak
