// What the papers publish with too little noise, or none. Each test carries out
// the published rule, finds neighbours that it does not protect, and shows that
// Cloak protects them. Sensitivities are in published_sensitivity_test.cc.

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/linalg/symmetric_eigen.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;

// Smith 2018, equation (2); Smith 2021; Dandekar 2019, Definition 2: noise of
// c(δ)/ε sensitivities, for any ε.
double PublishedSigma(const Budget& budget) {
  return std::sqrt(2 * std::log(2 / budget.delta())) / budget.epsilon();
}

// What the best attack gains, P(S | D') − e^ε P(S | D), on normal noise that is
// 1/mu times as large as the distance between D and D': S is where the
// likelihood ratio is above e^ε. A promise of (ε, δ) with δ below it is broken.
double BestGain(double epsilon, double mu) {
  if (mu == kInfinity) return 1;
  const double threshold = epsilon / mu + mu / 2;
  return NormalCdf(mu - threshold) - std::exp(epsilon) * NormalCdf(-threshold);
}

// The distance between neighbours in standard deviations of the noise on C y,
// when one output moves by 1: infinite when predictions move where there is no
// noise.
double Mu(const Matrix& C, const Matrix& noise_covariance) {
  const SymmetricEigen eigen = EigenDecomposition(noise_covariance);
  const Matrix moves = eigen.vectors.transpose() * C;
  double largest = 0;
  for (Index j = 0; j < C.cols(); ++j) {
    double squared = 0;
    for (Index k = 0; k < C.rows(); ++k) {
      const double move = std::pow(moves(k, j), 2);
      if (move > 0) squared += move / std::max(0.0, eigen.values(k));
    }
    largest = std::max(largest, std::sqrt(squared));
  }
  return largest;
}

// |t − t'|² of what is published, in exact integers: the same random bits make
// the same noise, which cancels.
cpp_int SquaredDistance(const GaussianMechanism& mechanism, const Vector& y,
                        const Vector& neighbour) {
  const auto release = [&](const Vector& outputs) {
    Randomness random = RandomnessForTesting::Seeded(1);
    return mechanism.Release(Secret<Vector>(outputs), random).integers;
  };
  const std::vector<Int128> a = release(y);
  const std::vector<Int128> b = release(neighbour);
  cpp_int squared = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    const cpp_int move =
        cpp_int(DecimalText(a[k])) - cpp_int(DecimalText(b[k]));
    squared += move * move;
  }
  return squared;
}

cpp_int SquaredSensitivity(const GaussianMechanism& mechanism) {
  return cpp_int(DecimalText(mechanism.noise().sensitivity_squared()));
}

// Smith 2018, equation (2), is a theorem for ε ≤ 1 only (Hall et al. 2013).
TEST(PublishedNoiseTest, IsTooLittleForLargeEpsilonAndTooMuchForSmall) {
  const double published_10 = PublishedSigma(Budget(10, 0.01));
  const double published_50 = PublishedSigma(Budget(50, 0.01));
  EXPECT_NEAR(BestGain(10, 1 / published_10), 0.0245, 5e-5);
  EXPECT_GT(BestGain(50, 1 / published_50), 0.9);
  for (const double epsilon : {1.0, 10.0, 50.0}) {
    const double sigma = GaussianSigma(Budget(epsilon, 0.01));
    EXPECT_LE(BestGain(epsilon, 1 / sigma), 0.01 * (1 + 1e-9)) << epsilon;
    // No more than is needed.
    EXPECT_GT(BestGain(epsilon, 1.001 / sigma), 0.01) << epsilon;
  }
  EXPECT_NEAR(PublishedSigma(Budget(1, 0.01)) / GaussianSigma(Budget(1, 0.01)),
              1.73, 5e-3);
}

// Smith 2018, supplement, Algorithm 2, for outputs that move by d = 1.
class PublishedCloakingTest : public testing::Test {
 protected:
  struct Cloak {
    Matrix M;
    double delta = 0;

    Matrix NoiseCovariance(const Budget& budget) const {
      return std::pow(delta * PublishedSigma(budget), 2) * M;
    }
  };
  enum Multipliers { kAsPrinted, kNonNegative };

  // M⁺, singular values below 1e-15 of the largest being taken for zero, as
  // numerical libraries do.
  static Matrix PseudoInverse(const Matrix& M) {
    const SymmetricEigen eigen = EigenDecomposition(M);
    const double cutoff = 1e-15 * eigen.values.cwiseAbs().maxCoeff();
    const Vector inverse = eigen.values.unaryExpr(
        [=](double value) { return std::abs(value) > cutoff ? 1 / value : 0; });
    return eigen.vectors * inverse.asDiagonal() * eigen.vectors.transpose();
  }

  // c_jᵀM⁺c_j for all j, M = Σ λ_j c_j c_jᵀ.
  static Vector Leverages(const Matrix& C, const Vector& lambda) {
    const Matrix M = C * lambda.asDiagonal() * C.transpose();
    return C.cwiseProduct(PseudoInverse(M) * C).colwise().sum();
  }

