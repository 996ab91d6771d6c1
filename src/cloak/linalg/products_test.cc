#include "cloak/linalg/products.h"

#include <gtest/gtest.h>

#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

TEST(ProductsTest, AgreeWithPlainProductsAndNotWithTheNumberOfThreads) {
  std::srand(5);
  const Matrix A = Matrix::Random(17, 10000);
  const Matrix B = Matrix::Random(23, 10000);
  const Matrix C = Matrix::Random(17, 40);
  const Matrix D = Matrix::Random(40, 3000);
  EXPECT_LT((ProductTransposed(A, B, Threads(2)) - A * B.transpose()).norm(),
            1e-10);
  EXPECT_LT((Product(C, D, Threads(2)) - C * D).norm(), 1e-10);
  EXPECT_EQ(ProductTransposed(A, B, Threads(1)),
            ProductTransposed(A, B, Threads(2)));
  EXPECT_EQ(Product(C, D, Threads(1)), Product(C, D, Threads(2)));
  const Matrix tall = Matrix::Random(300, 40);
  EXPECT_LT((Gram(tall, Threads(2)) - tall * tall.transpose()).norm(), 1e-10);
  EXPECT_EQ(Gram(tall, Threads(1)), Gram(tall, Threads(2)));
}

TEST(SymmetricEigenTest, RebuildsTheMatrixFromValuesInAscendingOrder) {
  std::srand(6);
  const Matrix root = Matrix::Random(60, 60);
  const Matrix A = root + root.transpose();
  const SymmetricEigen eigen = EigenDecomposition(A);
  EXPECT_LT(
      (eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose() -
       A)
          .norm(),
      1e-11);
  for (Index i = 1; i < 60; ++i) {
    EXPECT_LE(eigen.values(i - 1), eigen.values(i));
  }
  EXPECT_NEAR(LargestEigenvalue(A), eigen.values(59), 1e-11);
}

}  // namespace
}  // namespace cloak
