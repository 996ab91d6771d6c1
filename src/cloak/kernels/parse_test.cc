#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <string>

#include "cloak/base/error.h"
#include "cloak/kernels/kernel.h"
#include "cloak/kernels/random_kernel.h"

namespace cloak {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string ParseMessage(const std::string& text) {
  try {
    Kernel::Parse(text);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

std::string Canonical(const std::string& text) {
  return Kernel::Parse(text).ToString();
}

std::string Repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(KernelParse, ReadsTheExampleOfTheManual) {
  const Kernel parsed =
      Kernel::Parse("bias(1000) + eq(variance=600, lengthscale=[15, 3])");
  EXPECT_EQ(parsed, Kernel::Bias(1000) + Kernel::Eq(600, {15, 3}));
}

TEST(KernelParse, PrintsTheCanonicalForm) {
  EXPECT_EQ(Canonical("bias(variance=1e3)"), "bias(1000)");
  EXPECT_EQ(Canonical("white( .5 )"), "white(0.5)");
  EXPECT_EQ(Canonical("linear([1,2])"), "linear([1, 2])");
  EXPECT_EQ(Canonical("eq()"), "eq(variance=1, lengthscale=1)");
  EXPECT_EQ(Canonical("eq(2)"), "eq(variance=2, lengthscale=1)");
  EXPECT_EQ(Canonical("matern12(lengthscale=[3],variance=2)"),
            "matern12(variance=2, lengthscale=[3])");
  EXPECT_EQ(Canonical("rq(alpha=2)"), "rq(variance=1, lengthscale=1, alpha=2)");
  EXPECT_EQ(Canonical("periodic(period=[7,365.25])"),
            "periodic(variance=1, lengthscale=1, period=[7, 365.25])");
  EXPECT_EQ(Canonical("gibbs(2, centres=[-1, 3e0])"),
            "gibbs(variance=2, longest=1, count=1, bandwidth=1, "
            "neighbourhood=1, scale=1, centres=[-1, 3], weights=1)");
  EXPECT_EQ(Canonical("bins(lower=-.5, upper=[1,2], count=4)"),
            "bins(variance=1, lower=-0.5, upper=[1, 2], count=4)");
  EXPECT_EQ(Canonical("\tmatern32 (\n)\r\n"),
            "matern32(variance=1, lengthscale=1)");
}

TEST(KernelParse, TimesBindsTighterThanPlus) {
  EXPECT_EQ(Kernel::Parse("bias(1) + bias(2) * bias(3)"),
            Kernel::Bias(1) + Kernel::Bias(2) * Kernel::Bias(3));
  EXPECT_EQ(Kernel::Parse("(bias(1) + bias(2)) * bias(3)"),
            (Kernel::Bias(1) + Kernel::Bias(2)) * Kernel::Bias(3));
}

TEST(KernelParse, KeepsOnlyTheParenthesesThatAreNeeded) {
  EXPECT_EQ(Canonical("((bias(1)) + (bias(2) + bias(3)))"),
            "bias(1) + bias(2) + bias(3)");
  EXPECT_EQ(Canonical("(bias(1) * (bias(2) * bias(3))) + bias(4)"),
            "bias(1) * bias(2) * bias(3) + bias(4)");
  EXPECT_EQ(Canonical("bias(1) * (bias(2) + bias(3))"),
            "bias(1) * (bias(2) + bias(3))");
}

RC_GTEST_PROP(KernelParse, PrintingAndReadingChangesNothing, ()) {
  const Index inputs = *rc::gen::inRange(1, 4);
  const int exponent = *rc::gen::element(3, 1000);
  const Kernel kernel = DrawKernel(inputs, exponent);
  const Kernel read = Kernel::Parse(kernel.ToString());
  RC_ASSERT(read.ToString() == kernel.ToString());
  if (exponent > 3) return;
  const Matrix X = DrawInputs(9, inputs);
  RC_ASSERT(read.Covariance(X, Threads(1)) == kernel.Covariance(X, Threads(1)));
}

TEST(KernelParse, NamesThePositionAndWhatWasFound) {
  EXPECT_EQ(
      ParseMessage("eq() + + bias(1)"),
      "kernel, character 8: expected a kernel (eq, matern12, matern32, "
      "matern52, rq, periodic, linear, bias, white, gibbs, bins) or (, but "
      "found '+ bias(1)'");
  EXPECT_EQ(ParseMessage("eq("),
            "kernel, character 4: expected a number, but found the end");
  EXPECT_EQ(ParseMessage("eq() bias()"),
            "kernel, character 6: expected +, * or the end, but found "
            "'bias()'");
  EXPECT_THAT(ParseMessage(""), HasSubstr("but found the end"));
  EXPECT_THAT(ParseMessage("(eq()"), HasSubstr("expected )"));
  EXPECT_THAT(ParseMessage("eq"), HasSubstr("expected ("));
}

TEST(KernelParse, SuggestsTheNameThatWasMeant) {
  EXPECT_THAT(ParseMessage("rbf()"), AllOf(HasSubstr("unknown kernel 'rbf'"),
                                           HasSubstr("known are eq, matern12"),
                                           HasSubstr("did you mean eq?")));
  EXPECT_THAT(ParseMessage("periodc()"), HasSubstr("did you mean periodic?"));
  EXPECT_THAT(ParseMessage("Matern32()"), HasSubstr("did you mean matern32?"));
  EXPECT_THAT(ParseMessage("banana()"), Not(HasSubstr("did you mean")));
  EXPECT_THAT(ParseMessage("eq(lenghtscale=1)"),
              AllOf(HasSubstr("eq has no argument 'lenghtscale'"),
                    HasSubstr("it has variance, lengthscale"),
                    HasSubstr("did you mean lengthscale?")));
  EXPECT_THAT(ParseMessage("eq(alpha=1)"), HasSubstr("eq has no argument"));
}

TEST(KernelParse, RefusesArgumentsThatMakeNoSense) {
  EXPECT_THAT(ParseMessage("eq(lengthscale=0)"),
              HasSubstr("lengthscale of eq must be finite and positive, but "
                        "is 0"));
  EXPECT_THAT(ParseMessage("bias(-1)"), HasSubstr("but is -1"));
  EXPECT_THAT(ParseMessage("bias(1e999)"), HasSubstr("that a double can hold"));
  EXPECT_THAT(ParseMessage("bias(1e-999)"),
              HasSubstr("that a double can hold"));
  EXPECT_THAT(ParseMessage("bias(5e-324)"), HasSubstr("at least 2.2250738585"));
  EXPECT_THAT(ParseMessage("bias(inf)"), HasSubstr("no argument 'inf'"));
  EXPECT_THAT(ParseMessage("bias(variance=nan)"),
              HasSubstr("expected a number"));
  EXPECT_THAT(ParseMessage("bias([1, 2])"), HasSubstr("must be one number"));
  EXPECT_THAT(ParseMessage("eq(1, 2)"), HasSubstr("only the first argument"));
  EXPECT_THAT(ParseMessage("eq(1, variance=2)"), HasSubstr("given twice"));
  EXPECT_THAT(ParseMessage("eq(lengthscale=[])"),
              HasSubstr("expected a number"));
  EXPECT_THAT(ParseMessage("eq(lengthscale=[1,])"),
              HasSubstr("expected a number"));
  EXPECT_THAT(ParseMessage("eq(lengthscale=[1"), HasSubstr("expected ]"));
  EXPECT_THAT(ParseMessage("eq(1,)"), HasSubstr("only the first argument"));
  EXPECT_THAT(ParseMessage("bias(0x10)"), HasSubstr("expected )"));
  EXPECT_THAT(ParseMessage("periodic(lengthscale=[1, 2], period=[1, 2, 3])"),
              HasSubstr("but have 2 and 3"));
  EXPECT_THAT(ParseMessage("gibbs()"), HasSubstr("centres of gibbs must be"));
  EXPECT_THAT(ParseMessage("gibbs(centres=[1], longest=0)"),
              HasSubstr("longest of gibbs must be finite and positive"));
  EXPECT_THAT(ParseMessage("gibbs(centres=[1], weights=[-1])"),
              HasSubstr("weights of gibbs must be finite and positive"));
  EXPECT_THAT(ParseMessage("gibbs(centres=[1], neighbourhood=-1)"),
              HasSubstr("not negative, but is -1"));
  EXPECT_THAT(
      ParseMessage("gibbs(centres=[1], scale=1e-200, bandwidth=1e-200)"),
      HasSubstr("scale times bandwidth of gibbs"));
  EXPECT_THAT(ParseMessage("bins()"),
              HasSubstr("lower < upper, but are 1 and 1"));
  EXPECT_THAT(ParseMessage("bins(lower=-1e308, upper=1e308)"),
              HasSubstr("must be finite"));
  EXPECT_THAT(ParseMessage("bins(lower=0, count=2.5)"),
              HasSubstr("whole number, but is 2.5"));
}

TEST(KernelParse, WithstandsDeepNesting) {
  EXPECT_EQ(Canonical(Repeated("(", 64) + "bias(1)" + Repeated(")", 64)),
            "bias(1)");
  EXPECT_THAT(ParseMessage(Repeated("(", 65) + "bias(1)" + Repeated(")", 65)),
              HasSubstr("nested at most 64 deep"));
  EXPECT_THAT(ParseMessage(Repeated("(", 60'000)),
              HasSubstr("at most 64 deep"));
  EXPECT_THAT(ParseMessage(Repeated("bias(1) + bias(1) * (", 40) + "bias(1)" +
                           Repeated(")", 40)),
              HasSubstr("64 levels of nesting"));
}

TEST(KernelParse, WithstandsLongExpressions) {
  EXPECT_NO_THROW(Kernel::Parse("bias(1)" + Repeated("+bias(1)", 999)));
  EXPECT_THAT(ParseMessage("bias(1)" + Repeated("+bias(1)", 1000)),
              HasSubstr("at most 1000 parameters"));
  EXPECT_THAT(ParseMessage("eq(lengthscale=[1" + Repeated(",1", 20'000) + "])"),
              HasSubstr("at most 1000 parameters"));
  EXPECT_THAT(ParseMessage(std::string(65'537, ' ')), HasSubstr("65536"));
}

TEST(KernelParse, ReadsBackTheLongestTextThatCanBePrinted) {
  const double longest = 1.2345678901234567e-300;
  Kernel kernel = Kernel::Matern32(longest, longest);
  for (int i = 1; i < 500; ++i) {
    kernel = kernel * (Kernel::Matern32(longest, longest));
  }
  EXPECT_EQ(Kernel::Parse(kernel.ToString()), kernel);
}

TEST(KernelParse, ShowsNoControlCharactersAndCutsLongNames) {
  EXPECT_THAT(ParseMessage("\x1b[31m"), HasSubstr("'?[31m'"));
  EXPECT_LT(ParseMessage(std::string(60'000, 'a')).size(), 200U);
  const std::string with_zero("eq()\0", 5);
  EXPECT_THAT(ParseMessage(with_zero), HasSubstr("found '?'"));
}

TEST(KernelParse, EitherReadsOrThrowsInvalidInputOnMutilatedText) {
  std::mt19937_64 random(7);
  const std::string good =
      "(bias(1e3) + eq(variance=6, lengthscale=[15, 3])) * rq(alpha=.5) + "
      "gibbs(centres=[-1, 2]) * bins(lower=-1, upper=[3], count=2)";
  const std::string letters = "()[]+*,=.-e019 a\n\xff" + std::string(1, '\0');
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string text = good;
    for (int edits = 1 + static_cast<int>(random() % 4); edits > 0; --edits) {
      const size_t at = random() % text.size();
      const char letter = letters[random() % letters.size()];
      switch (random() % 3) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.insert(at, 1, letter);
          break;
        default:
          text.erase(at, 1);
      }
    }
    try {
      const std::string canonical = Kernel::Parse(text).ToString();
      ASSERT_EQ(Canonical(canonical), canonical) << text;
    } catch (const InvalidInput&) {
    }
  }
}

}  // namespace
}  // namespace cloak
