#include "cloak/privacy/unit_sensitivity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/threads.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "tests/testing/exact_integers.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;

constexpr int32_t kLargestWeight = int32_t{1} << GaussianMechanism::kWeightBits;

// Below `end`, also in the first cases, which rapidcheck would keep small.
int AnyOf(int begin, int end) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(begin, end));
}

IntegerMatrix RandomIntegers(Index rows, Index columns, int32_t largest) {
  return (static_cast<double>(largest) * Matrix::Random(rows, columns))
      .array()
      .round()
      .cast<int32_t>();
}

PrivacyUnits OneUnit(Index rows) {
  return PrivacyUnits::FromLabels(
      std::vector<std::string>(static_cast<size_t>(rows), "all"), "labels");
}

// |Σ σ_i p_i|² over the rows of a unit, σ_i = −1 where `negative` has a bit.
cpp_int SquaredSum(const IntegerMatrix& P, std::span<const Index> rows,
                   uint64_t negative) {
  cpp_int squared = 0;
  for (Index k = 0; k < P.rows(); ++k) {
    cpp_int sum = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      const cpp_int weight = P(k, rows[i]);
      sum += (negative >> i & 1) == 1 ? cpp_int(-weight) : weight;
    }
    squared += sum * sum;
  }
  return squared;
}

cpp_int BruteForce(const IntegerMatrix& P, const PrivacyUnits& units) {
  cpp_int largest = 0;
  for (Index unit = 0; unit < units.count(); ++unit) {
    const auto rows = units.Rows(unit);
    for (uint64_t code = 0; code < uint64_t{1} << rows.size(); ++code) {
      largest = std::max(largest, SquaredSum(P, rows, code));
    }
  }
  return largest;
}

RC_GTEST_PROP(UnitSensitivityTest, IsTheLargestOverUnitsAndSigns, ()) {
  std::srand(static_cast<unsigned>(AnyOf(1, 1 << 30)));
  const int columns = AnyOf(1, 25);
  const IntegerMatrix P = RandomIntegers(
      AnyOf(1, 5), columns, *rc::gen::element(1, 2, 1000, int{kLargestWeight}));
  std::vector<std::string> labels(static_cast<size_t>(columns));
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i] = Text(i % 3, std::rand() % 2);
  }
  const PrivacyUnits units = PrivacyUnits::FromLabels(labels, "labels");
  const UnitSensitivity measured = MeasureUnits(P, units);
  RC_ASSERT(measured.exact);
  RC_ASSERT(Exact(measured.squared) == BruteForce(P, units));
}

TEST(UnitSensitivityTest, UnitsOfOneOutputAreTheLongestColumn) {
  std::srand(1);
  const IntegerMatrix P = RandomIntegers(4, 50, kLargestWeight);
  const UnitSensitivity measured = MeasureUnits(P, PrivacyUnits::EachRow(50));
  EXPECT_TRUE(measured.exact);
  EXPECT_EQ(Exact(measured.squared), BruteForce(P, PrivacyUnits::EachRow(50)));
}

// Many rows, but their signs can agree: exact without enumeration.
TEST(UnitSensitivityTest, AgreeingSignsAreExactHoweverManyTheyAre) {
  std::srand(2);
  const IntegerMatrix line = RandomIntegers(1, 200, kLargestWeight);
  cpp_int sum = 0;
  for (Index i = 0; i < 200; ++i) sum += std::abs(int64_t{line(0, i)});
  UnitSensitivity measured = MeasureUnits(line, OneUnit(200));
  EXPECT_TRUE(measured.exact);
  EXPECT_EQ(Exact(measured.squared), cpp_int(sum * sum));

  // Two groups, orthogonal to each other, each with signs of its own.
  IntegerMatrix two = IntegerMatrix::Zero(2, 200);
  two.block(0, 0, 1, 120) = line.leftCols(120);
  two.block(1, 120, 1, 80) = line.rightCols(80);
  cpp_int first = 0;
  cpp_int second = 0;
  for (Index i = 0; i < 120; ++i) first += std::abs(int64_t{line(0, i)});
  for (Index i = 120; i < 200; ++i) second += std::abs(int64_t{line(0, i)});
  measured = MeasureUnits(two, OneUnit(200));
  EXPECT_TRUE(measured.exact);
  EXPECT_EQ(Exact(measured.squared), cpp_int(first * first + second * second));
}

// Nobody enumerates these; the bound must be above whatever signs are tried,
// and not far above the best of them.
TEST(UnitSensitivityTest, LargeUnitsAreBoundedFromAboveAndClosely) {
  const Threads one_thread(1);
  for (const Index columns : {40, 300, 1000}) {
    std::srand(3);
    const IntegerMatrix P = RandomIntegers(6, columns, kLargestWeight);
    const UnitSensitivity measured = MeasureUnits(P, OneUnit(columns));
    EXPECT_FALSE(measured.exact);
    double best = 0;
    for (int k = 0; k < 300; ++k) {
      // The signs of a random direction, and then those of what they sum to.
      Vector signs = Vector::Random(columns);
      for (int step = 0; step < 10; ++step) {
        signs = signs.cwiseSign();
        signs = P.cast<double>().transpose() * (P.cast<double>() * signs);
      }
      signs = signs.cwiseSign();
      best = std::max(best, (P.cast<double>() * signs).squaredNorm());
    }
    EXPECT_GE(static_cast<double>(measured.squared), best * (1 - 1e-12));
    EXPECT_LE(static_cast<double>(measured.squared), 1.57 * best);
  }
}

