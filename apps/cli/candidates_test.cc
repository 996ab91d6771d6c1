#include "apps/cli/candidates.h"

#include <gmock/gmock.h>

#include "apps/cli/command_line.h"
#include "apps/cli/release_options.h"
#include "cloak/base/error.h"

namespace cloak {
namespace {

using testing::ElementsAre;

TEST(Candidates, BracesStandForAllCombinations) {
  EXPECT_THAT(Alternatives("a{1,2}b{3,4}", "x"),
              ElementsAre("a1b3", "a1b4", "a2b3", "a2b4"));
  EXPECT_THAT(Alternatives("eq(1, 2)", "x"), ElementsAre("eq(1, 2)"));
  EXPECT_THAT(Alternatives("{eq(1, 2), bias(3)}", "x"),
              ElementsAre("eq(1, 2)", " bias(3)"));
  EXPECT_THAT(Alternatives("l={[1,2],[3,4]}", "x"),
              ElementsAre("l=[1,2]", "l=[3,4]"));
  for (const std::string wrong :
       {"{1,2", "1}", "{1,{2,3}}", "}{", "{}", "{1,,2}", "{1, }"}) {
    EXPECT_THROW(Alternatives(wrong, "x"), InvalidInput) << wrong;
  }
  EXPECT_THROW(
      Alternatives("{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}"
                   "{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}",
                   "x"),
      InvalidInput);
  std::string long_line;
  for (int i = 0; i < 1'000'000; ++i) long_line += "{1}";
  EXPECT_THROW(Alternatives(long_line, "x"), InvalidInput);
}

TEST(Candidates, OptionsAreWordsOfRelease) {
  const ReleaseArguments model = ParseModel(
      "--method cloaking --kernel 'eq(1, {2,3})' --noise-variance={4,5}");
  const std::vector<ReleaseArguments> all = AllModels(model);
  ASSERT_EQ(all.size(), 4U);
  const std::vector<std::string> words = WordsOf(all[2]);
  EXPECT_THAT(words, ElementsAre("--method", "cloaking", "--kernel", "eq(1, 3)",
                                 "--noise-variance", "4"));
  EXPECT_EQ(ShellText(words),
            "--method cloaking --kernel 'eq(1, 3)' --noise-variance 4");
  EXPECT_EQ(ShellText({"it's", "", "a.b"}), "'it'\\''s' '' a.b");
  // What is printed reads back.
  EXPECT_EQ(WordsOf(ParseModel(ShellText(words))), words);
  EXPECT_THROW(ParseModel("--kernle 'eq(1)'"), InvalidInput);
  EXPECT_THROW(ParseModel("eq(1)"), InvalidInput);
}

TEST(Candidates, SelectReadsItsOwnOptions) {
  const auto arguments = std::get<SelectArguments>(ParseCommandLine(
      {"select", "a.csv", "--epsilon", "0.5", "--release-epsilon", "1",
       "--release-delta", "1e-5", "--method", "{optimal,cloaking}",
       "--show-probabilities"}));
  EXPECT_EQ(arguments.data, "a.csv");
  EXPECT_EQ(arguments.epsilon, "0.5");
  EXPECT_EQ(arguments.release_epsilon, "1");
  EXPECT_EQ(arguments.release_delta, "1e-5");
  EXPECT_EQ(arguments.method, "{optimal,cloaking}");
  EXPECT_TRUE(arguments.show_probabilities);
}

}  // namespace
}  // namespace cloak
