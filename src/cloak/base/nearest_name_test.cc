#include "cloak/base/nearest_name.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace cloak {
namespace {

TEST(NearestNameTest, ASlipOfTheKeyboardIsRecognised) {
  const std::vector<std::string> names = {"age", "weight", "height"};
  EXPECT_EQ(NearestName("wieght", names), "weight");
  EXPECT_EQ(NearestName("hight", names), "height");
  EXPECT_EQ(NearestName("ages", names), "age");
  EXPECT_EQ(NearestName("HEIGHT", names), "height");
}

TEST(NearestNameTest, AnotherWordIsNot) {
  EXPECT_EQ(NearestName("income", {"age", "weight", "height"}), "");
  EXPECT_EQ(NearestName("x", {"y"}), "");
  EXPECT_EQ(NearestName("", {"y"}), "");
  EXPECT_EQ(NearestName("age", {}), "");
}

TEST(NearestNameTest, AVeryLongWordIsComparedWithNothing) {
  // Letter by letter with each, this would take minutes.
  const std::string word(4'000'000, 'a');
  const std::vector<std::string> names(1000, "a name of a column");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(NearestName(word, names), "");
  EXPECT_EQ(NearestName("age", std::vector(100, word)), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace cloak
