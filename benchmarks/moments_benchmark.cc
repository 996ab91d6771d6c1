// The statistics of the variational method: A and B of 10^6 private rows with 2
// inputs and 200 inducing points, from the columns to published integers,
// against the bare DSYRK they contain (the features already there), on all
// cores.

#include <cblas.h>

#include "benchmarks/report.h"
#include "cloak/kernels/kernel.h"
#include "cloak/privacy/moment_mechanism.h"

namespace cloak {
namespace {

constexpr Index kRows = 1'000'000;
constexpr Index kPoints = 200;

// The Gram matrices of 20 times 50 000 rows, a thread each.
void BareSyrk(const Matrix& features, const Threads& threads) {
  const auto n = static_cast<int>(features.cols());
  const auto k = static_cast<int>(features.rows());
  threads.ForBlocks(kRows, features.rows(), [&](Index, Index) {
    Matrix gram(n, n);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, k, 1, features.data(),
                k, 0, gram.data(), n);
  });
}

void Benchmark(Report& report) {
  std::srand(1);
  std::vector<Secret<Vector>> inputs;
  inputs.emplace_back(Vector::Random(kRows));
  inputs.emplace_back(Vector::Random(kRows));
  const Secret<Vector> outputs(Vector::Random(kRows));
  const Matrix Z = Matrix::Random(kPoints, 2);
  const Kernel kernel = Kernel::Eq(1, 0.3);
  const Threads threads;
  const MomentMechanism mechanism({.rows = kRows,
                                   .lower = Vector::Constant(2, -1),
                                   .upper = Vector::Constant(2, 1),
                                   .bounds = OutputBounds(-1, 1),
                                   .centre = 0,
                                   .features = kPoints,
                                   .norm = 8,
                                   .budget = Budget(1, 1e-5)},
                                  {});
  const FeatureMap features = [&](const Matrix& X) {
    return kernel.CrossCovariance(X, Z, Threads(1));
  };
  constexpr Index kAtOnce = 50'000;
  const Matrix F =
      kernel.CrossCovariance(Matrix::Random(kAtOnce, 2), Z, threads);
  const auto bare = [&] { BareSyrk(F, threads); };
  Randomness random = Randomness::FromSystem();
  const auto ours = [&] {
    mechanism.Release(inputs, outputs, features, random, threads);
  };
  const std::vector<double> seconds = BestSecondsInTurn({bare, ours}, 5);
  report.Add({"bare dsyrk, 10^6 x 200", seconds[0], {}});
  report.Add({"moments of 10^6 rows, 200 inducing points",
              seconds[1],
              {{"ratio", seconds[1] / seconds[0]}}});
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunBenchmark(argc, argv, cloak::Benchmark);
}
