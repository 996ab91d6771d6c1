#include "cloak/privacy/gaussian_mechanism.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/mechanism_key.h"
#include "tests/testing/any_number.h"
#include "tests/testing/exact_integers.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr double kLargestDouble = std::numeric_limits<double>::max();

static_assert(!std::is_default_constructible_v<MechanismKey>);
static_assert(!std::is_aggregate_v<MechanismKey>);
static_assert(!std::is_copy_constructible_v<MechanismKey>);

NoisyStatistic ReleaseStatistic(const GaussianMechanism& mechanism,
                                const Vector& y, uint64_t seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  return mechanism.Release(Secret<Vector>(y), random);
}

// |t - t'|^2 in exact integers: with the same seed the noise is the same, and
// cancels.
cpp_int StatisticDistance(const GaussianMechanism& mechanism, const Vector& y,
                          const Vector& other) {
  return SquaredDistance(ReleaseStatistic(mechanism, y, 1).integers,
                         ReleaseStatistic(mechanism, other, 1).integers);
}

// Any double that is likely to break something.
double AnyWeight() {
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return 0;
    case 1:
      return std::ldexp(Uniform(-1, 1), *rc::gen::inRange(-1080, 300));
    case 2:
      return std::ldexp(1.0, -*rc::gen::inRange(0, 40));
    case 3:
      return 5e-324;
    default:
      return Uniform(-1, 1);
  }
}

Matrix AnyWeights() {
  const int rows = *rc::gen::inRange(1, 6);
  const int columns = *rc::gen::inRange(1, 8);
  Matrix R(rows, columns);
  for (double& weight : R.reshaped()) weight = AnyWeight();
  if (*rc::gen::arbitrary<bool>()) R.col(columns - 1).setZero();
  if (*rc::gen::arbitrary<bool>()) R.row(rows - 1) = R.row(0);
  R(0, 0) = Uniform(0.5, 1);
  const int shift = *rc::gen::element(-1100, -400, -30, 0, 0, 0, 30, 400, 1000);
  return R.unaryExpr([=](double weight) { return std::ldexp(weight, shift); });
}

OutputBounds AnyOutputBounds() {
  const double scale =
      std::ldexp(1.0, *rc::gen::element(-200, -20, 0, 0, 0, 20, 200));
  const double lower = Uniform(-1, 1);
  return *rc::gen::arbitrary<bool>()
             ? OutputBounds(scale * lower, scale * (lower + Uniform(0.1, 3)))
             // Where there is no double in the middle.
             : OutputBounds(scale, std::nextafter(scale, kInfinity));
}

double AnyOutput(const OutputBounds& bounds) {
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
      return kInfinity;
    case 1:
      return -kInfinity;
    case 2:
      return kNan;
    case 3:
      return kLargestDouble;
    case 4:
      return bounds.lower();
    case 5:
      return bounds.upper();
    case 6:
      return bounds.lower() - Uniform(0, 2) * bounds.width();
    default:
      return bounds.lower() + Uniform(0, 1) * bounds.width();
  }
}

// Nothing when it is refused, which is safe.
std::optional<GaussianMechanism> AnyGaussian() {
  const Matrix R = AnyWeights();
  const OutputBounds bounds = AnyOutputBounds();
  try {
    return GaussianMechanism(R, bounds, Budget(1, 1e-5));
  } catch (const InvalidInput&) {
    RC_TAG("too large or small for doubles");
  } catch (const PrivacyFailure&) {
    RC_ASSERT(!R.allFinite() || R.isZero(0));
    RC_TAG("not finite or zero");
  }
  return std::nullopt;
}

RC_GTEST_PROP(GaussianMechanismTest,
              OneOutputMovedAnywhereStaysWithinTheSensitivity, ()) {
  const std::optional<GaussianMechanism> mechanism = AnyGaussian();
  if (!mechanism) return;
  Vector y(mechanism->R().cols());
  for (double& output : y) output = AnyOutput(mechanism->bounds());
  Vector other = y;
  other(*rc::gen::inRange<Index>(0, y.size())) = AnyOutput(mechanism->bounds());
  RC_ASSERT(StatisticDistance(*mechanism, y, other) <=
            Exact(mechanism->noise().sensitivity_squared()));
}

