#include "cloak/base/nearest_name.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cloak
