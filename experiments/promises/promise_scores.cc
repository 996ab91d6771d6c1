#include "experiments/promises/promise_scores.h"

#include "cloak/models/make_plan.h"
#include "experiments/promises/judgement.h"

namespace cloak {
namespace {

Setting SettingOf(const Problem& problem, PromiseMade promise,
                  const OpenRows& rows) {
  const auto inputs = static_cast<Index>(problem.inputs.size());
  PrivateInputs hidden(rows.y.size(), Vector(inputs), Vector(inputs));
  Setting setting{.inputs = PublicInputs{rows.X}, .threads = Threads(1)};
  for (Index j = 0; j < inputs; ++j) {
    const ProblemColumn& input = problem.inputs[static_cast<size_t>(j)];
    setting.input_names.push_back(input.name);
    hidden.lower(j) = input.lower;
    hidden.upper(j) = input.upper;
  }
  if (promise == PromiseMade::kRows) setting.inputs = hidden;
  const std::string& name = problem.output.name;
  if (problem.HasLabels()) {
    setting.output = LabelOutput{name, {"other", problem.output.is}};
  } else {
    setting.output = NumberOutput{name, BoundsOf(problem)};
  }
  return setting;
}

Judgement JudgeRelease(const Problem& problem, const Release& release,
                       const OpenRows& test) {
  if (problem.HasLabels()) {
    return JudgeLabels(
        release.PredictClasses(test.X, Threads(1)).probability.col(1), test.y);
  }
  const Predictions at = release.Predict(test.X, {}, Threads(1));
  return JudgeNumbers(at.mean, at.lower, at.upper,
                      Clip(test.y, BoundsOf(problem)));
}

}  // namespace

Vector ScorePromise(const Problem& problem, PromiseMade promise,
                    const Budget& budget, const RowHalves& rows,
                    Randomness& randomness) {
  const CpuClock clock;
  const Task task = problem.HasLabels() ? Task(Classification{.budget = budget})
                                        : Task(Regression{.budget = budget});
  const auto plan = MakePlan(SettingOf(problem, promise, rows.train), task);
  const Release release =
      promise == PromiseMade::kRows
          ? plan->Execute(rows.train.Keep(), randomness)
          : plan->Execute(Secret<Vector>(rows.train.y), randomness);
  const double seconds = clock.Seconds();
  return MeasuresOf(JudgeRelease(problem, release, rows.test),
                    plan->summary().expected_sd, seconds);
}

}  // namespace cloak
