#include "tests/docs/markdown.h"

#include <gmock/gmock.h>

namespace cloak {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr char kDocument[] =
    "# A title\n"
    "\n"
    "```console\n"
    "$ cloak release a.csv \\\n"
    "    --epsilon 1\n"
    "Released 3 numbers.\n"
    "$ awk 'NR > 1\n"
    "    { print }' a.csv\n"
    "```\n"
    "```python\n"
    "import json\n"
    "```\n"
    "    cloak show FILE.cloak [--json]\n"
    "               [--html PAGE]\n"
    "    other words\n";

TEST(Markdown, CommandsHaveTheirLinesAndWhatTheyPrint) {
  const std::vector<ShownCommand> commands = ConsoleCommands(kDocument);
  ASSERT_THAT(commands, SizeIs(2));
  EXPECT_EQ(commands[0].line, 4U);
  EXPECT_EQ(commands[0].command, "cloak release a.csv \\\n    --epsilon 1");
  EXPECT_EQ(commands[0].output, "Released 3 numbers.\n");
  EXPECT_EQ(commands[1].command, "awk 'NR > 1\n    { print }' a.csv");
  EXPECT_EQ(commands[1].output, "");
  EXPECT_THAT(BlocksOf(kDocument, "python"), ElementsAre("import json\n"));
}

TEST(Markdown, IndentedCommandsAreJoined) {
  const std::vector<ShownCommand> commands = IndentedCommands(kDocument);
  ASSERT_THAT(commands, SizeIs(1));
  EXPECT_THAT(WordsWithoutNumbers(commands[0].command),
              ElementsAre("cloak", "show", "FILE.cloak", "[--json]", "[--html",
                          "PAGE]"));
}

TEST(Markdown, NumbersMayDifferAndWordsMayNot) {
  EXPECT_TRUE(IsAsShown("age,mean\n2,-84.6e-3\n", "age,mean\n10,7\n"));
  EXPECT_TRUE(IsAsShown("a  b\nc", "a b c"));
  EXPECT_FALSE(IsAsShown("age,mean\n", "age,sd\n"));
  EXPECT_FALSE(IsAsShown("a b", "a b c"));
  EXPECT_FALSE(IsAsShown("a b c", "a b"));
  EXPECT_FALSE(IsAsShown("1,2\n", "1,2,3\n"));
}

TEST(Markdown, AnEllipsisStandsForAnyWords) {
  EXPECT_TRUE(IsAsShown("a b c d", "… d"));
  EXPECT_TRUE(IsAsShown("d", "… d"));
  EXPECT_TRUE(IsAsShown("a b c d", "a … c …"));
  EXPECT_FALSE(IsAsShown("a b c d", "… c"));
}

}  // namespace
}  // namespace cloak