RC_GTEST_PROP(GaussianMechanismTest, TheWorstNeighbourAttainsTheSensitivity,
              ()) {
  const std::optional<GaussianMechanism> mechanism = AnyGaussian();
  if (!mechanism) return;
  const Index columns = mechanism->R().cols();
  const Vector y = Vector::Constant(columns, mechanism->bounds().lower());
  cpp_int largest = 0;
  for (Index i = 0; i < columns; ++i) {
    Vector other = y;
    other(i) = mechanism->bounds().upper();
    largest = std::max(largest, StatisticDistance(*mechanism, y, other));
  }
  RC_ASSERT(largest == Exact(mechanism->noise().sensitivity_squared()));
}

RC_GTEST_PROP(GaussianMechanismTest,
              TheNoiseScaleIsAtLeastSigmaTimesTheSensitivity, ()) {
  const std::optional<GaussianMechanism> mechanism = AnyGaussian();
  if (!mechanism) return;
  const cpp_rational sigma(GaussianSigma(mechanism->budget()));
  const cpp_int units = Exact(mechanism->noise().scale());
  const cpp_int squared = Exact(mechanism->noise().sensitivity_squared());
  RC_ASSERT(cpp_rational(units * units) >=
            sigma * sigma * cpp_rational(squared));
  // And mu and sensitivity, which are reported, are not too small.
  const cpp_rational mu(mechanism->noise().mu());
  RC_ASSERT(mu * mu * cpp_rational(units * units) >= cpp_rational(squared));
  const cpp_rational unit(mechanism->noise().step());
  const cpp_rational sensitivity(mechanism->noise().sensitivity());
  RC_ASSERT(sensitivity * sensitivity >= cpp_rational(squared) * unit * unit);
}

RC_GTEST_PROP(GaussianMechanismTest, TheStatisticReleasedIsTheOneReported, ()) {
  const std::optional<GaussianMechanism> mechanism = AnyGaussian();
  if (!mechanism) return;
  // q moves from -2^19 to 2^19, so units move by 2^20 P exactly, and R() is P
  // in the step of the weights, step()/d 2^20.
  const OutputBounds& bounds = mechanism->bounds();
  const Index columns = mechanism->R().cols();
  Vector y = Vector::Constant(columns, bounds.middle());
  const Index i = *rc::gen::inRange<Index>(0, columns);
  y(i) = bounds.lower();
  const NoisyStatistic low = ReleaseStatistic(*mechanism, y, 2);
  y(i) = bounds.upper();
  const NoisyStatistic high = ReleaseStatistic(*mechanism, y, 2);
  for (Index k = 0; k < mechanism->R().rows(); ++k) {
    const auto row = static_cast<size_t>(k);
    const cpp_int moved = Exact(high.integers[row]) - Exact(low.integers[row]);
    RC_ASSERT(cpp_rational(moved) * cpp_rational(mechanism->noise().step()) ==
              cpp_rational(mechanism->R()(k, i)) *
                  cpp_rational(bounds.width()));
  }
}

TEST(GaussianMechanismTest, TheWeightsAreKeptToNineDigits) {
  const Matrix R = Matrix::Random(5, 50);
  const GaussianMechanism mechanism(R, OutputBounds(60, 180), Budget(1, 1e-5));
  EXPECT_LE((mechanism.R() - R).cwiseAbs().maxCoeff(),
            R.colwise().norm().maxCoeff() * 0x1p-30);
  EXPECT_NEAR(mechanism.noise().sensitivity(),
              120 * R.colwise().norm().maxCoeff(), 1e-6);
  EXPECT_NEAR(mechanism.noise().sd(),
              GaussianSigma(Budget(1, 1e-5)) * mechanism.noise().sensitivity(),
              1e-6);
  EXPECT_NEAR(mechanism.noise().mu(), 1 / GaussianSigma(Budget(1, 1e-5)),
              1e-12);
}

TEST(GaussianMechanismTest, ReleaseIsTheStatisticOfCentredOutputsPlusNoise) {
  // More outputs than products fit in 64 bits, and noise that is small.
  const Index n = 20000;
  const Matrix R = Matrix::Random(3, n);
  const GaussianMechanism mechanism(R, OutputBounds(-3, 5), Budget(1e6, 0.5));
  const Vector y = (4 * Vector::Random(n)).array() + 1;
  const NoisyStatistic noisy = ReleaseStatistic(mechanism, y, 3);
  const Vector exact = mechanism.R() * (y.array() - 1).matrix();
  EXPECT_EQ(noisy.noise_sd, mechanism.noise().sd());
  EXPECT_LT((noisy.value - exact).cwiseAbs().maxCoeff(),
            6 * noisy.noise_sd + std::sqrt(n) * 8 * 0x1p-20);
  for (Index k = 0; k < 3; ++k) {
    const auto units = static_cast<double>(noisy.integers[size_t(k)]);
    EXPECT_EQ(noisy.value(k), units * mechanism.noise().step());
  }
}

