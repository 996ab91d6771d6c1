#include "cloak/linalg/cholesky.h"

#include <gtest/gtest.h>

#include <limits>

#include "cloak/base/error.h"

namespace cloak {
namespace {

Matrix RandomPositiveDefinite(Index n, unsigned seed) {
  std::srand(seed);
  const Matrix root = Matrix::Random(n, n);
  Matrix A = root * root.transpose();
  A.diagonal().array() += 0.1 * static_cast<double>(n);
  return A;
}

TEST(CholeskyTest, TheFactorReproducesTheMatrixAtSizesAroundATile) {
  for (const Index n : {1, 2, 255, 256, 257, 700, 1500}) {
    const Matrix A = RandomPositiveDefinite(n, 7);
    const Cholesky cholesky(A, Threads(2));
    ASSERT_EQ(cholesky.outcome(), Cholesky::kExact) << cholesky.message();
    EXPECT_EQ(cholesky.jitter(), 0);
    const Matrix L = cholesky.L();
    EXPECT_LT((L * L.transpose() - A).norm() / A.norm(), 1e-13) << n;
  }
}

TEST(CholeskyTest, SolvesUndoTheMatrix) {
  const Matrix A = RandomPositiveDefinite(900, 3);
  const Matrix B = Matrix::Random(900, 170);
  const Cholesky cholesky(A, Threads(2));
  EXPECT_LT((A * cholesky.Solve(B) - B).norm() / B.norm(), 1e-12);
  EXPECT_LT((cholesky.L() * cholesky.SolveLower(B) - B).norm() / B.norm(),
            1e-12);
  EXPECT_LT(
      (cholesky.L().transpose() * cholesky.SolveUpper(B) - B).norm() / B.norm(),
      1e-12);
}

TEST(CholeskyTest, TheLogDeterminantOfADiagonalIsTheSumOfLogs) {
  const Vector d = Vector::LinSpaced(300, 0.5, 20);
  const Cholesky cholesky(Matrix(d.asDiagonal()), Threads(1));
  EXPECT_NEAR(cholesky.LogDeterminant(), d.array().log().sum(), 1e-10);
}

TEST(CholeskyTest, OneAndTwoThreadsGiveTheSameBits) {
  const Matrix A = RandomPositiveDefinite(1300, 11);
  const Matrix B = Matrix::Random(1300, 300);
  const Cholesky one(A, Threads(1));
  const Cholesky two(A, Threads(2));
  EXPECT_EQ(one.L(), two.L());
  EXPECT_EQ(one.Solve(B), two.Solve(B));
}

TEST(CholeskyTest, ASingularMatrixIsFactoredWithAReportedJitter) {
  const Matrix A = Matrix::Ones(400, 400);
  const Cholesky cholesky(A, Threads(2));
  ASSERT_EQ(cholesky.outcome(), Cholesky::kJittered);
  EXPECT_GT(cholesky.jitter(), 0);
  EXPECT_LE(cholesky.jitter(), 1e-6);
  const Matrix L = cholesky.L();
  const Matrix repaired = A + cholesky.jitter() * Matrix::Identity(400, 400);
  EXPECT_LT((L * L.transpose() - repaired).norm(), 1e-9);
}

TEST(CholeskyTest, AnIndefiniteMatrixFailsAndSaysWhere) {
  Matrix A = Matrix::Identity(300, 300);
  A(270, 270) = -1;
  const Cholesky cholesky(A, Threads(1));
  EXPECT_EQ(cholesky.outcome(), Cholesky::kFailed);
  EXPECT_NE(cholesky.message().find("column 271"), std::string::npos)
      << cholesky.message();
  EXPECT_THROW(cholesky.L(), Error);
  EXPECT_THROW(cholesky.Solve(Matrix::Ones(300, 1)), Error);
}

TEST(CholeskyTest, ANonFiniteMatrixFails) {
  Matrix A = Matrix::Identity(3, 3);
  A(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Cholesky(A, Threads(1)).outcome(), Cholesky::kFailed);
}

}  // namespace
}  // namespace cloak
