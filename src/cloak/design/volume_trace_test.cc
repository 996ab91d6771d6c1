#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"
#include "cloak/gp/exact_gp.h"

namespace cloak {
namespace {

double LongestColumn(const Matrix& R) { return R.colwise().norm().maxCoeff(); }

// A smooth process: C has 40 rows and numerical rank far below.
Matrix SmoothC() {
  const Matrix X = Vector::LinSpaced(60, 0, 10);
  const Matrix Xs = Vector::LinSpaced(40, -1, 11);
  const Kernel kernel =
      Kernel::Parse("bias(3) + eq(variance=2, lengthscale=3)");
  return ExactGp(kernel, 0.5, X, Threads(1)).CloakingMatrix(Xs);
}

TEST(VolumeDesignTest, TheEllipsoidAroundTheAxesIsTheirOwn) {
  Matrix C = Matrix::Zero(3, 3);
  C.diagonal() << 1, 2, 5;
  const NoiseDesign design = VolumeDesign(C, Threads(2));
  const Matrix M = design.decoder * design.decoder.transpose();
  EXPECT_NEAR(M(0, 0), 1, 1e-6);
  EXPECT_NEAR(M(1, 1), 4, 1e-5);
  EXPECT_NEAR(M(2, 2), 25, 1e-4);
  EXPECT_NEAR(design.objective, std::log(100), 1e-6);
}

TEST(VolumeDesignTest, OneQueryPointNeedsNoiseForTheLargestWeight) {
  Matrix C(1, 4);
  C << 0.5, -2, 1, 0;
  const NoiseDesign design = VolumeDesign(C, Threads(2));
  EXPECT_NEAR(std::abs(design.decoder(0, 0)), 2, 1e-6);
  EXPECT_NEAR(LongestColumn(design.R), 1, 1e-12);
}

TEST(VolumeDesignTest, IsTheLownerEllipsoidOfARegularPolygon) {
  // By symmetry the smallest ellipse around a regular polygon is its circle.
  const int n = 9;
  Matrix C(2, n);
  for (int i = 0; i < n; ++i) {
    C.col(i) << std::cos(2 * M_PI * i / n), std::sin(2 * M_PI * i / n);
  }
  const Matrix M = VolumeDesign(C, Threads(2)).decoder *
                   VolumeDesign(C, Threads(2)).decoder.transpose();
  EXPECT_LT((M - Matrix::Identity(2, 2)).norm(), 1e-6);
}

TEST(TraceDesignTest, OrthogonalColumnsShareTheNoiseByTheirLength) {
  // min Σ m_k with c_k²/m_k ≤ 1: each constraint binds on its own.
  Matrix C = Matrix::Zero(3, 3);
  C.diagonal() << 1, 2, 5;
  const NoiseDesign design = TraceDesign(C, Vector::Ones(3), Threads(2));
  EXPECT_NEAR(design.objective, 1 + 4 + 25, 30 * 2e-4);
}

TEST(TraceDesignTest, WeightsMoveTheNoiseAwayFromWhatMatters) {
  std::srand(15);
  const Matrix C = Matrix::Random(6, 100);
  Vector weights = Vector::Ones(6);
  const Vector even =
      TraceDesign(C, weights, Threads(2)).decoder.rowwise().squaredNorm();
  weights.tail(3).setConstant(100);
  const Vector uneven =
      TraceDesign(C, weights, Threads(2)).decoder.rowwise().squaredNorm();
  EXPECT_LT(uneven.tail(3).sum(), 0.8 * even.tail(3).sum());
  EXPECT_GT(uneven.head(3).sum(), 1.2 * even.head(3).sum());
  EXPECT_LT(weights.dot(uneven), weights.dot(even));
  weights(3) = 0;
  EXPECT_THROW(TraceDesign(C, weights, Threads(2)), InvalidInput);
}

class BothDesignsTest : public testing::TestWithParam<bool> {
 protected:
  static NoiseDesign Design(const Matrix& C) {
    return GetParam() ? VolumeDesign(C, Threads(2))
                      : TraceDesign(C, Vector::Ones(C.rows()), Threads(2));
  }
};

TEST_P(BothDesignsTest, DecodingTheStatisticGivesThePredictionsBack) {
  const Matrix C = SmoothC();
  const NoiseDesign design = Design(C);
  EXPECT_LT(design.R.rows(), 25);  // numerical rank, not 40
  EXPECT_LT((design.decoder * design.R - C).norm() / C.norm(), 1e-6);
  EXPECT_LE(LongestColumn(design.R), 1 + 1e-9);
  EXPECT_GT(LongestColumn(design.R), 1 - 1e-4);
}

TEST_P(BothDesignsTest, TheCertificateHoldsAgainstRandomCompetitors) {
  // Any other feasible M must not beat the objective by more than the gap.
  std::srand(12);
  const Matrix C = Matrix::Random(4, 30);
  const NoiseDesign design = Design(C);
  EXPECT_LE(design.gap, GetParam() ? 1e-7 : 1e-4);
  const Matrix best = design.decoder * design.decoder.transpose();
  for (int attempt = 0; attempt < 200; ++attempt) {
    const double size = std::pow(10, -attempt % 4);
    const Matrix random = size * Matrix::Random(4, 4);
    Matrix M = best + random * random.transpose() * best.trace() +
               0.1 * size * (random + random.transpose());
    Eigen::LLT<Matrix> llt(M);
    if (llt.info() != Eigen::Success) continue;
    const double scale =
        llt.matrixL().solve(C).colwise().squaredNorm().maxCoeff();
    M *= scale;
    if (GetParam()) {
      EXPECT_GE(std::log(M.determinant()),
                design.objective - 4 * std::log1p(design.gap) - 1e-9);
    } else {
      EXPECT_GE(M.trace() * (1 + design.gap), design.objective * (1 - 1e-9));
    }
  }
}

TEST_P(BothDesignsTest, ManyPointsWorkThroughAWorkingSet) {
  std::srand(13);
  const Matrix C = Matrix::Random(6, 5000);
  const NoiseDesign design = Design(C);
  EXPECT_LE(LongestColumn(design.R), 1 + 1e-9);
  EXPECT_LE(design.gap, GetParam() ? 1e-7 : 1e-4);
}

TEST_P(BothDesignsTest, VeryManyPointsBeginWithSomeOfThem) {
  std::srand(16);
  const Matrix C = Matrix::Random(4, 120000);
  const NoiseDesign design = Design(C);
  EXPECT_LE(design.gap, 1e-4);
  EXPECT_LE(design.R.colwise().norm().maxCoeff(), 1 + 1e-9);
}

TEST_P(BothDesignsTest, ScalingAndPermutingTheOutputsChangesNothingElse) {
  std::srand(14);
  const Matrix C = Matrix::Random(5, 40);
  const NoiseDesign plain = Design(C);
  const NoiseDesign scaled = Design(10 * C);
  const Matrix M = plain.decoder * plain.decoder.transpose();
  EXPECT_LT((scaled.decoder * scaled.decoder.transpose() / 100 - M).norm(),
            1e-3 * M.norm());
  const Matrix reversed = C.rowwise().reverse();
  const NoiseDesign permuted = Design(reversed);
  EXPECT_LT((permuted.decoder * permuted.decoder.transpose() - M).norm(),
            1e-3 * M.norm());
  Matrix twice(5, 80);
  twice << C, C;
  const NoiseDesign duplicated = Design(twice);
  EXPECT_LT((duplicated.decoder * duplicated.decoder.transpose() - M).norm(),
            1e-3 * M.norm());
}

// A query point that follows from the others adds a row to C and no rank: the
// volume in the range kept is shaped as before, and the trace counts it.
TEST_P(BothDesignsTest, RotatingOrRepeatingTheQueryPointsChangesNothingElse) {
  std::srand(15);
  const Matrix C = Matrix::Random(5, 40);
  const NoiseDesign plain = Design(C);
  const Matrix M = plain.decoder * plain.decoder.transpose();
  const Matrix U =
      Eigen::HouseholderQR<Matrix>(Matrix::Random(5, 5)).householderQ();
  const NoiseDesign rotated = Design(U * C);
  EXPECT_LT(
      (rotated.decoder * rotated.decoder.transpose() - U * M * U.transpose())
          .norm(),
      1e-3 * M.norm());
  Matrix repeated(10, 40);
  repeated << C, C;
  const NoiseDesign twice = Design(repeated);
  EXPECT_LT(
      (twice.decoder.topRows(5) * twice.decoder.topRows(5).transpose() - M)
          .norm(),
      1e-3 * M.norm());
}

TEST_P(BothDesignsTest, NothingToReleaseIsAnError) {
  EXPECT_THROW(Design(Matrix::Zero(3, 5)), InvalidInput);
}

INSTANTIATE_TEST_SUITE_P(VolumeAndTrace, BothDesignsTest, testing::Bool(),
                         [](const auto& design) {
                           return design.param ? "Volume" : "Trace";
                         });

// Smith 2018, Algorithm 2, has all weights step to zero together when the
// gradient is steep, and then M = 0. Steep points must not do that here.
TEST(VolumeDesignTest, SteepPointsDoNotCollapseTheEllipsoid) {
  Matrix C = Matrix::Constant(2, 3, 1e9);
  C(0, 1) = -1e9;
  C(1, 2) = 3e9;
  const NoiseDesign design = VolumeDesign(C, Threads(2));
  EXPECT_GT((design.decoder * design.decoder.transpose()).trace(), 1e18);
}

// A table of 1500 rows with 8 different inputs, most of them the same.
TEST_P(BothDesignsTest, ManyRowsMayHaveTheSameInputs) {
  Matrix X(1500, 1);
  for (Index i = 0; i < 1500; ++i) {
    X(i) = std::floor(7.99 * std::pow(static_cast<double>(i) / 1500, 6));
  }
  const Matrix Xs = Vector::LinSpaced(8, 0, 7);
  for (const double lengthscale : {0.5, 3.0, 8.0}) {
    const Kernel kernel = Kernel::Bias(1) + Kernel::Eq(4, lengthscale);
    const Matrix C = ExactGp(kernel, 4, X, Threads(1)).CloakingMatrix(Xs);
    const NoiseDesign design = Design(C);
    EXPECT_LE(design.gap, GetParam() ? 1e-7 : 1e-4);
    EXPECT_LE(LongestColumn(design.R), 1 + 1e-9);
    EXPECT_LT((design.decoder * design.R - C).norm(), 1e-6 * C.norm());
  }
}

}  // namespace
}  // namespace cloak
