#include "cloak/privacy/event.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"

namespace cloak {
namespace {

TEST(NeighboursTest, NamesReadBack) {
  for (const Neighbours neighbours :
       {Neighbours::kOutput, Neighbours::kUnit, Neighbours::kRow}) {
    EXPECT_EQ(ParseNeighbours(ToString(neighbours)), neighbours);
    EXPECT_FALSE(InWords(neighbours).empty());
  }
  EXPECT_EQ(ToString(Neighbours::kUnit), "unit");
  EXPECT_THROW(ParseNeighbours("Row"), InvalidInput);
  EXPECT_THROW(ParseNeighbours(""), InvalidInput);
}

TEST(EventTest, AnEventThatExistsIsValid) {
  for (const double size : {0.0, -0.0, -1.0, kInfinity, kNan}) {
    EXPECT_THROW(GaussianEvent{size}, InvalidInput) << size;
    EXPECT_THROW(PureEvent{size}, InvalidInput) << size;
    EXPECT_THROW(BoundedRangeEvent{size}, InvalidInput) << size;
    EXPECT_THROW(ZcdpEvent{size}, InvalidInput) << size;
    if (size != 0) {
      EXPECT_THROW(ApproximateEvent(size, 0.1), InvalidInput) << size;
    }
    EXPECT_THROW(ApproximateEvent(1, size), InvalidInput) << size;
    EXPECT_THROW(NegativeBinomialRepeats(1, size), InvalidInput) << size;
    EXPECT_THROW(PoissonRepeats{size}, InvalidInput) << size;
  }
  EXPECT_THROW(GaussianEvent(1.1e3), InvalidInput);
  EXPECT_THROW(PureEvent(1.1e6), InvalidInput);
  EXPECT_THROW(ApproximateEvent(1, 1), InvalidInput);
  EXPECT_THROW(NegativeBinomialRepeats(-1, 0.5), InvalidInput);
  EXPECT_THROW(NegativeBinomialRepeats(1, 1), InvalidInput);
  EXPECT_THROW(PoissonRepeats(0.5), InvalidInput);
  EXPECT_EQ(ApproximateEvent(0, 0.1).epsilon(), 0);
}

TEST(EventTest, TextIsAsDocumented) {
  for (const std::string text :
       {"gaussian(mu=0.25)", "pure(epsilon=1)", "bounded_range(epsilon=0.5)",
        "zcdp(rho=0.1)", "approximate(epsilon=1, delta=1e-05)",
        "selection(gaussian(mu=0.5), negative_binomial(eta=1, gamma=0.1))",
        "selection(zcdp(rho=0.1), poisson(mean=20))"}) {
    EXPECT_EQ(ToString(ParseEvent(text)), text);
    EXPECT_FALSE(InWords(ParseEvent(text)).empty());
  }
  EXPECT_EQ(ToString(ParseEvent("  zcdp ( rho = 0.1 ) ")), "zcdp(rho=0.1)");
  EXPECT_EQ(InWords(ParseEvent("selection(pure(epsilon=0.1), "
                               "poisson(mean=20))")),
            "the best of a Poisson number (mean 20) of candidates, each with "
            "pure differential privacy, epsilon = 0.1");
}

RC_GTEST_PROP(EventTest, AnyNumberReadsBackExactly, (uint32_t bits)) {
  const double size = std::ldexp(1.0 + bits, *rc::gen::inRange(-900, -22));
  const PrivacyEvent pure = PureEvent(size);
  RC_ASSERT(ParseEvent(ToString(pure)) == pure);
  const PrivacyEvent selection = SelectionEvent(
      BoundedRangeEvent(size), NegativeBinomialRepeats(size, 1 / (2 + size)));
  RC_ASSERT(ParseEvent(ToString(selection)) == selection);
}

TEST(EventTest, AnythingElseIsRefused) {
  const std::vector<std::string> wrong = {
      "",
      "gaussian",
      "gaussian()",
      "gaussian(0.5)",
      "gaussian(mu=)",
      "gaussian(mu=0.5",
      "gaussian(mu=0.5))",
      "gaussian(mu=0.5) x",
      "gaussian(mu=nan)",
      "gaussian(mu=-1)",
      "gaussian(mu=inf)",
      "gaussian(epsilon=1)",
      "laplace(epsilon=1)",
      "pure(epsilon=1, delta=1)",
      "approximate(delta=0.1, epsilon=1)",
      "selection(pure(epsilon=1))",
      "selection(approximate(epsilon=1, delta=0.1), poisson(mean=2))",
      "selection(pure(epsilon=1), uniform(mean=2))",
      "selection(selection(pure(epsilon=1), poisson(mean=2)), "
      "poisson(mean=2))",
      std::string("gaussian(mu=1)\0", 15),
      std::string(2000, '(')};
  for (const std::string& text : wrong) {
    EXPECT_THROW(ParseEvent(text), InvalidInput) << text;
  }
}

}  // namespace
}  // namespace cloak
