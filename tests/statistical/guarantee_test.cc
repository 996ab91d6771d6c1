// The guarantee from end to end: whatever the inputs, kernel, method, design,
// units, budget and neighbours, what leaves the mechanism moves by no more than
// the sensitivity that its noise was made for, and the noise is enough for
// that. Freezing the noise makes the movement exact: the same random bits on
// two neighbouring tables leave the same noise, which cancels in the
// difference.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "cloak/privacy/integer128.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using Real = boost::multiprecision::cpp_bin_float_100;

// δ of a Gaussian mechanism with noise σ times its sensitivity (Balle and
// Wang 2018), in 100 digits.
Real Delta(const Real& epsilon, const Real& sigma) {
  const auto normal = [](const Real& x) -> Real {
    return boost::math::erfc(Real(-x / sqrt(Real(2)))) / 2;
  };
  return normal(1 / (2 * sigma) - epsilon * sigma) -
         exp(epsilon) * normal(-1 / (2 * sigma) - epsilon * sigma);
}

double Pick(double low, double high) {
  return low + (high - low) * *rc::gen::inRange(0, 1000001) / 1e6;
}

Kernel RandomKernel() {
  const std::string name = *rc::gen::element<std::string>(
      "eq", "matern12", "matern32", "matern52", "rq", "periodic");
  const double lengthscale = std::exp(Pick(-2, 2));
  return Kernel::Bias(std::exp(Pick(-2, 2))) +
         Kernel::Parse(name + "(lengthscale=" + std::to_string(lengthscale) +
                       ")");
}

struct Scenario {
  Matrix X;
  Vector y;
  RegressionOptions options;
};

Scenario RandomScenario(double lower, double upper) {
  const Index n = *rc::gen::inRange(1, 40);
  const Index dimension = *rc::gen::inRange(1, 3);
  Scenario scenario;
  scenario.X = Matrix::NullaryExpr(n, dimension, [] { return Pick(-3, 3); });
  scenario.y = Vector::NullaryExpr(n, [&] { return Pick(lower, upper); });
  RegressionOptions& options = scenario.options;
  options.output_name = "y";
  for (Index j = 0; j < dimension; ++j) {
    options.input_names.push_back(Text("x", j));
  }
  options.design =
      *rc::gen::element(RegressionOptions::kBayes, RegressionOptions::kVolume,
                        RegressionOptions::kTrace);
  if (options.design != RegressionOptions::kBayes &&
      *rc::gen::arbitrary<bool>()) {
    options.method = *rc::gen::element(RegressionOptions::kCloaking,
                                       RegressionOptions::kSparseCloaking,
                                       RegressionOptions::kPolynomial);
    options.inducing = {1};
    options.degree = 0;
    options.published_noise = *rc::gen::arbitrary<bool>();
    options.query_points = Matrix::NullaryExpr(
        *rc::gen::inRange(1, 8), dimension, [] { return Pick(-3, 3); });
  }
  if (*rc::gen::inRange(0, 8) == 0) {
    options.method = RegressionOptions::kFunctional;
    options.design.reset();
    options.query_points.reset();
  }
  if (*rc::gen::arbitrary<bool>()) {
    // Persons with one row or with several, in any order.
    const int persons = *rc::gen::inRange(1, 12);
    std::vector<std::string> labels(static_cast<size_t>(n));
    for (std::string& label : labels) {
      label = Text(*rc::gen::inRange(0, persons));
    }
    options.units = PrivacyUnits::FromLabels(labels, "person");
    options.unit_name = "person";
  }
  if (options.method != RegressionOptions::kPolynomial) {
    options.kernel = RandomKernel();
  }
  // Where it is to be learned, squares are released too, in rounds.
  if (options.method != RegressionOptions::kOptimal ||
      *rc::gen::inRange(0, 3) > 0) {
    options.noise_variance = std::exp(Pick(-3, 2));
  }
  return scenario;
}

// Anything a cell could hold, bounds and beyond.
double RandomOutput(double lower, double upper) {
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return lower;
    case 1:
      return upper;
    case 2:
      return std::numeric_limits<double>::infinity();
    case 3:
      return -1e300;
    default:
      return Pick(lower, upper);
  }
}

// What is published first: what comes after it is chosen by it, and so differs
// between neighbours for reasons that are public.
struct Published {
  std::vector<Int128> integers;  // of squares too, which have the same noise
  double unit = 0;               // of the sums
};

Published FirstOf(const RegressionPlan& plan, const Release& release) {
  std::vector<ReleasedStatistic> all = release.content().earlier_statistics;
  all.push_back(release.content().statistic);
  // Squares stand before the sums that they were released with.
  const size_t sums = plan.mechanism()->with_squares() ? 1 : 0;
  Published first{{}, all[sums].step};
  for (size_t j = 0; j <= sums; ++j) {
    for (const std::string& text : all[j].integers) {
      first.integers.push_back(ParseInt128(text, "a unit of the statistic"));
    }
  }
  return first;
}

std::vector<Int128> Replay(const RegressionPlan& plan, const Vector& y,
                           uint64_t seed) {
  Randomness randomness = RandomnessForTesting::Seeded(seed);
  return FirstOf(plan, plan.Execute(Secret<Vector>(y), randomness)).integers;
}

Real ToReal(Int128 value) { return Real(DecimalText(value)); }

