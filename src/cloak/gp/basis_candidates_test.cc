#include "cloak/gp/basis_candidates.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "cloak/base/error.h"

namespace cloak {
namespace {

Matrix Survey(Index rows, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Matrix X(rows, 2);
  for (Index i = 0; i < rows; ++i) {
    X(i, 0) = 40 + 15 * normal(random);
    X(i, 1) = 20 + 0.1 * X(i, 0) + 4 * normal(random);
  }
  return X;
}

Kernel Rough() {
  return Kernel::Bias(4) + Kernel::Eq(2, std::vector<double>{15, 5});
}

std::set<std::vector<double>> RowsOf(const Matrix& X) {
  std::set<std::vector<double>> rows;
  for (const auto row : X.rowwise()) rows.emplace(row.begin(), row.end());
  return rows;
}

double MeanResidual(const Matrix& X, const Matrix& Z) {
  const Basis basis(Rough(), Z, Threads(1));
  return basis.ResidualVariances(X, basis.Features(X)).mean();
}

TEST(BasisCandidates, AreNobodys) {
  for (const Index rows : {1, 4, 9, 10, 200}) {
    const Matrix X = Survey(rows, 3);
    const BasisCandidates candidates(X);
    EXPECT_GE(candidates.points().rows(), 1000);
    const std::set<std::vector<double>> all = RowsOf(X);
    for (const auto& point : RowsOf(candidates.points())) {
      EXPECT_FALSE(all.contains(point));
    }
  }
}

TEST(BasisCandidates, HaveARowOnlyWhereTenAreLikeIt) {
  Matrix X(60, 1);
  X << Vector::Constant(10, 7.25), Vector::Constant(9, 3.5),
      Vector::LinSpaced(41, 19, 59);
  // The mean of the 31 rows from 20 to 50 is the row 35.
  const std::set<std::vector<double>> points =
      RowsOf(BasisCandidates(X).points());
  EXPECT_TRUE(points.contains({7.25}));
  EXPECT_FALSE(points.contains({3.5}));
  for (double i = 19; i < 60; ++i) EXPECT_FALSE(points.contains({i}));
}

TEST(BasisCandidates, SurroundARowThatIsRepeated) {
  for (const Index rows : {1, 9, 10}) {
    const Matrix X = Matrix::Constant(rows, 2, 100);
    const Matrix Z = SelectBasisPoints(Rough(), BasisCandidates(X), Threads(1),
                                       {.tolerance = 1e-3});
    EXPECT_GE(Z.rows(), 1);
    EXPECT_EQ(RowsOf(Z).contains({100, 100}), rows == 10);
    EXPECT_LT(MeanResidual(X, Z), 1e-3);
  }
}

TEST(BasisCandidates, SpanTheProcessAsWellAsRowsDo) {
  for (const Index rows : {30, 300, 3000, 6000}) {
    const Matrix X = Survey(rows, 5);
    for (const Index size : {20, 60}) {
      const BasisSelectionOptions options{.max_size = size, .tolerance = 1e-6};
      const Matrix of_rows = SelectBasisPoints(Rough(), X, Threads(1), options);
      const Matrix of_nobody =
          SelectBasisPoints(Rough(), BasisCandidates(X), Threads(1), options);
      // A thousandth of the variance of the process is far below any noise.
      EXPECT_LT(MeanResidual(X, of_nobody),
                std::max(2e-3, 1.2 * MeanResidual(X, of_rows)))
          << rows << " rows, " << size << " points";
    }
  }
}

TEST(BasisCandidates, SelectionStopsWhereNothingIsLeftOfTheRows) {
  const Matrix X = Vector::LinSpaced(80, -4.123, 4.321);
  const Matrix Z = SelectBasisPoints(Kernel::Eq(2, 1), BasisCandidates(X),
                                     Threads(1), {.tolerance = 1e-6});
  EXPECT_LT(Z.rows(), 40);
  const Basis basis(Kernel::Eq(2, 1), Z, Threads(1));
  EXPECT_LT(basis.ResidualVariances(X, basis.Features(X)).maxCoeff(), 1e-5);
}

TEST(BasisCandidates, DoNotDependOnTheOrderOfRows) {
  const Matrix X = Survey(700, 2);
  const BasisSelectionOptions options{.max_size = 50};
  EXPECT_EQ(SelectBasisPoints(Rough(), BasisCandidates(X), Threads(1), options),
            SelectBasisPoints(Rough(), BasisCandidates(X.colwise().reverse()),
                              Threads(2), options));
}

TEST(BasisCandidates, AKernelThatReachesNoCandidateStillHasAPoint) {
  const Matrix X = Vector::LinSpaced(7, 0.123, 100.321);
  EXPECT_EQ(SelectBasisPoints(Kernel::Eq(1, 1e-9), BasisCandidates(X),
                              Threads(1), {.tolerance = 1e-4})
                .rows(),
            1);
  EXPECT_THROW(SelectBasisPoints(Kernel::White(1), BasisCandidates(X),
                                 Threads(1), {.tolerance = 1e-4}),
               InvalidInput);
}

TEST(BasisCandidates, TheNearestIsTakenOnce) {
  const BasisCandidates candidates(Survey(50, 1));
  std::vector<bool> taken(static_cast<size_t>(candidates.points().rows()));
  const Eigen::RowVectorXd place = candidates.points().row(17);
  EXPECT_EQ(candidates.TakeNearest(place, taken), 17);
  EXPECT_NE(candidates.TakeNearest(place, taken), 17);
}

}  // namespace
}  // namespace cloak