  // FINDLAMBDA, CALCM and CALCDELTA. As printed, the loop goes on while some λ
  // increases by more than 1e-5, and nothing keeps λ from below zero.
  // kNonNegative does, as multipliers of a Lagrangian must be, and goes on
  // while any changes.
  static Cloak Published(const Matrix& C, Vector lambda,
                         Multipliers multipliers) {
    constexpr double kLearningRate = 0.05;
    double change = 0;
    do {
      Vector next = lambda;
      next.array() += kLearningRate * (Leverages(C, lambda).array() - 1);
      if (multipliers == kNonNegative) next = next.cwiseMax(0);
      change = multipliers == kNonNegative
                   ? (next - lambda).cwiseAbs().maxCoeff()
                   : (next - lambda).maxCoeff();
      lambda = next;
    } while (change > 1e-5);
    return {C * lambda.asDiagonal() * C.transpose(),
            Leverages(C, lambda).maxCoeff()};
  }

  static Vector RandomStart(Index n, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> uniform(0.1, 0.9);
    return Vector::NullaryExpr(n, [&] { return uniform(generator); });
  }

  // Whatever is released of C y, no neighbour is farther than the noise allows.
  void ExpectOursProtects(const Matrix& C) const {
    for (const NoiseDesign& design :
         {VolumeDesign(C, Threads(1)),
          TraceDesign(C, Vector::Ones(C.rows()), Threads(1))}) {
      const GaussianMechanism mechanism(design.R, OutputBounds(0, 1), budget_);
      const double mu =
          mechanism.R().colwise().norm().maxCoeff() / mechanism.noise().sd();
      EXPECT_GT(mu, 0);
      EXPECT_LE(BestGain(budget_.epsilon(), mu), budget_.delta() * (1 + 1e-9));
      for (const Index j : {Index{0}, C.cols() / 2, C.cols() - 1}) {
        Vector y = Vector::Zero(C.cols());
        Vector neighbour = y;
        neighbour(j) = 1;
        EXPECT_LE(SquaredDistance(mechanism, y, neighbour),
                  SquaredSensitivity(mechanism));
      }
    }
  }

  Budget budget_{1, 0.01};
};

// Line 39 has c_jᵀM⁺c_j, which is Δ² of equation (9). Below 1, that is less
// than Δ. The mean of 1000 people gets there at once: all λ decrease in the
// first step, so the loop stops.
TEST_F(PublishedCloakingTest, LacksASquareRoot) {
  const Matrix C = Matrix::Constant(1, 1000, 1e-3);
  const Cloak cloak = Published(C, RandomStart(1000, 1), kAsPrinted);
  EXPECT_LT(cloak.delta, 0.01);
  const double mu = Mu(C, cloak.NoiseCovariance(budget_));
  EXPECT_GT(mu, 20 / PublishedSigma(budget_));
  EXPECT_GT(BestGain(1, mu), 0.99);
  // With the root, the same M would have been enough.
  const Cloak rooted = {cloak.M, std::sqrt(cloak.delta)};
  EXPECT_LE(BestGain(1, Mu(C, rooted.NoiseCovariance(budget_))), 0.01);
  ExpectOursProtects(C);
}

// Line 39 again: M⁺ is zero where M is taken for zero, so what moves there
// counts as not moving. Its λ goes to zero, and no noise at all is left. Here
// the second prediction depends on one person, weakly.
TEST_F(PublishedCloakingTest, PublishesWhatThePseudoInverseHides) {
  Matrix C = Matrix::Zero(2, 2);
  C.diagonal() << 1, 1e-9;
  const Cloak cloak = Published(C, Vector::Constant(2, 0.5), kNonNegative);
  EXPECT_NEAR(cloak.delta, 1, 1e-3);  // as if it had converged
  EXPECT_EQ(cloak.M(1, 1), 0);
  EXPECT_EQ(Mu(C, cloak.NoiseCovariance(budget_)), kInfinity);
  // The exact output of the second person, from a published prediction.
  const double y = 0.625;
  EXPECT_NEAR((C * Vector::Constant(2, y))(1) / C(1, 1), y, 1e-15);

  ExpectOursProtects(C);
  const NoiseDesign design = VolumeDesign(C, Threads(1));
  // Not hidden but projected away: nothing published depends on it.
  EXPECT_LT((design.decoder * design.R).row(1).norm(), 1e-9 * C(1, 1));
}