RC_GTEST_PROP(GuaranteeTest, NeighboursAreNeverFartherThanTheNoiseIsMadeFor,
              ()) {
  const double lower = Pick(-100, 100);
  const double upper = lower + std::exp(Pick(-5, 5));
  const double epsilon = std::exp(Pick(-4, 3));
  const double delta = std::exp(Pick(-20, -1));
  const Scenario scenario = RandomScenario(lower, upper);
  const RegressionPlan plan(scenario.X, OutputBounds(lower, upper),
                            Budget(epsilon, delta), scenario.options,
                            Threads(1));

  Vector neighbour = scenario.y;
  Vector y = scenario.y;
  const PrivacyUnits units =
      scenario.options.units.value_or(PrivacyUnits::EachRow(scenario.y.size()));
  for (const Index changed :
       units.Rows(*rc::gen::inRange<Index>(0, units.count()))) {
    y(changed) = RandomOutput(lower, upper);
    neighbour(changed) = RandomOutput(lower, upper);
  }

  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const std::vector<Int128> a = Replay(plan, y, seed);
  const std::vector<Int128> b = Replay(plan, neighbour, seed);
  RC_ASSERT(a.size() == b.size());
  Real moved = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    const Real difference = ToReal(a[k]) - ToReal(b[k]);
    moved += difference * difference;
  }
  // In units of the statistic, from the public statement alone.
  Randomness randomness = RandomnessForTesting::Seeded(seed);
  const Release release = plan.Execute(Secret<Vector>(y), randomness);
  const Real unit = FirstOf(plan, release).unit;
  // All rounds have windows stretched over the same bounds.
  const Real sensitivity = plan.summary().rounds == 1
                               ? release.content().privacy.sensitivity
                               : plan.mechanism()->noise().sensitivity();
  const Real noise = release.content().privacy.noise_sd;
  RC_ASSERT(moved * unit * unit <= sensitivity * sensitivity);
  // The statement is rounded: up for the sensitivity, to nearest for the
  // noise, which can only cost a last digit here.
  RC_ASSERT(Delta(epsilon, noise / release.content().privacy.sensitivity) <=
            Real(delta) * (1 + Real("1e-12")));
}

// What an attacker gains who knows all outputs but those of one person, who
// has three, from nothing but what is published: P(S | y') − e^ε P(S | y) with
// S where the likelihood ratio is above e^ε, for the y and y' that are farthest
// apart. No set and no neighbours give more.
class UnitAuditTest : public testing::Test {
 protected:
  static constexpr double kEpsilon = 1;
  static constexpr double kDelta = 0.01;
  static constexpr int kReleases = 100000;

  UnitAuditTest() {
    R_ << 0.9, 0.5, -0.3, 0.2, 0.1, 0.6,  //
        0.1, -0.6, 0.8, 0.3, -0.7, 0.5;
    units_ = PrivacyUnits::FromLabels({"a", "a", "a", "b", "b", "b"}, "person");
    double farthest = 0;
    for (Index unit = 0; unit < 2; ++unit) {
      for (int code = 0; code < 8; ++code) {
        Vector low = Vector::Constant(6, 0.5);
        Vector high = low;
        for (int i = 0; i < 3; ++i) {
          low(units_.Rows(unit)[size_t(i)]) = code >> i & 1;
          high(units_.Rows(unit)[size_t(i)]) = 1 - (code >> i & 1);
        }
        const double distance = (R_ * (high - low)).norm();
        if (distance <= farthest) continue;
        farthest = distance;
        y_ = low;
        neighbour_ = high;
      }
    }
  }

  // In standard errors, how far the gain is above δ.
  double GainAboveDelta(const GaussianMechanism& mechanism) const {
    const Vector move = mechanism.R() * (neighbour_ - y_);
    const double variance = std::pow(mechanism.noise().sd(), 2);
    const Vector centre =
        mechanism.R() * ((neighbour_ + y_) / 2 - Vector::Constant(6, 0.5));
    const auto fraction = [&](const Vector& outputs, uint64_t seed) {
      Randomness random = RandomnessForTesting::Seeded(seed);
      const Secret<Vector> secret(outputs);
      double count = 0;
      for (int i = 0; i < kReleases; ++i) {
        const Vector value = mechanism.Release(secret, random).value;
        count += move.dot(value - centre) / variance > kEpsilon ? 1 : 0;
      }
      return count / kReleases;
    };
    const double p = fraction(neighbour_, 1);
    const double q = fraction(y_, 2);
    const double e = std::exp(kEpsilon);
    return (p - e * q - kDelta) /
           std::sqrt((p * (1 - p) + e * e * q * (1 - q)) / kReleases);
  }

  Matrix R_ = Matrix(2, 6);
  PrivacyUnits units_ = PrivacyUnits::EachRow(6);
  Vector y_;
  Vector neighbour_;
};

TEST_F(UnitAuditTest, TheBestAttackOnAPersonGainsDeltaAndNoMore) {
  const GaussianMechanism mechanism(R_, units_, OutputBounds(0, 1),
                                    Budget(kEpsilon, kDelta));
  EXPECT_GT(2 * NormalCdf(-std::abs(GainAboveDelta(mechanism))), kFalseAlarm);
}

TEST_F(UnitAuditTest, NoiseForSingleRowsWouldNotProtectAPerson) {
  const GaussianMechanism mechanism(R_, OutputBounds(0, 1),
                                    Budget(kEpsilon, kDelta));
  EXPECT_LT(NormalCdf(-GainAboveDelta(mechanism)), kFalseAlarm);
}

}  // namespace
}  // namespace cloak
