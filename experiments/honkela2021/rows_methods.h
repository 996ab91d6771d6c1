#ifndef CLOAK_EXPERIMENTS_HONKELA2021_ROWS_METHODS_H_
#define CLOAK_EXPERIMENTS_HONKELA2021_ROWS_METHODS_H_

#include <string>
#include <vector>

#include "cloak/kernels/kernel.h"
#include "cloak/models/rows/selected_plan.h"

namespace cloak {

// A way to publish private rows, and what it is given.
struct RowsMethod {
  std::string name;
  PlanFactory plan;
};

// What is known, or believed, of a function before it is learned.
struct KnownModel {
  Kernel kernel = Kernel::Eq(1, 1);
  double noise_variance = 1;
  // Where the published method has its inducing inputs, and the ratio of its
  // two noises, σ_a/σ_b, which depends on the unit of outputs.
  Matrix inducing = {};
  double ratio = 1;
};

// The paper's Algorithm 1, with the tightest bound on the norm.
RowsMethod Variational(const KnownModel& model);
// The paper's Algorithm 2: Algorithm 1 with one of these, by private selection.
RowsMethod Selected(const std::vector<KnownModel>& candidates,
                    SelectionAccounting accounting);
// Ours, with this kernel and noise; and with nothing given.
RowsMethod OptimalGiven(const KnownModel& model);
RowsMethod OptimalLearned();

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_HONKELA2021_ROWS_METHODS_H_
