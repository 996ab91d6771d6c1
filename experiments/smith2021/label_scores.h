#ifndef CLOAK_EXPERIMENTS_SMITH2021_LABEL_SCORES_H_
#define CLOAK_EXPERIMENTS_SMITH2021_LABEL_SCORES_H_

#include <string>
#include <vector>

#include "cloak/linalg/threads.h"
#include "cloak/models/make_plan.h"
#include "experiments/smith2021/label_sets.h"

namespace cloak {

// One line of the table: a method and what it is given.
struct LabelCase {
  std::string name;
  Classification task;
};

// `kernel`: the paper's for the data set, an EQ with its lengthscale.
std::vector<LabelCase> LabelCases(const LabelSet& set, const Kernel& kernel,
                                  Index inducing);

struct LabelScores {
  double accuracy = 0;        // of the most probable class, on the test rows
  double standard_error = 0;  // between splits
  // How far the probability of the class that is predicted is from how often
  // it is right: mean over ten bins of that probability, by their sizes.
  double calibration_error = 0;
};

// For each of `splits` one plan and `draws` releases.
LabelScores ScoreLabels(const LabelSet& set, const LabelCase& c, int splits,
                        int draws, Randomness& randomness,
                        const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_SMITH2021_LABEL_SCORES_H_
