#include "cloak/base/text.h"

#include <gtest/gtest.h>

namespace cloak {
namespace {

TEST(FigureText, IsShortAndPlain) {
  EXPECT_EQ(FigureText(45210), "45210");
  EXPECT_EQ(FigureText(1.00004), "1");
  EXPECT_EQ(FigureText(12.3456), "12.35");
  EXPECT_EQ(FigureText(-0.01234567), "-0.01235");
  EXPECT_EQ(FigureText(0), "0");
  EXPECT_EQ(FigureText(1e-5), "1e-05");
  EXPECT_EQ(FigureText(1.5e12), "1.5e+12");
}

}  // namespace
}  // namespace cloak
