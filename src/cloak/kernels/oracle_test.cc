// Covariances against testdata/oracle.json, computed by an independent
// implementation (testdata/make_oracle.py).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cloak/kernels/kernel.h"
#include "tests/testing/json_matrix.h"

namespace cloak {
namespace {

TEST(KernelOracle, AgreesWithAnIndependentImplementation) {
  std::ifstream file(std::string(CLOAK_KERNEL_TESTDATA) + "/oracle.json");
  ASSERT_TRUE(file);
  const auto oracle = nlohmann::json::parse(file);
  const Matrix X = ToMatrix(oracle.at("X"));
  ASSERT_GE(oracle.at("cases").size(), 10U);
  for (const auto& test : oracle.at("cases")) {
    const std::string text = test.at("kernel");
    const Matrix expected = ToMatrix(test.at("K"));
    const Matrix K = Kernel::Parse(text).Covariance(X, Threads(1));
    const double largest = expected.cwiseAbs().maxCoeff();
    EXPECT_LT((K - expected).cwiseAbs().maxCoeff(), 1e-14 * largest) << text;
  }
}

}  // namespace
}  // namespace cloak
