// A learned release, design included, on one core: 4900 rows with 4 inputs and
// 10,000 rows with 2, nothing given. Against the bare products that one
// evaluation of the likelihood with its gradient cannot do without, for a
// hundred of them: R K(X, Z) and Rᵀ times a matrix of its size.

#include <cmath>

#include "benchmarks/report.h"
#include "cloak/base/text.h"
#include "cloak/models/make_plan.h"

namespace cloak {
namespace {

constexpr Index kBasis = 200;
constexpr int kEvaluations = 100;

void LearnedRelease(Report& report, Index rows, Index inputs) {
  std::srand(1);
  const Threads threads(1);
  const Matrix X = Matrix::Random(rows, inputs);
  const Vector y = (3 * X.rowwise().sum()).array().sin() +
                   0.3 * Vector::Random(rows).array();
  Setting setting{.inputs = PublicInputs{X},
                  .output = NumberOutput{"y", OutputBounds(-2, 2)},
                  .threads = threads};
  for (Index j = 0; j < inputs; ++j) {
    setting.input_names.push_back(Text("x", j));
  }
  Index rank = 0;
  const auto ours = [&] {
    const auto plan = MakePlan(setting, Regression{.budget = Budget(1, 0.01)});
    rank = plan->summary().rank;
    Randomness randomness = Randomness::FromSystem();
    plan->Execute(Secret<Vector>(y), randomness);
  };
  ours();
  const Matrix R = Matrix::Random(rank, rows);
  const Matrix K = Matrix::Random(rows, kBasis);
  Matrix G(rank, kBasis);
  Matrix weights(rows, kBasis);
  const auto bare = [&] {
    for (int k = 0; k < kEvaluations; ++k) {
      G.noalias() = R * K;
      weights.noalias() = R.transpose() * G;
    }
  };
  const std::vector<double> seconds = BestSecondsInTurn({bare, ours}, 3);
  const std::string size = Text(rows, " x ", inputs);
  report.Add({Text("bare products of 100 gradients, ", size), seconds[0], {}});
  report.Add({Text("learned release, ", size),
              seconds[1],
              {{"ratio", seconds[1] / seconds[0]},
               {"rank", static_cast<double>(rank)}}});
}

void Benchmark(Report& report) {
  LearnedRelease(report, 4900, 4);
  LearnedRelease(report, 10000, 2);
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunBenchmark(argc, argv, cloak::Benchmark);
}
