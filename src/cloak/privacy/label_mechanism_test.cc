#include "cloak/privacy/label_mechanism.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "cloak/base/error.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "tests/testing/any_number.h"
#include "tests/testing/exact_integers.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;

NoisyLabels ReleaseLabels(const LabelMechanism& mechanism, const Vector& labels,
                          uint64_t seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  return mechanism.Release(Secret<Vector>(labels), random);
}

// The same seed leaves the same noise, which cancels.
cpp_int LabelDistance(const LabelMechanism& mechanism, const Vector& labels,
                      const Vector& other) {
  return SquaredDistance(ReleaseLabels(mechanism, labels, 1).integers,
                         ReleaseLabels(mechanism, other, 1).integers);
}

Matrix AnyLabelWeights(Index columns) {
  Matrix R(*rc::gen::inRange(1, 5), columns);
  for (double& weight : R.reshaped()) {
    weight = *rc::gen::inRange(0, 6) == 0 ? 0 : Uniform(-1, 1);
  }
  R(0, 0) = 0.7;
  return R;
}

// Labels, and what could stand in their place.
double AnyLabel(Index classes) {
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return std::numeric_limits<double>::quiet_NaN();
    case 1:
      return -std::numeric_limits<double>::infinity();
    case 2:
      return 1e300;
    case 3:
      return Uniform(-1, static_cast<double>(classes));
    default:
      return static_cast<double>(*rc::gen::inRange<Index>(0, classes));
  }
}

RC_GTEST_PROP(LabelMechanism, NeighboursAreNeverFartherThanTheSensitivity, ()) {
  const Index rows = *rc::gen::inRange(1, 10);
  const Index classes = *rc::gen::inRange(2, 6);
  std::vector<std::string> names(static_cast<size_t>(rows));
  for (std::string& name : names) name = *rc::gen::element("a", "b", "c", "d");
  const PrivacyUnits units = *rc::gen::arbitrary<bool>()
                                 ? PrivacyUnits::EachRow(rows)
                                 : PrivacyUnits::FromLabels(names, "names");
  const Budget budget(std::exp(Uniform(-3, 3)), std::exp(Uniform(-20, -1)));
  const LabelMechanism mechanism(AnyLabelWeights(rows), classes, units, budget);

  Vector labels(rows);
  for (double& label : labels) label = AnyLabel(classes);
  Vector other = labels;
  for (const Index row :
       units.Rows(*rc::gen::inRange<Index>(0, units.count()))) {
    other(row) = AnyLabel(classes);
  }
  RC_ASSERT(LabelDistance(mechanism, labels, other) <=
            Exact(mechanism.noise().sensitivity_squared()));
  // s >= sigma Delta, in exact integers times a double.
  const double sigma = GaussianSigma(budget);
  RC_ASSERT(static_cast<long double>(mechanism.noise().scale()) >=
            static_cast<long double>(sigma) *
                std::sqrt(static_cast<long double>(
                    mechanism.noise().sensitivity_squared())) *
                (1 - 1e-15L));
}

TEST(LabelMechanism, TheWorstNeighbourAttainsTheSensitivity) {
  const Matrix R = (Matrix(2, 3) << 0.5, -1, 0.25, 0.5, 0.75, 0).finished();
  for (const Index classes : {2, 3, 7}) {
    const LabelMechanism mechanism(R, classes, PrivacyUnits::EachRow(3),
                                   Budget(1, 0.01));
    const Vector labels = Vector::Zero(3);
    Vector other = labels;
    other(1) = 1;
    EXPECT_EQ(LabelDistance(mechanism, labels, other),
              Exact(mechanism.noise().sensitivity_squared()));
    EXPECT_NEAR(mechanism.noise().sensitivity(), std::sqrt(2) * 1.25, 1e-8);
  }
  // Two rows of one person that pull against each other do so with opposite
  // changes.
  const LabelMechanism person(
      R, 3, PrivacyUnits::FromLabels({"p", "p", "q"}, ""), Budget(1, 0.01));
  EXPECT_EQ(LabelDistance(person, (Vector(3) << 0, 1, 2).finished(),
                          (Vector(3) << 1, 0, 2).finished()),
            Exact(person.noise().sensitivity_squared()));
}

TEST(LabelMechanism, PublishesSumsOfTheWeightsOfEachClassPlusNoise) {
  const Matrix R =
      (Matrix(2, 4) << 0.5, -1, 0.25, 1, 0.5, 0.75, 0, 1).finished();
  const LabelMechanism mechanism(R, 3, PrivacyUnits::EachRow(4),
                                 Budget(1, 0.01));
  const Vector labels = (Vector(4) << 2, 0, 2, 1).finished();
  const NoisyLabels with = ReleaseLabels(mechanism, labels, 7);
  const NoisyLabels without = ReleaseLabels(mechanism, Vector::Zero(4), 7);
  Matrix expected = Matrix::Zero(2, 3);
  for (Index i = 0; i < 4; ++i) {
    expected.col(static_cast<Index>(labels(i))) += R.col(i);
    expected.col(0) -= R.col(i);
  }
  EXPECT_LT((with.value - without.value - expected).norm(), 1e-8);

  double squared = 0;
  const int draws = 3000;
  for (int seed = 0; seed < draws; ++seed) {
    const NoisyLabels noisy =
        ReleaseLabels(mechanism, labels, static_cast<uint64_t>(seed));
    squared += (noisy.value(1, 2) - 0.5) * (noisy.value(1, 2) - 0.5);
  }
  EXPECT_NEAR(std::sqrt(squared / draws) / mechanism.noise().sd(), 1, 0.065);
}

TEST(LabelMechanism, LargeUnitsAreBoundedByTheirNorms) {
  const Index rows = 600;
  const Matrix R = Matrix::Ones(1, rows) / 600.0;
  const LabelMechanism mechanism(
      R, 2, PrivacyUnits::FromLabels(std::vector<std::string>(600, "one"), ""),
      Budget(1, 0.01));
  EXPECT_NEAR(mechanism.noise().sensitivity(), std::sqrt(2), 1e-4);
  EXPECT_EQ(LabelDistance(mechanism, Vector::Zero(rows), Vector::Ones(rows)),
            Exact(mechanism.noise().sensitivity_squared()));
}

TEST(LabelMechanism, FailsClosed) {
  const Budget budget(1, 0.01);
  const PrivacyUnits one = PrivacyUnits::EachRow(1);
  const Matrix R = Matrix::Ones(1, 1);
  EXPECT_THROW(LabelMechanism(R, 1, one, budget), InvalidInput);
  EXPECT_THROW(LabelMechanism(R, 1001, one, budget), InvalidInput);
  EXPECT_THROW(LabelMechanism(0 * R, 2, one, budget), PrivacyFailure);
  EXPECT_THROW(LabelMechanism(R / 0.0, 2, one, budget), PrivacyFailure);
  EXPECT_THROW(LabelMechanism(R, 2, PrivacyUnits::EachRow(2), budget),
               InvalidInput);
  const LabelMechanism mechanism(R, 2, one, budget);
  EXPECT_THROW(ReleaseLabels(mechanism, Vector::Zero(2), 1), InvalidInput);
}

}  // namespace
}  // namespace cloak