// Lines 16 to 25: with many people the fixed step is larger than the last λ.
// All are zero at once; then M = 0, Δ = 0, and the mean is released exactly.
TEST_F(PublishedCloakingTest, ReleasesTheExactMeanWhenAllMultipliersVanish) {
  const Matrix C = Matrix::Constant(1, 1000, 1e-3);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Cloak cloak = Published(C, RandomStart(1000, seed), kNonNegative);
    EXPECT_EQ(cloak.delta, 0) << seed;
    EXPECT_EQ(cloak.NoiseCovariance(budget_).norm(), 0) << seed;
    EXPECT_EQ(Mu(C, cloak.NoiseCovariance(budget_)), kInfinity) << seed;
  }
  ExpectOursProtects(C);
  // A statistic that is zero is refused, not published.
  EXPECT_THROW(
      GaussianMechanism(Matrix::Zero(1, 1000), OutputBounds(0, 1), budget_),
      PrivacyFailure);
}

// Smith 2018, figure 1 and Algorithm 2 ("normalised outputs"); Smith 2021,
// section 2.1: the mean and the deviation of the outputs are taken off before,
// and put back after, without noise. With d in units of that deviation, what is
// published is mean + C (y − mean) + noise for C: the deviation cancels and the
// mean does not. Far from the data C is zero, and so is the noise.
TEST(PublishedNormalisationTest, PublishesTheExactMeanFarFromTheData) {
  constexpr Index kPeople = 287;
  constexpr double kWidth = 120;  // heights from 60 to 180
  const Budget budget(1, 0.01);
  const Vector y = Vector::NullaryExpr(
      kPeople, [](Index i) { return 121 + 30 * std::sin(double(i)); });
  Vector neighbour = y;
  neighbour(kPeople - 1) += 1;

  const ExactGp gp(Kernel::Eq(1, 25), 0.1, Vector::LinSpaced(kPeople, 0, 80),
                   Threads(1));
  const Matrix C = gp.CloakingMatrix(Matrix::Constant(1, 1, 350));
  const auto published = [&](const Vector& outputs) {
    const double mean = outputs.mean();
    const Vector centred = outputs.array() - mean;
    const double deviation = std::sqrt(centred.squaredNorm() / kPeople);
    return mean + deviation * (C * (centred / deviation))(0);
  };
  // The smallest noise for one query point: M = max_j c_j², Δ = 1.
  const double noise =
      PublishedSigma(budget) * kWidth * C.cwiseAbs().maxCoeff();
  const double moved = published(neighbour) - published(y);
  EXPECT_NEAR(moved, 1.0 / kPeople, 1e-9);
  EXPECT_GT(BestGain(budget.epsilon(), moved / noise), 0.999);

  // Between the middle of the bounds, which is public, and C (y − middle) there
  // is nothing else to publish.
  const GaussianMechanism mechanism(VolumeDesign(C, Threads(1)).R,
                                    OutputBounds(60, 180), budget);
  EXPECT_LE(SquaredDistance(mechanism, y, neighbour),
            SquaredSensitivity(mechanism));
  Vector shortest = y;
  Vector tallest = y;
  Index worst = 0;
  mechanism.R().colwise().norm().maxCoeff(&worst);
  shortest(worst) = 60;
  tallest(worst) = 180;
  EXPECT_EQ(SquaredDistance(mechanism, shortest, tallest),
            SquaredSensitivity(mechanism));
}

// All papers add normal deviates in floating point (Mironov 2012 for Laplace
// noise). Doubles from 1/2 up are multiples of 2^-53, doubles below are finer.
// So noise alone need not be a multiple, but 1 + noise always is: of noise from
// 1/2 up, because both terms are; of smaller noise, because the sum is rounded
// to one.
TEST(PublishedFloatingPointTest, DoublesTellNeighboursApartWithCertainty) {
  const auto give_away = [](double output, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    int count = 0;
    for (int i = 0; i < 20000; ++i) {
      const double multiple = std::ldexp(output + normal(generator), 53);
      count += multiple != std::floor(multiple) ? 1 : 0;
    }
    return count;
  };
  // Noise enough for ε = 5 at δ = 1e-5, were it normal; yet a quarter of the
  // releases of 0 cannot be of 1.
  EXPECT_LT(BestGain(5, 1), 1e-5);
  EXPECT_GT(give_away(0, 1), 20000 / 5);
  EXPECT_EQ(give_away(1, 2), 0);
}

TEST(PublishedFloatingPointTest, OurGridIsTheSameForEveryTable) {
  const GaussianMechanism mechanism(Matrix::Ones(1, 1), OutputBounds(0, 1),
                                    Budget(5, 1e-5));
  for (const double output : {0.0, 1.0, 1 / 3.0}) {
    Randomness random = RandomnessForTesting::Seeded(3);
    std::vector<uint64_t> last_bits(16);
    for (int i = 0; i < 20000; ++i) {
      const NoisyStatistic noisy = mechanism.Release(
          Secret<Vector>(Vector::Constant(1, output)), random);
      EXPECT_EQ(noisy.value(0),
                double(noisy.integers[0]) * mechanism.noise().step());
      ++last_bits[size_t(noisy.integers[0] & 15)];
    }
    EXPECT_GT(ChiSquarePValue(last_bits, std::vector<double>(16, 1 / 16.0)),
              kFalseAlarm);
  }
}

}  // namespace
}  // namespace cloak
