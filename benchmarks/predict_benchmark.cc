// Predictions with variances at 100,000 points from a release of 4 inputs and
// 2000 rows, against the bare matrix product that they need, on all cores.

#include "benchmarks/four_inputs.h"
#include "benchmarks/report.h"

namespace cloak {
namespace {

void Benchmark(Report& report) {
  const Threads threads;
  const Release release = ReleaseFourInputs(threads);
  const Posterior& posterior = release.content().posteriors[0];
  const Index basis = release.content().basis_points.rows();
  const Index rows = 1 + posterior.directions.rows();

  const Matrix queries = Matrix::Random(100000, 4);
  // [mean; directions] (rows x M) times the covariances (M x queries).
  const Matrix left = Matrix::Random(rows, basis);
  const Matrix right = Matrix::Random(basis, queries.rows());
  Matrix out(rows, queries.rows());
  const auto bare = [&] {
    threads.ForBlocks(queries.rows(), 1024, [&](Index begin, Index end) {
      out.middleCols(begin, end - begin).noalias() =
          left * right.middleCols(begin, end - begin);
    });
  };
  const auto ours = [&] { release.Predict(queries, {}, threads); };
  const std::vector<double> seconds = BestSecondsInTurn({bare, ours}, 7);
  const std::map<std::string, double> size = {
      {"basis", static_cast<double>(basis)},
      {"rank", static_cast<double>(posterior.directions.rows())}};
  report.Add({"bare product for 100,000 predictions", seconds[0], size});
  report.Add({"predict 100,000 points with variances",
              seconds[1],
              {{"ratio", seconds[1] / seconds[0]}}});
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunBenchmark(argc, argv, cloak::Benchmark);
}