// Every pair of values of one output, on a grid that has the worst: the change
// of sums and squares together stays within what is declared, and reaches it.
TEST(GaussianMechanismTest, SquaresAreWithinTheSensitivityDeclared) {
  Matrix R(2, 3);
  R << 0.6, 1, 0.1, 0.8, 0, -0.2;
  const OutputBounds bounds(-3, 5);
  const Budget budget(1, 1e-5);
  const PrivacyUnits each = PrivacyUnits::EachRow(3);
  const GaussianMechanism mechanism(R, each, bounds, budget, 0, true);
  const GaussianMechanism without(R, each, bounds, budget);
  ASSERT_TRUE(mechanism.with_squares());
  EXPECT_FALSE(without.with_squares());
  cpp_int most = 0;
  for (const Index i : {Index{0}, Index{1}, Index{2}}) {
    std::vector<NoisyStatistic> released;
    Vector outputs{{1, -1.3, 4}};
    for (double y = -3; y <= 5; y += 0.0625) {
      outputs(i) = y;
      released.push_back(ReleaseStatistic(mechanism, outputs, 3));
    }
    outputs(i) = kNan;
    released.push_back(ReleaseStatistic(mechanism, outputs, 3));
    for (const NoisyStatistic& a : released) {
      for (const NoisyStatistic& b : released) {
        cpp_int moved = 0;
        for (size_t k = 0; k < 2; ++k) {
          const cpp_int change = Exact(a.integers[k]) - Exact(b.integers[k]);
          moved += change * change;
        }
        const cpp_int change =
            Exact(a.squares_integer) - Exact(b.squares_integer);
        moved += change * change;
        const cpp_int present =
            Exact(a.present_integer) - Exact(b.present_integer);
        moved += present * present;
        most = std::max(most, moved);
      }
    }
  }
  EXPECT_LE(most, Exact(mechanism.noise().sensitivity_squared()));
  EXPECT_EQ(most, Exact(without.noise().sensitivity_squared()));
  // Free, up to rounding.
  EXPECT_LT(mechanism.noise().sensitivity(),
            (1 + 1e-5) * without.noise().sensitivity());
}

TEST(GaussianMechanismTest, SquaresOfUnitsAreWithinTheSensitivityDeclared) {
  const Matrix R = Matrix::Ones(1, 3);
  const PrivacyUnits units = PrivacyUnits::FromLabels({"a", "a", "b"}, "units");
  const GaussianMechanism mechanism(R, units, OutputBounds(-1, 1),
                                    Budget(1, 1e-5), 0, true);
  // Both from 0 to 1: the sums move by half of what they can, the squares by
  // all. Both from -1 to 1: the other way round.
  for (const double from : {0.0, -1.0}) {
    const NoisyStatistic a =
        ReleaseStatistic(mechanism, Vector{{from, from, 0.5}}, 3);
    const NoisyStatistic b =
        ReleaseStatistic(mechanism, Vector{{1, 1, 0.5}}, 3);
    const cpp_int sum = Exact(a.integers[0]) - Exact(b.integers[0]);
    const cpp_int squares = Exact(a.squares_integer) - Exact(b.squares_integer);
    EXPECT_LE(sum * sum + squares * squares,
              Exact(mechanism.noise().sensitivity_squared()));
    EXPECT_EQ(squares != 0, from == 0);
  }
}

