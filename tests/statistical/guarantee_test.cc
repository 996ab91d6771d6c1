// The guarantee from end to end: whatever the inputs, kernel, method, design,
// budget and neighbours, what leaves the mechanism moves by no more than the
// sensitivity that its noise was made for, and the noise is enough for that.
// Freezing the noise makes the movement exact: the same random bits on two
// neighbouring tables leave the same noise, which cancels in the difference.

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
#include "cloak/models/regression.h"
#include "cloak/privacy/integer128.h"
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
    options.method = RegressionOptions::kCloaking;
    options.query_points = Matrix::NullaryExpr(
        *rc::gen::inRange(1, 8), dimension, [] { return Pick(-3, 3); });
  }
  options.kernel = RandomKernel();
  options.noise_variance = std::exp(Pick(-3, 2));
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

std::vector<Int128> Replay(const RegressionPlan& plan, const Vector& y,
                           uint64_t seed) {
  Randomness randomness = RandomnessForTesting::Seeded(seed);
  const Release release = plan.Execute(Secret<Vector>(y), randomness);
  std::vector<Int128> units;
  for (const std::string& text : release.content().statistic.units) {
    units.push_back(ParseInt128(text, "a unit of the statistic"));
  }
  return units;
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
  const Index changed = *rc::gen::inRange<Index>(0, neighbour.size());
  Vector y = scenario.y;
  y(changed) = RandomOutput(lower, upper);
  neighbour(changed) = RandomOutput(lower, upper);

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
  const Real unit = release.content().statistic.unit;
  const Real sensitivity = release.content().privacy.sensitivity;
  const Real noise = release.content().privacy.noise_sd;
  RC_ASSERT(moved * unit * unit <= sensitivity * sensitivity);
  // The statement is rounded: up for the sensitivity, to nearest for the
  // noise, which can only cost a last digit here.
  RC_ASSERT(Delta(epsilon, noise / sensitivity) <=
            Real(delta) * (1 + Real("1e-12")));
}

}  // namespace
}  // namespace cloak
