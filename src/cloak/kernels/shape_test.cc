#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cloak/kernels/kernel.h"
#include "cloak/kernels/random_kernel.h"

namespace cloak {
namespace {

KernelShape ShapeOf(const char* text) { return Kernel::Parse(text).Shape(); }

TEST(KernelShapeTest, ClaimsWhatIsKnown) {
  for (const char* text :
       {"eq(2)", "matern12(1)", "matern32(1)", "matern52(1)", "rq(1)"}) {
    EXPECT_TRUE(ShapeOf(text).decreasing) << text;
    EXPECT_TRUE(ShapeOf(text).radial) << text;
  }
  EXPECT_TRUE(ShapeOf("eq(2) * bias(3) * eq(1, lengthscale=4)").product);
  EXPECT_TRUE(ShapeOf("bias(1) + eq(2) * matern12(1)").decreasing);
  EXPECT_FALSE(ShapeOf("bias(1) + eq(2)").product);
  EXPECT_FALSE(ShapeOf("matern12(1)").product);
  for (const char* text :
       {"periodic(1)", "linear(1)", "bins(1, lower=0, upper=1, count=3)",
        "eq(1) + periodic(1)", "eq(1) * linear(2)"}) {
    EXPECT_FALSE(ShapeOf(text).decreasing) << text;
    EXPECT_FALSE(ShapeOf(text).product) << text;
    EXPECT_FALSE(ShapeOf(text).radial) << text;
  }
}

double CovarianceBetween(const Kernel& kernel, const Vector& difference) {
  return kernel.CrossCovariance(difference.transpose(),
                                Matrix::Zero(1, difference.size()),
                                Threads(1))(0, 0);
}

RC_GTEST_PROP(KernelShapeTest, WhatIsClaimedHolds, ()) {
  const Index inputs = *rc::gen::inRange(1, 4);
  const Kernel kernel = DrawKernel(inputs, 3);
  const KernelShape shape = kernel.Shape();
  const Matrix rows = DrawInputs(2, inputs);
  const Vector near = rows.colwise().minCoeff().cwiseAbs();
  const double at_zero = CovarianceBetween(kernel, Vector::Zero(inputs));
  if (shape.decreasing) {
    RC_TAG("decreasing");
    const Vector far = near + rows.row(0).cwiseAbs().transpose();
    RC_ASSERT(CovarianceBetween(kernel, near) >=
              CovarianceBetween(kernel, far) * (1 - 1e-13));
    RC_ASSERT(CovarianceBetween(kernel, far) >= 0);
    RC_ASSERT(CovarianceBetween(kernel, near) ==
              CovarianceBetween(kernel, -near));
  }
  if (shape.product) {
    RC_TAG("product");
    double product = at_zero;
    for (Index d = 0; d < inputs; ++d) {
      Vector one = Vector::Zero(inputs);
      one(d) = near(d);
      product *= CovarianceBetween(kernel, one) / at_zero;
    }
    RC_ASSERT(std::abs(product - CovarianceBetween(kernel, near)) <=
              1e-12 * at_zero);
  }
  if (shape.radial) {
    RC_TAG("radial");
    double squared = 0;
    for (Index d = 0; d < inputs; ++d) {
      squared += std::pow(near(d) / (*shape.radial)[d], 2);
    }
    Vector same = Vector::Zero(inputs);
    same(inputs - 1) = std::sqrt(squared) * (*shape.radial)[inputs - 1];
    RC_ASSERT(std::abs(CovarianceBetween(kernel, same) -
                       CovarianceBetween(kernel, near)) <= 1e-12 * at_zero);
  }
}

}  // namespace
}  // namespace cloak
