#include "benchmarks/four_inputs.h"

#include <cstdlib>

#include "cloak/models/make_plan.h"

namespace cloak {

Release ReleaseFourInputs(const Threads& threads) {
  std::srand(1);
  const Matrix X = Matrix::Random(2000, 4);
  const Vector y = X.rowwise().sum();
  Regression task{.budget = Budget(1, 1e-5)};
  task.kernel = Kernel::Parse("bias(1) + eq(variance=1, lengthscale=0.7)");
  task.noise_variance = 0.05;
  const auto plan = MakePlan({.input_names = {"a", "b", "c", "d"},
                              .inputs = PublicInputs{X},
                              .output = NumberOutput{"y", OutputBounds(-4, 4)},
                              .threads = threads},
                             task);
  Randomness randomness = Randomness::FromSystem();
  return plan->Execute(Secret<Vector>(y), randomness);
}

}  // namespace cloak