TEST(UnitSensitivityTest, UnitsOfOtherOutputsAreAPrivacyFailure) {
  const IntegerMatrix P = IntegerMatrix::Constant(1, 4, kLargestWeight);
  EXPECT_EQ(Exact(MeasureUnits(P, OneUnit(4)).squared), cpp_int(1) << 64);
  EXPECT_THROW(MeasureUnits(P, PrivacyUnits::EachRow(3)), PrivacyFailure);
}

// The mechanism: neighbours that differ in all outputs of a unit.

std::vector<cpp_int> Released(const GaussianMechanism& mechanism,
                              const Vector& y) {
  Randomness random = RandomnessForTesting::Seeded(1);
  std::vector<cpp_int> units;
  for (const Int128 value :
       mechanism.Release(Secret<Vector>(y), random).integers) {
    units.push_back(Exact(value));
  }
  return units;
}

cpp_int UnitDistance(const GaussianMechanism& mechanism, const Vector& y,
                     const Vector& other) {
  const std::vector<cpp_int> a = Released(mechanism, y);
  const std::vector<cpp_int> b = Released(mechanism, other);
  cpp_int squared = 0;
  for (size_t k = 0; k < a.size(); ++k)
    squared += (a[k] - b[k]) * (a[k] - b[k]);
  return squared;
}

PrivacyUnits RandomUnits(int rows) {
  std::vector<std::string> labels(static_cast<size_t>(rows));
  for (std::string& label : labels) label = Text(std::rand() % 5);
  return PrivacyUnits::FromLabels(labels, "labels");
}

RC_GTEST_PROP(UnitMechanismTest, TheWorstNeighbourAttainsTheSensitivity, ()) {
  std::srand(static_cast<unsigned>(AnyOf(1, 1 << 30)));
  const int rows = AnyOf(1, 16);
  const Matrix R = Matrix::Random(AnyOf(1, 4), rows);
  const PrivacyUnits units = RandomUnits(rows);
  const OutputBounds bounds(60, 180);
  const GaussianMechanism mechanism(R, units, bounds, Budget(1, 1e-5));
  RC_ASSERT(mechanism.sensitivity_is_exact());
  cpp_int largest = 0;
  for (Index unit = 0; unit < units.count(); ++unit) {
    const auto members = units.Rows(unit);
    for (uint64_t code = 0; code < uint64_t{1} << members.size(); ++code) {
      Vector y = Vector::Constant(rows, 100);
      Vector other = y;
      for (size_t i = 0; i < members.size(); ++i) {
        const bool up = (code >> i & 1) == 1;
        y(members[i]) = up ? bounds.lower() : bounds.upper();
        other(members[i]) = up ? bounds.upper() : bounds.lower();
      }
      largest = std::max(largest, UnitDistance(mechanism, y, other));
    }
  }
  RC_ASSERT(largest == Exact(mechanism.noise().sensitivity_squared()));
}

RC_GTEST_PROP(UnitMechanismTest, NoNeighbourIsFartherThanTheSensitivity, ()) {
  std::srand(static_cast<unsigned>(AnyOf(1, 1 << 30)));
  const int rows = AnyOf(1, 60);
  const Matrix R = Matrix::Random(AnyOf(1, 5), rows);
  const PrivacyUnits units = RandomUnits(rows);
  const GaussianMechanism mechanism(R, units, OutputBounds(-1, 1),
                                    Budget(1, 1e-5));
  // Outputs of one unit move anywhere, also beyond the bounds.
  const Vector y = 1.5 * Vector::Random(rows);
  for (Index unit = 0; unit < units.count(); ++unit) {
    Vector other = y;
    for (const Index i : units.Rows(unit))
      other(i) = 3.0 * std::rand() / RAND_MAX - 1.5;
    RC_ASSERT(UnitDistance(mechanism, y, other) <=
              Exact(mechanism.noise().sensitivity_squared()));
  }
}

TEST(UnitMechanismTest, UnitsOfOneRowChangeNothing) {
  std::srand(4);
  const Matrix R = Matrix::Random(3, 30);
  const OutputBounds bounds(0, 10);
  const GaussianMechanism plain(R, bounds, Budget(1, 1e-5));
  const GaussianMechanism each(R, PrivacyUnits::EachRow(30), bounds,
                               Budget(1, 1e-5));
  EXPECT_TRUE(plain.sensitivity_is_exact());
  EXPECT_EQ(plain.R(), each.R());
  EXPECT_EQ(DecimalText(plain.noise().scale()),
            DecimalText(each.noise().scale()));
  const Vector y = Vector::Random(30);
  EXPECT_EQ(Released(plain, y), Released(each, y));
}

TEST(UnitMechanismTest, AUnitOfHundredThousandRowsStillFits) {
  const Index rows = 100000;
  const Matrix R = Matrix::Constant(1, rows, 0.7);
  const GaussianMechanism mechanism(R, OneUnit(rows), OutputBounds(0, 1),
                                    Budget(1, 1e-5));
  EXPECT_NEAR(mechanism.noise().sensitivity(), 70000, 1);
  EXPECT_GE(mechanism.noise().sensitivity(), mechanism.R().sum() * (1 - 1e-12));
  const cpp_int moved =
      UnitDistance(mechanism, Vector::Zero(rows), Vector::Ones(rows));
  EXPECT_LE(moved, Exact(mechanism.noise().sensitivity_squared()));
}

TEST(UnitMechanismTest, UnitsOfOtherOutputsAreRefused) {
  EXPECT_THROW(GaussianMechanism(Matrix::Ones(2, 3), PrivacyUnits::EachRow(4),
                                 OutputBounds(0, 1), Budget(1, 1e-5)),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
