#include "cloak/gp/variational_posterior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/testing/json_matrix.h"

namespace cloak {
namespace {

Matrix CovarianceOf(const VariationalPosterior& posterior) {
  const Index M = posterior.mean.size();
  return Matrix::Identity(M, M) -
         posterior.explained.transpose() * posterior.explained +
         posterior.noise.transpose() * posterior.noise;
}

// testdata/make_variational_oracle.py reads the paper's equations literally.
TEST(VariationalPosteriorTest, AgreesWithThePublishedEquations) {
  std::ifstream file(std::string(CLOAK_GP_TESTDATA) +
                     "/variational_oracle.json");
  const auto oracle = nlohmann::json::parse(file);
  const double lengthscale = oracle.at("lengthscale");
  const Basis basis(Kernel::Eq(oracle.at("variance"), lengthscale),
                    ToMatrix(oracle.at("Z")), Threads(1));
  // L_Z.
  const Matrix L =
      basis.WhitenValues(basis.kernel().Covariance(basis.points(), Threads(1)))
          .transpose();
  for (const auto& c : oracle.at("cases")) {
    const VariationalMoments moments{.A = ToMatrix(c.at("A")),
                                     .B = ToMatrix(c.at("B")),
                                     .a_sd = c.at("a_sd"),
                                     .b_sd = c.at("b_sd")};
    const VariationalPosterior posterior = InferVariational(
        basis, oracle.at("noise_variance"), moments, oracle.at("rho"));
    const Vector mean = ToMatrix(c.at("mean"));
    EXPECT_LT((L * posterior.mean - mean).norm(), 1e-7 * mean.norm());
    const Matrix S = ToMatrix(c.at("covariance"));
    EXPECT_LT((L * CovarianceOf(posterior) * L.transpose() - S).norm(),
              1e-7 * S.norm());
  }
}

TEST(VariationalPosteriorTest, HasAPosteriorWhereThePaperHasNone) {
  const Basis basis(Kernel::Eq(1, 1), Vector::LinSpaced(4, -2, 2), Threads(1));
  VariationalMoments moments{
      .A = Vector::Ones(4), .B = Matrix::Zero(4, 4), .a_sd = 1, .b_sd = 1};
  moments.B.diagonal() << 50, -1000, 20, -3;
  const VariationalPosterior posterior =
      InferVariational(basis, 0.1, moments, 0.01);
  EXPECT_TRUE(posterior.mean.allFinite());
  const Matrix S = CovarianceOf(posterior);
  EXPECT_TRUE(S.allFinite());
  EXPECT_GT(S.diagonal().minCoeff(), 0);
}

// The mean over y of w_i² is what is expected: with A of mean 0 and covariance
// B K⁻¹ B + σ²B + a_sd² I, columns of its root give it exactly.
TEST(VariationalPosteriorTest, ExpectedCovarianceIsTheMeanOverOutputs) {
  const Basis basis(Kernel::Eq(1, 1), Vector::LinSpaced(3, -2, 2), Threads(1));
  const Matrix X = Vector::LinSpaced(40, -2, 2);
  const Matrix K =
      basis.kernel().CrossCovariance(basis.points(), X, Threads(1));
  VariationalMoments moments{
      .A = Vector::Zero(3), .B = K * K.transpose(), .a_sd = 0.5, .b_sd = 0.2};
  const Matrix expected =
      CovarianceOf(ExpectVariational(basis, 0.3, moments, 0.01));
  const Matrix none = CovarianceOf(InferVariational(basis, 0.3, moments, 0.01));
  const Matrix whitened = basis.WhitenValues(moments.B);
  Matrix root(3, 6 + K.cols());
  root << whitened.transpose(), 0.5 * Matrix::Identity(3, 3),
      std::sqrt(0.3) * K;
  Matrix sum = none;
  for (Index j = 0; j < root.cols(); ++j) {
    moments.A = root.col(j);
    sum += CovarianceOf(InferVariational(basis, 0.3, moments, 0.01)) - none;
  }
  EXPECT_LT((sum - expected).norm(), 1e-8 * expected.norm());
}

}  // namespace
}  // namespace cloak
