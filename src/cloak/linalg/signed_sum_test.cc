#include "cloak/linalg/signed_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace cloak {
namespace {

// Every σ by itself: slow, and nothing to get wrong.
double BruteForce(const Matrix& A) {
  double largest = 0;
  for (int code = 0; code < 1 << A.cols(); ++code) {
    Vector sum = Vector::Zero(A.rows());
    for (Index i = 0; i < A.cols(); ++i) {
      sum += (code >> i & 1) == 1 ? Vector(-A.col(i)) : Vector(A.col(i));
    }
    largest = std::max(largest, sum.squaredNorm());
  }
  return largest;
}

Vector SignsOf(uint64_t negative, Index size) {
  return Vector::NullaryExpr(
      size, [=](Index i) { return (negative >> i & 1) == 1 ? -1.0 : 1.0; });
}

TEST(SignedSumTest, EnumerationFindsTheLargestAndWhereItIs) {
  std::srand(1);
  for (Index columns = 1; columns <= 11; ++columns) {
    const Matrix A = Matrix::Random(3, columns);
    const auto best = MaximizeOverSigns<double>(A.transpose() * A);
    EXPECT_NEAR(best.value, BruteForce(A), 1e-12 * best.value);
    EXPECT_NEAR((A * SignsOf(best.negative, columns)).squaredNorm(), best.value,
                1e-12 * best.value);
  }
}

TEST(SignedSumTest, EnumerationInIntegersIsExact) {
  using Integers = Eigen::Matrix<int64_t, Eigen::Dynamic, Eigen::Dynamic>;
  std::srand(2);
  const Matrix A = (1000 * Matrix::Random(2, 9)).array().round();
  const Integers G = (A.transpose() * A).cast<int64_t>();
  EXPECT_EQ(MaximizeOverSigns<int64_t>(G).value,
            static_cast<int64_t>(BruteForce(A)));
}

TEST(SignedSumTest, TheBoundIsNeverBelowAndAtMostHalfPiAbove) {
  std::srand(3);
  for (int k = 0; k < 30; ++k) {
    const Matrix A = Matrix::Random(1 + k % 6, 12);
    const double largest = BruteForce(A);
    EXPECT_NEAR(SignedSumBound(A, 12), largest, 1e-12 * largest);
    const double bound = SignedSumBound(A, 1);
    EXPECT_GE(bound, largest * (1 - 1e-12));
    EXPECT_LE(bound, M_PI / 2 * largest * (1 + 1e-4));
  }
}

TEST(SignedSumTest, TheBoundIsTightWhereSignsAgree) {
  // One direction: Σ |a_i| is attained.
  const Matrix line = Vector::Random(40).transpose();
  EXPECT_NEAR(SignedSumBound(line, 1), std::pow(line.lpNorm<1>(), 2), 1e-9);
  // Orthogonal columns: every σ gives the same.
  EXPECT_NEAR(SignedSumBound(Matrix::Identity(30, 30), 1), 30, 1e-9);
  // In blocks too, when the direction is one.
  const Matrix ones = Matrix::Ones(1, 3 * kSignedSumBlock + 5);
  EXPECT_NEAR(SignedSumBound(ones, 1), std::pow(ones.cols(), 2), 1e-6);
}

TEST(SignedSumTest, TheSlackDoesMuchBetterThanTheAbsoluteSum) {
  std::srand(4);
  const Matrix A = Matrix::Random(10, 200).colwise().normalized();
  const double plain = (A.transpose() * A).cwiseAbs().sum();
  const double bound = SignedSumBound(A, 1);
  EXPECT_LT(bound, 0.5 * plain);
  const double found = (A * LongSignedSums(A, 10).front()).squaredNorm();
  EXPECT_GE(bound, found);
  EXPECT_LE(bound, M_PI / 2 * found);
}

TEST(SignedSumTest, LocalMaximaAreThat) {
  std::srand(5);
  const Matrix A = Matrix::Random(4, 60);
  const std::vector<Vector> found = LongSignedSums(A, 3);
  ASSERT_FALSE(found.empty());
  ASSERT_LE(found.size(), 3U);
  double last = INFINITY;
  for (const Vector& signs : found) {
    const double squared = (A * signs).squaredNorm();
    EXPECT_LE(squared, last);
    last = squared;
    for (Index i = 0; i < A.cols(); ++i) {
      Vector other = signs;
      other(i) = -other(i);
      EXPECT_LE((A * other).squaredNorm(), squared * (1 + 1e-9));
    }
  }
}

TEST(SignedSumTest, ColumnsOfZerosAreNoTrouble) {
  const Matrix A = Matrix::Zero(3, 5);
  EXPECT_EQ(SignedSumBound(A, 1), 0);
  EXPECT_EQ(SignedSumBound(A, 5), 0);
  EXPECT_EQ(LongSignedSums(A, 2).size(), 1U);
}

TEST(SignedSumTest, EnumerationIsForAsManyRowsAsTheTimeAllows) {
  EXPECT_EQ(LargestEnumerated(PrivacyUnits::EachRow(100), 1e6), 30);
  const PrivacyUnits pair_and_five =
      PrivacyUnits::FromLabels({"a", "a", "b", "b", "b", "b", "b"}, "labels");
  // 2·2¹ and 5·2⁴ additions.
  EXPECT_EQ(LargestEnumerated(pair_and_five, 84), 30);
  EXPECT_EQ(LargestEnumerated(pair_and_five, 83), 4);
}

}  // namespace
}  // namespace cloak
