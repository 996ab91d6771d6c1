#include "cloak/gp/smoother.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cloak/base/error.h"
#include "tests/testing/json_matrix.h"

namespace cloak {
namespace {

Vector ToVector(const nlohmann::json& numbers) {
  const auto values = numbers.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(),
                                  static_cast<Index>(values.size()));
}

// Returns the variances of f, as a release has them.
Vector Variances(const LinearSmoother& smoother, const Matrix& Xs) {
  const Matrix Phi = smoother.basis.Features(Xs);
  return smoother.basis.kernel().Variances(Xs) -
         Vector((smoother.explained * Phi).colwise().squaredNorm());
}

// testdata/oracle.json is made by independent implementations
// (testdata/make_oracle.py).
class SmootherOracle : public testing::Test {
 protected:
  SmootherOracle() {
    std::ifstream file(std::string(CLOAK_GP_TESTDATA) + "/oracle.json");
    oracle_ = nlohmann::json::parse(file);
    X_ = ToMatrix(oracle_.at("X"));
    Xs_ = ToMatrix(oracle_.at("Xs"));
    noise_ = ToMatrix(oracle_.at("noise")).col(0);
  }

  void ExpectAgreement(const LinearSmoother& smoother, const char* name) {
    const Matrix C = ToMatrix(oracle_.at(name).at("C"));
    EXPECT_LT((CloakingMatrix(smoother, Xs_, Threads(2)) - C).norm(),
              1e-7 * C.norm())
        << name;
    const Vector variances = ToVector(oracle_.at(name).at("variance"));
    EXPECT_LT((Variances(smoother, Xs_) - variances).norm(),
              1e-7 * variances.norm())
        << name;
  }

  nlohmann::json oracle_;
  Kernel kernel_ =
      Kernel::Parse("bias(2) + eq(variance=1.5, lengthscale=[0.8, 1.7])");
  Matrix X_;
  Matrix Xs_;
  Vector noise_;
};

TEST_F(SmootherOracle, TheExactProcessWithANoiseForEachRow) {
  const ExactGp gp(kernel_, noise_, X_, Threads(1));
  ExpectAgreement(ExactSmoother(gp, Basis(kernel_, Xs_, Threads(1))), "exact");
}

TEST_F(SmootherOracle, FitcAndTheSubsetOfRegressors) {
  const Basis basis(kernel_, ToMatrix(oracle_.at("Z")), Threads(1));
  OutputModel outputs = ModelOutputs(basis, 0, X_);
  outputs.D += noise_;
  ExpectAgreement(InducingSmoother(basis, outputs, Threads(1)), "fitc");
  outputs.D = noise_;
  ExpectAgreement(InducingSmoother(basis, outputs, Threads(1)), "sor");
}

TEST_F(SmootherOracle, LeastSquaresByPolynomials) {
  const LinearSmoother smoother = PolynomialSmoother(X_, 2, 0.7, Threads(1));
  ExpectAgreement(smoother, "polynomial");
}

TEST(PolynomialSmoother, HasTheCloakingMatricesOfSection51) {
  // Smith et al. 2021, section 5.1: x = 0, 1 for training, 2, 4 for testing.
  const Matrix X = (Matrix(2, 1) << 0, 1).finished();
  const Matrix Xs = (Matrix(2, 1) << 2, 4).finished();
  const Matrix C0 =
      CloakingMatrix(PolynomialSmoother(X, 0, 1, Threads(1)), Xs, Threads(1));
  const Matrix C1 =
      CloakingMatrix(PolynomialSmoother(X, 1, 1, Threads(1)), Xs, Threads(1));
  EXPECT_LT((C0 - Matrix::Constant(2, 2, 0.5)).norm(), 1e-7);
  EXPECT_LT((C1 - (Matrix(2, 2) << -1, 2, -3, 4).finished()).norm(), 1e-7);
}

TEST(PolynomialSmoother, RefusesWhatTheInputsDoNotDetermine) {
  const Matrix two = (Matrix(4, 1) << 1, 1, 2, 2).finished();
  EXPECT_THROW(PolynomialSmoother(two, 2, 1, Threads(1)), InvalidInput);
  EXPECT_THROW(PolynomialSmoother(two, 6, 1, Threads(1)), InvalidInput);
  EXPECT_THROW(PolynomialSmoother(two, -1, 1, Threads(1)), InvalidInput);
  // Latitudes of one city: a cubic about the equator has no digits left.
  const Matrix far = 40.7 + 1e-3 * Vector::LinSpaced(50, 0, 1).array();
  EXPECT_THROW(PolynomialSmoother(far, 3, 1, Threads(1)), InvalidInput);
}

TEST(ExactSmoother, HasTheCoordinatesOfTheMeanInTheRkhs) {
  // |mean function|² = yᵀK_y⁻¹ K K_y⁻¹y = |B y|² when the basis is all rows.
  std::srand(4);
  const Matrix X = 3 * Matrix::Random(25, 2);
  const Kernel kernel = Kernel::Eq(2, 0.7);
  const ExactGp gp(kernel, 0.4, X, Threads(1));
  const LinearSmoother smoother =
      ExactSmoother(gp, Basis(kernel, X, Threads(1)));
  const Matrix K = kernel.Covariance(X, Threads(1));
  const Matrix C = gp.CloakingMatrix(X);  // K K_y⁻¹
  const Matrix norms = C.transpose() * K.ldlt().solve(C);
  EXPECT_LT((smoother.B.transpose() * smoother.B - norms).norm(),
            1e-6 * norms.norm());
}

}  // namespace
}  // namespace cloak
