#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/kernels/kernel.h"
#include "cloak/kernels/random_kernel.h"

namespace cloak {
namespace {

double BoundOf(const char* text) { return Kernel::Parse(text).VarianceBound(); }

TEST(VarianceBound, AddsAndMultipliesTheVariances) {
  EXPECT_EQ(BoundOf("bias(1000) + eq(600)"), 1600);
  EXPECT_EQ(BoundOf("(bias(2) + white(3)) * matern32(4)"), 20);
  EXPECT_EQ(BoundOf("rq(2) * periodic(3) + matern12(1) * matern52(5)"), 11);
}

TEST(VarianceBound, OfLinearIsInfiniteAndStaysSo) {
  EXPECT_EQ(BoundOf("linear(1)"), kInfinity);
  EXPECT_EQ(BoundOf("bias(1) + eq(2) * linear([1, 2])"), kInfinity);
  EXPECT_EQ(BoundOf("bias(1e-300) * bias(1e-300) * linear(1)"), kInfinity);
}

TEST(VarianceBound, OfLinearOverABoxIsAtItsFarthestCorner) {
  const Kernel kernel = Kernel::Linear({2, 3});
  EXPECT_EQ(kernel.VarianceBound(Vector{{-5, 1}}, Vector{{4, 2}}),
            2 * 25 + 3 * 4);
}

RC_GTEST_PROP(VarianceBound, IsNeverBelowAVarianceInTheBox, ()) {
  const Index inputs = *rc::gen::inRange(1, 5);
  const Kernel kernel = DrawKernel(inputs, 8);
  const Matrix corners = DrawInputs(2, inputs);
  const Vector lower = corners.colwise().minCoeff();
  const Vector upper = corners.colwise().maxCoeff();
  Matrix X(20, inputs);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index d = 0; d < inputs; ++d) {
      // 1/7 is not a binary fraction, 0 and 7 sevenths are the corners.
      const double t = *rc::gen::inRange(0, 8) / 7.0;
      X(i, d) = t == 1 ? upper[d] : lower[d] + t * (upper[d] - lower[d]);
    }
  }
  const double bound = kernel.VarianceBound(lower, upper);
  RC_ASSERT(kernel.Variances(X).maxCoeff() <= bound);
  RC_ASSERT(kernel.Covariance(X, Threads(1)).diagonal().maxCoeff() <= bound);
  RC_ASSERT(bound < kInfinity);
  RC_ASSERT(bound <= kernel.VarianceBound());
}

TEST(VarianceBound, RefusesWhatIsNotABox) {
  const Kernel kernel = Kernel::Linear(1);
  EXPECT_THROW(kernel.VarianceBound(Vector{{1.0}}, Vector{{0.0}}),
               InvalidInput);
  EXPECT_THROW(kernel.VarianceBound(Vector{{0.0}}, Vector{{kInfinity}}),
               InvalidInput);
  EXPECT_THROW(kernel.VarianceBound(Vector{{0.0}}, Vector{{1, 2}}),
               InvalidInput);
  EXPECT_THROW(
      Kernel::Linear({1, 2}).VarianceBound(Vector{{0.0}}, Vector{{1.0}}),
      InvalidInput);
}

}  // namespace
}  // namespace cloak
