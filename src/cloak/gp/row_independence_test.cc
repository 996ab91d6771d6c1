// Proofs about private rows take the features of a row for a function of that
// row alone. They are computed for many rows at once, by BLAS and by vector
// instructions: here it is tested that what the others hold changes no bit.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "cloak/gp/basis.h"

namespace cloak {
namespace {

Matrix UniformRows(Index rows, Index inputs, std::mt19937_64& random) {
  std::uniform_real_distribution<double> place(-4, 4);
  Matrix X(rows, inputs);
  for (double& x : X.reshaped()) x = place(random);
  return X;
}

bool SameBits(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

TEST(RowIndependenceTest, FeaturesOfARowDoNotDependOnOtherRows) {
  std::mt19937_64 random(1);
  const std::string kernels[] = {
      "eq(variance=2, lengthscale=1.5)",
      "bias(9) + eq(variance=2, lengthscale=0.7)",
      "matern32(variance=2, lengthscale=1)",
      "matern52(variance=2, lengthscale=1)",
      "matern12(variance=2, lengthscale=1)",
      "linear(variance=2) * eq(variance=2, lengthscale=1.5)"};
  int compared = 0;
  for (const std::string& kernel : kernels) {
    for (const Index size : {1, 7, 64, 150}) {
      const Basis basis(Kernel::Parse(kernel), UniformRows(size, 2, random),
                        Threads(1));
      for (const Index rows : {1, 2, 3, 5, 8, 31, 128, 129, 300}) {
        const Matrix X = UniformRows(rows, 2, random);
        const Matrix before = basis.Features(X);
        // All others, and each end of the range, where functions are steep.
        for (const double other : {-4.0, 0.0, 4.0, 1e-300}) {
          const auto kept = static_cast<Index>(random() % rows);
          Matrix changed = Matrix::Constant(rows, 2, other);
          changed.row(kept) = X.row(kept);
          EXPECT_TRUE(
              SameBits(before.col(kept), basis.Features(changed).col(kept)))
              << kernel << ", " << size << " points, row " << kept << " of "
              << rows;
          ++compared;
        }
      }
    }
  }
  EXPECT_EQ(compared, 6 * 4 * 9 * 4);
}

// The test above would see it.
TEST(RowIndependenceTest, AChangeInTheLastBitIsNoticed) {
  const Vector a = Vector::Constant(3, 1.0);
  Vector b = a;
  EXPECT_TRUE(SameBits(a, b));
  b(2) = std::nextafter(1.0, 2.0);
  EXPECT_FALSE(SameBits(a, b));
}

}  // namespace
}  // namespace cloak
