// Against small cases that a generic solver has solved to about 1e-9
// (testdata/make_oracle.py).

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cloak/design/bayes.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"

namespace cloak {
namespace {

using Json = nlohmann::json;

Json Oracle() {
  std::ifstream file(CLOAK_DESIGN_TESTDATA "/oracle.json");
  return Json::parse(file);
}

Vector ToVector(const Json& json) {
  Vector vector(static_cast<Index>(json.size()));
  for (Index i = 0; i < vector.size(); ++i) {
    vector(i) = json[static_cast<size_t>(i)];
  }
  return vector;
}

Matrix ToMatrix(const Json& json) {
  Matrix matrix(static_cast<Index>(json.size()),
                static_cast<Index>(json[0].size()));
  for (Index i = 0; i < matrix.rows(); ++i) {
    matrix.row(i) = ToVector(json[static_cast<size_t>(i)]);
  }
  return matrix;
}

TEST(OracleTest, VolumeAndTraceReachTheOptimumOfAGenericSolver) {
  const Json oracle = Oracle();
  for (const Json& c : oracle["ellipsoids"]) {
    const Matrix C = ToMatrix(c["C"]);
    const InteriorPointOptions tight{.tolerance = 1e-10};
    EXPECT_NEAR(VolumeDesign(C, Threads(1), tight).objective,
                c["volume"].get<double>(), 1e-8);
    const double trace = c["trace"];
    EXPECT_NEAR(
        TraceDesign(C, ToVector(c["weights"]), Threads(1), tight).objective,
        trace, 1e-8 * trace);
  }
}

TEST(OracleTest, BayesReachesTheOptimumOfAGenericSolver) {
  const Json oracle = Oracle();
  for (const Json& c : oracle["bayes"]) {
    const DesignPrior prior{1, ToMatrix(c["Phi"]), ToVector(c["D"]),
                            ToMatrix(c["Q"])};
    const NoiseDesign design =
        BayesDesign({prior}, c["s"], Threads(1), NoProgress,
                    {.tolerance = 1e-7, .max_iterations = 5000});
    const double best = c["bayes"];
    EXPECT_GE(design.objective, best * (1 - 1e-9));
    EXPECT_LE(design.objective, best * (1 + 1e-6));
    // What the certificate says is true.
    EXPECT_GE(best, design.objective * (1 - design.gap) * (1 - 1e-9));
  }
}

}  // namespace
}  // namespace cloak
