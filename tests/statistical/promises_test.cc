// What protects whole rows protects outputs: so with outputs alone private, a
// release must be at least as accurate (experiments/promises, whose README has
// the figures of all tables, with noise that is not frozen).

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "experiments/data_dir.h"
#include "experiments/promises/errors_of_promises.h"
#include "experiments/promises/promise_scores.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

const Problem& ProblemNamed(const std::string& name) {
  const std::vector<Problem>& all = PromiseProblems();
  return *std::find_if(all.begin(), all.end(), [&](const Problem& problem) {
    return problem.name == name;
  });
}

// Errors of both promises, on the same held-out rows draw by draw.
ErrorsOfPromises Draw(const Problem& problem,
                      const std::filesystem::path& folder, double epsilon,
                      int draws) {
  const OpenRows all = ReadProblem(problem, folder);
  const Budget budget(epsilon, 1e-5);
  Vector outputs(draws);
  Vector rows(draws);
  for (int draw = 0; draw < draws; ++draw) {
    const auto seed = static_cast<uint64_t>(draw);
    const RowHalves halves = SplitProblem(all, seed);
    Randomness random = RandomnessForTesting::Seeded(seed);
    outputs(draw) =
        ScorePromise(problem, PromiseMade::kOutputs, budget, halves, random)(0);
    rows(draw) =
        ScorePromise(problem, PromiseMade::kRows, budget, halves, random)(0);
  }
  return {outputs, rows};
}

// Whether outputs are worse by no more than a standard error.
void ExpectOutputsAsGood(const ErrorsOfPromises& errors) {
  const MeanOfDraws difference = MeanOf(*errors.outputs - *errors.rows);
  EXPECT_LE(difference.mean, difference.standard_error)
      << "outputs private: " << errors.outputs->mean()
      << ", rows private: " << errors.rows->mean();
}

TEST(PromisesTest, OutputsAreAsAccurateAsRowsOnSimulatedRows) {
  const Problem& problem = ProblemNamed("simulated");
  ExpectOutputsAsGood(Draw(problem, "", 0.3, 8));
  ExpectOutputsAsGood(Draw(problem, "", 1, 4));
}

class PromisesDataTest : public testing::Test {
 protected:
  void ExpectOutputsAsGoodOn(const std::string& name, double epsilon,
                             int draws) const {
    const Problem& problem = ProblemNamed(name);
    const auto path = FindData(problem.file);
    if (!path) GTEST_SKIP() << "needs " << problem.file << ": " << kDataHint;
    ExpectOutputsAsGood(Draw(problem, path->parent_path(), epsilon, draws));
  }
};

TEST_F(PromisesDataTest, OutputsAreAsAccurateAsRowsOnFewRows) {
  ExpectOutputsAsGoodOn("women, age and weight", 0.3, 10);
}

TEST_F(PromisesDataTest, OutputsAreAsAccurateAsRowsWithThreeInputs) {
  ExpectOutputsAsGoodOn("!Kung, age, weight, sex", 1, 6);
}

TEST_F(PromisesDataTest, OutputsAreAsAccurateAsRowsOnSkewedOutputs) {
  ExpectOutputsAsGoodOn("London, place", 0.3, 4);
}

}  // namespace
}  // namespace cloak
