#include "benchmarks/four_inputs.h"

#include <cstdlib>

#include "cloak/models/regression.h"

namespace cloak {

Release ReleaseFourInputs(const Threads& threads) {
  std::srand(1);
  const Matrix X = Matrix::Random(2000, 4);
  const Vector y = X.rowwise().sum();
  RegressionOptions options;
  options.input_names = {"a", "b", "c", "d"};
  options.output_name = "y";
  options.kernel = Kernel::Parse("bias(1) + eq(variance=1, lengthscale=0.7)");
  options.noise_variance = 0.05;
  const RegressionPlan plan(X, OutputBounds(-4, 4), Budget(1, 1e-5), options,
                            threads);
  Randomness randomness = Randomness::FromSystem();
  return plan.Execute(Secret<Vector>(y), randomness);
}

}  // namespace cloak
