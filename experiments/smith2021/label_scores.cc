#include "experiments/smith2021/label_scores.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cloak/base/text.h"

namespace cloak {
namespace {

// So little privacy that its noise does not matter.
const Budget kNone(1e5, 0.5);

struct Bin {
  double count = 0;
  double right = 0;
  double claimed = 0;
};

LabelCase CaseOf(const LabelSet& set, const std::string& name) {
  return {Text(set.name, ": ", name), {.budget = Budget(1, 0.01)}};
}

LabelCase WithoutPrivacy(LabelCase c) {
  c.name += ", no privacy";
  c.task.budget = kNone;
  return c;
}

}  // namespace

std::vector<LabelCase> LabelCases(const LabelSet& set, const Kernel& kernel,
                                  Index inducing) {
  const LabelCase learned = CaseOf(set, "optimal");
  LabelCase given = CaseOf(set, "optimal, kernel given");
  given.task.kernel = kernel;
  LabelCase laplace = CaseOf(set, "laplace");
  laplace.task.kernel = kernel;
  laplace.task.method = Classification::kLaplace;
  LabelCase trace = CaseOf(set, "laplace, trace");
  trace.task = laplace.task;
  trace.task.design = Classification::kTrace;
  LabelCase two_steps = CaseOf(set, "laplace, two steps");
  two_steps.task = laplace.task;
  two_steps.task.newton_steps = 2;
  LabelCase sparse = CaseOf(set, "laplace-sparse");
  sparse.task = laplace.task;
  sparse.task.method = Classification::kLaplaceSparse;
  sparse.task.inducing = inducing;
  return {learned,   WithoutPrivacy(learned),
          given,     WithoutPrivacy(given),
          laplace,   trace,
          two_steps, sparse};
}

LabelScores ScoreLabels(const LabelSet& set, const LabelCase& c, int splits,
                        int draws, Randomness& randomness,
                        const Threads& threads) {
  std::array<Bin, 10> bins;
  Vector accuracy(splits);
  for (int k = 0; k < splits; ++k) {
    const LabelSplit split = set.split(static_cast<uint64_t>(k) + 1);
    const auto plan = MakePlan({.input_names = set.inputs,
                                .inputs = PublicInputs{split.X},
                                .output = LabelOutput{"label", {"low", "high"}},
                                .threads = threads},
                               c.task);
    const Secret<Vector> labels(split.y);
    double right = 0;
    for (int draw = 0; draw < draws; ++draw) {
      const ClassPredictions predicted =
          plan->Execute(labels, randomness)
              .PredictClasses(split.test_inputs, threads);
      for (Index i = 0; i < split.test_y.size(); ++i) {
        const size_t guess = predicted.most_probable[static_cast<size_t>(i)];
        const double claimed =
            predicted.probability(i, static_cast<Index>(guess));
        const double is_right = (guess == 1) == (split.test_y(i) > 0) ? 1 : 0;
        const auto bin = static_cast<size_t>((claimed - 0.5) * 20);
        bins[std::min<size_t>(bin, 9)].count += 1;
        bins[std::min<size_t>(bin, 9)].right += is_right;
        bins[std::min<size_t>(bin, 9)].claimed += claimed;
        right += is_right;
      }
    }
    accuracy(k) = right / static_cast<double>(draws * split.test_y.size());
  }
  LabelScores scores;
  double count = 0;
  for (const Bin& bin : bins) {
    scores.calibration_error += std::abs(bin.right - bin.claimed);
    count += bin.count;
  }
  scores.calibration_error /= count;
  scores.accuracy = accuracy.mean();
  scores.standard_error =
      std::sqrt((accuracy.array() - scores.accuracy).square().sum() /
                (splits * std::max(1, splits - 1)));
  return scores;
}

}  // namespace cloak
