#ifndef CLOAK_EXPERIMENTS_SMITH2021_FOLDS_H_
#define CLOAK_EXPERIMENTS_SMITH2021_FOLDS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/make_plan.h"

namespace cloak {

// The women of Howell's census. In this experiment the heights are not
// secret: they are what predictions are scored against.
struct Women {
  Vector age;
  Vector weight;
  Vector height;    // clipped to the paper's range of 100 cm
  Vector measured;  // as it is

  Matrix Inputs(const std::vector<std::string>& names) const;
};

inline constexpr double kLowestHeight = 58.27;
inline constexpr double kHighestHeight = 158.27;

Women ReadWomen(const std::filesystem::path& path);

struct FoldScores {
  double rmse = 0;            // mean over folds of the root mean squared error
  double standard_error = 0;  // of that mean, between folds
  double coverage = 0;        // of 95 % intervals for held-out heights
};

// One line of the table: a model and what it is given.
struct KungCase {
  std::string name;
  std::vector<std::string> inputs;
  Regression task;
  bool at_test_points = false;  // the held-out inputs are the query points
  bool at_the_mean = false;     // the prior mean is that of the data
  bool as_measured = false;     // scored on heights that are not clipped
};

// Kernel and noise given: bias and EQ, lengthscale 15, as the paper's.
KungCase OptimalGiven(const std::vector<std::string>& inputs);
// Nothing given.
KungCase OptimalLearned(const std::vector<std::string>& inputs);
// The paper's method and kernel, with a bias in place of the mean it
// subtracts.
KungCase Cloaking(const std::vector<std::string>& inputs, PlanDesign design);

// FITC with five inducing points, cloaked.
KungCase SparseCloaking(const std::vector<std::string>& inputs,
                        PlanDesign design);
// The exact process with lengthscales that grow where women are few, cloaked.
KungCase NonstationaryCloaking(const std::vector<std::string>& inputs,
                               PlanDesign design);
// The baselines of Smith et al. 2018, ten bins for each input, and the
// functional method, all with the kernel given to `optimal`.
KungCase Baseline(const std::vector<std::string>& inputs,
                  Regression::Method method);
// As published: the mean of the women's heights is taken off (which a release
// must not do), nothing stands in for it in the kernel, and the noise has the
// paper's constant. `method` is kCloaking or kSparseCloaking.
KungCase Published(const std::vector<std::string>& inputs,
                   Regression::Method method);

// 14 folds; for each of them one plan and `draws` releases at (1, 0.01).
FoldScores CrossValidate(const Women& women, const KungCase& c, int draws,
                         Randomness& randomness, const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_SMITH2021_FOLDS_H_