// Whatever the weights, the units and the outputs are, sums and squares
// together.
RC_GTEST_PROP(GaussianMechanismTest,
              OneUnitMovedAnywhereStaysWithinTheSensitivityOfSquaresToo, ()) {
  const Matrix R = AnyWeights();
  const OutputBounds bounds = AnyOutputBounds();
  std::vector<std::string> labels(static_cast<size_t>(R.cols()));
  const int persons = *rc::gen::inRange(1, 6);
  for (std::string& label : labels) {
    label = std::to_string(*rc::gen::inRange(0, persons));
  }
  const PrivacyUnits units = *rc::gen::arbitrary<bool>()
                                 ? PrivacyUnits::FromLabels(labels, "person")
                                 : PrivacyUnits::EachRow(R.cols());
  std::optional<GaussianMechanism> mechanism;
  try {
    mechanism.emplace(R, units, bounds, Budget(1, 1e-5), 0, true);
  } catch (const Error&) {
    RC_DISCARD("zero, or beyond doubles");
  }
  Vector y(R.cols());
  for (double& output : y) output = AnyOutput(bounds);
  Vector neighbour = y;
  for (const Index changed :
       units.Rows(*rc::gen::inRange<Index>(0, units.count()))) {
    neighbour(changed) = AnyOutput(bounds);
  }
  const NoisyStatistic a = ReleaseStatistic(*mechanism, y, 3);
  const NoisyStatistic b = ReleaseStatistic(*mechanism, neighbour, 3);
  const cpp_int squares = Exact(a.squares_integer) - Exact(b.squares_integer);
  const cpp_int present = Exact(a.present_integer) - Exact(b.present_integer);
  cpp_int moved = squares * squares + present * present;
  for (size_t k = 0; k < a.integers.size(); ++k) {
    const cpp_int change = Exact(a.integers[k]) - Exact(b.integers[k]);
    moved += change * change;
  }
  RC_ASSERT(moved <= Exact(mechanism->noise().sensitivity_squared()));
}

TEST(GaussianMechanismTest, SquaresAreThoseOfTheOutputsPlusNoise) {
  constexpr Index kRows = 1 << 16;
  const Vector y = Vector::LinSpaced(kRows, -4, 6);
  const Matrix R = Matrix::Ones(1, kRows);
  const GaussianMechanism mechanism(R, PrivacyUnits::EachRow(kRows),
                                    OutputBounds(-3, 5), Budget(1, 1e-5), 0,
                                    true);
  const NoisyStatistic noisy = ReleaseStatistic(mechanism, y, 1);
  const double expected = ((y.array() - 1) / 4).max(-1).min(1).square().sum();
  EXPECT_NEAR(noisy.squares, expected, 5 * noisy.squares_noise_sd + 1);
  // W^2 = 2.5 K^2 makes it so.
  EXPECT_NEAR(noisy.squares_noise_sd * 4 * std::sqrt(2.5) / noisy.noise_sd, 1,
              1e-4);
}

TEST(GaussianMechanismTest, AMissingOutputAddsNothingToTheStatistic) {
  const GaussianMechanism mechanism(Matrix::Identity(1, 1),
                                    OutputBounds(60, 180), Budget(1, 1e-5));
  const NoisyStatistic missing =
      ReleaseStatistic(mechanism, Vector::Constant(1, kNan), 3);
  const NoisyStatistic middle =
      ReleaseStatistic(mechanism, Vector::Constant(1, 120), 3);
  EXPECT_EQ(missing.integers, middle.integers);
  EXPECT_EQ(middle.present_integer - missing.present_integer,
            Int128{mechanism.present_weights()[0]});
}

// How many outputs are missing costs nothing: from a bound to nothing is as far
// as from one bound to the other, at most, and that is nearly attained.
TEST(GaussianMechanismTest, TheShareOfMissingOutputsIsFree) {
  for (const bool with_squares : {false, true}) {
    const GaussianMechanism mechanism(
        Matrix::Identity(3, 3), PrivacyUnits::EachRow(3), OutputBounds(-1, 1),
        Budget(1, 1e-5), 0, with_squares);
    const NoisyStatistic a =
        ReleaseStatistic(mechanism, Vector{{1, 0.3, 0.2}}, 3);
    const NoisyStatistic b =
        ReleaseStatistic(mechanism, Vector{{kNan, 0.3, 0.2}}, 3);
    const cpp_int sum = Exact(a.integers[0]) - Exact(b.integers[0]);
    const cpp_int present = Exact(a.present_integer) - Exact(b.present_integer);
    const cpp_int squares = Exact(a.squares_integer) - Exact(b.squares_integer);
    const cpp_int moved = sum * sum + present * present + squares * squares;
    const cpp_int allowed = Exact(mechanism.noise().sensitivity_squared());
    EXPECT_LE(moved, allowed);
    EXPECT_GE(1001 * moved, 1000 * allowed);
    EXPECT_NEAR(a.present - b.present, 1.0 / 3, 1e-9);
  }
}

// The outputs of a unit go missing together.
TEST(GaussianMechanismTest, UnitsWithMissingOutputsStayWithinTheSensitivity) {
  const Matrix R{{1, 0.5, -1, 0.2}, {0, 0.5, 0.1, 0.9}};
  const PrivacyUnits units =
      PrivacyUnits::FromLabels({"a", "a", "a", "b"}, "units");
  const GaussianMechanism mechanism(R, units, OutputBounds(-1, 1),
                                    Budget(1, 1e-5));
  const cpp_int allowed = Exact(mechanism.noise().sensitivity_squared());
  const double values[] = {-1, 1, kNan};
  std::vector<NoisyStatistic> all;
  for (int code = 0; code < 27; ++code) {
    all.push_back(ReleaseStatistic(
        mechanism,
        Vector{{values[code % 3], values[code / 3 % 3], values[code / 9], 0}},
        3));
  }
  for (const NoisyStatistic& a : all) {
    for (const NoisyStatistic& b : all) {
      const cpp_int present =
          Exact(a.present_integer) - Exact(b.present_integer);
      cpp_int moved = present * present;
      for (size_t k = 0; k < 2; ++k) {
        const cpp_int change = Exact(a.integers[k]) - Exact(b.integers[k]);
        moved += change * change;
      }
      EXPECT_LE(moved, allowed);
    }
  }
}

TEST(GaussianMechanismTest, TheShareOfOutputsThatAreThereIsPublishedWithNoise) {
  constexpr Index kRows = 1 << 16;
  Vector y = Vector::LinSpaced(kRows, -4, 6);
  y.head(kRows / 4).setConstant(kNan);
  const GaussianMechanism mechanism(Matrix::Ones(1, kRows), OutputBounds(-3, 5),
                                    Budget(1, 1e-5));
  const NoisyStatistic noisy = ReleaseStatistic(mechanism, y, 1);
  EXPECT_NEAR(noisy.present, 0.75, 5 * noisy.present_noise_sd);
  EXPECT_LT(noisy.present_noise_sd, 1e-3);
}

TEST(GaussianMechanismTest, AnotherNumberOfOutputsIsRefused) {
  const GaussianMechanism mechanism(Matrix::Ones(2, 3), OutputBounds(0, 1),
                                    Budget(1, 1e-5));
  EXPECT_THROW(ReleaseStatistic(mechanism, Vector::Zero(2), 1), InvalidInput);
  EXPECT_THROW(ReleaseStatistic(mechanism, Vector::Zero(4), 1), InvalidInput);
}

GaussianMechanism MechanismOf(const Matrix& R) {
  return GaussianMechanism(R, OutputBounds(0, 1), Budget(1, 1e-5));
}

TEST(GaussianMechanismTest, WeightsThatAreNotFiniteAreAPrivacyFailure) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    Matrix R = Matrix::Ones(2, 3);
    R(1, 2) = bad;
    EXPECT_THROW(MechanismOf(R), PrivacyFailure) << bad;
  }
}

TEST(GaussianMechanismTest, AnEmptyStatisticIsRefused) {
  EXPECT_THROW(MechanismOf(Matrix(0, 3)), InvalidInput);
  EXPECT_THROW(MechanismOf(Matrix(3, 0)), InvalidInput);
}

TEST(GaussianMechanismTest, NoiseThatWouldOverflowIsAPrivacyFailure) {
  EXPECT_THROW(GaussianMechanism(Matrix::Ones(1, 1), OutputBounds(0, 1),
                                 Budget(1e-200, 1e-200)),
               PrivacyFailure);
}

TEST(GaussianMechanismTest, StatisticsBeyondDoublesAreRefused) {
  EXPECT_THROW(MechanismOf(Matrix::Constant(1, 1, kLargestDouble)),
               InvalidInput);
  EXPECT_THROW(MechanismOf(Matrix::Constant(1, 1, 5e-324)), InvalidInput);
}

TEST(GaussianMechanismTest, AllWeightsOfAPapersDesignAtZeroAreRefused) {
  // Smith 2018, Algorithm 2: noise of covariance M = sum lambda_j c_j c_j^T,
  // times Delta = max c_j^T M^+ c_j. When every lambda steps to zero, M = 0
  // and Delta = 0: the exact mean is released.
  const Matrix C = Matrix::Random(3, 5);
  const Vector lambda = Vector::Zero(5);
  const Matrix M = C * lambda.asDiagonal() * C.transpose();
  const Matrix pseudo_inverse = Matrix::Zero(3, 3);
  EXPECT_EQ((C.transpose() * pseudo_inverse * C).diagonal().maxCoeff(), 0);
  EXPECT_TRUE(M.isZero(0));
  // In whitened coordinates it is the release of M^(+1/2) C.
  EXPECT_THROW(MechanismOf(pseudo_inverse * C), PrivacyFailure);
}

}  // namespace
}  // namespace cloak
