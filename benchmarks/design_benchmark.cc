// The noise designs, with their certified gaps, at the sizes that matter.
// `ratio`, where there is one, is the time of a plain away-step method over
// ours, to the same gap (or to where it was after 100 times our time).

#include <filesystem>
#include <iostream>
#include <random>

#include "benchmarks/away_step.h"
#include "benchmarks/report.h"
#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "cloak/design/bayes.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"
#include "cloak/gp/basis.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "experiments/data_dir.h"

namespace cloak {
namespace {

using std::filesystem::path;

Matrix GaussianPoints(Index dimension, Index count) {
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(dimension, count,
                             [&] { return normal(generator); });
}

void Add(Report& report, const std::string& name, double seconds,
         const NoiseDesign& design, double ratio = 0) {
  Measurement measurement{name,
                          seconds,
                          {{"gap", design.gap},
                           {"iterations", design.iterations},
                           {"rank", static_cast<double>(design.R.rows())}}};
  if (ratio > 0) measurement.figures["ratio"] = ratio;
  report.Add(measurement);
}

void Volume(Report& report, const std::string& name, const Matrix& C,
            int rounds, bool compare) {
  NoiseDesign design;
  const double seconds = BestSecondsInTurn(
      {[&] { design = VolumeDesign(C, Threads()); }}, rounds)[0];
  double ratio = 0;
  if (compare) {
    AwayStepResult plain;
    const double plain_seconds = BestSecondsInTurn(
        {[&] { plain = AwayStepEllipsoid(C, 1e-7, 100 * seconds); }}, 1)[0];
    ratio = plain_seconds / seconds;
  }
  Add(report, name, seconds, design, ratio);
}

// Root mean square over the query points of the sd of the noise, for s = 1.
double NoiseRmse(const NoiseDesign& design) {
  return std::sqrt(design.decoder.squaredNorm() /
                   static_cast<double>(design.decoder.rows()));
}

void Kung(Report& report, const path& data) {
  const Table table = ReadCsv(data, {.numeric = {"age", "male"}});
  const Matrix all = table.Numeric({"age", "male"});
  std::vector<Index> women;
  for (Index i = 0; i < all.rows(); ++i) {
    if (all(i, 1) == 0) women.push_back(i);
  }
  const Matrix X = all(women, 0);
  const Matrix Xs = Vector::LinSpaced(200, 0, 110);
  const Kernel kernel = Kernel::Eq(10, 15);
  const Matrix C = ExactGp(kernel, 25, X, Threads()).CloakingMatrix(Xs);
  Volume(report, "volume, !Kung, N = 287, 200 ages", C, 5, false);
  NoiseDesign trace;
  const double seconds = BestSecondsInTurn(
      {[&] { trace = TraceDesign(C, Vector::Ones(C.rows()), Threads()); }},
      5)[0];
  Add(report, "trace, !Kung, N = 287, 200 ages", seconds, trace);
  report.Add(
      {"noise of trace over noise of volume, !Kung",
       0,
       {{"ratio", NoiseRmse(trace) / NoiseRmse(VolumeDesign(C, Threads()))}}});
}

Matrix Journeys(const path& data, Index rows) {
  const std::vector<std::string> columns = {"start_lat", "start_lon", "end_lat",
                                            "end_lon"};
  const Table table = ReadCsv(data, {.numeric = columns});
  return table.Numeric(columns).topRows(rows);
}

// Uniform in a box where the real journeys are not at hand.
Matrix MadeUpJourneys(Index rows) {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> uniform(0, 0.1);
  return Matrix::NullaryExpr(rows, 4, [&] { return uniform(generator); });
}

void Trace(Report& report, const Matrix& X) {
  const Kernel kernel =
      Kernel::Parse("bias(1e5) + eq(variance=1e5, lengthscale=0.05)");
  const Matrix C = ExactGp(kernel, 1e5, X.topRows(4900), Threads())
                       .CloakingMatrix(X.bottomRows(100));
  NoiseDesign trace;
  const double seconds = BestSecondsInTurn(
      {[&] { trace = TraceDesign(C, Vector::Ones(C.rows()), Threads()); }},
      2)[0];
  Add(report, "trace, journeys, N = 4900, P = 100", seconds, trace);
}

void Bayes(Report& report, const std::string& name, const Matrix& X,
           Index basis_size) {
  const Kernel kernel =
      Kernel::Parse("bias(1e5) + eq(variance=1e5, lengthscale=0.05)");
  const Threads threads;
  const Basis basis(kernel,
                    SelectBasisPoints(kernel, X, threads,
                                      {.max_size = basis_size, .tolerance = 1}),
                    threads);
  OutputModel outputs = ModelOutputs(basis, 1e5, X);
  Matrix Q =
      outputs.Phi * outputs.Phi.transpose() / static_cast<double>(X.rows());
  const std::vector<DesignPrior> priors = {
      {1, std::move(outputs.Phi), std::move(outputs.D), std::move(Q)}};
  const double s = GaussianSigma(Budget(1, 0.01)) * 2000;
  NoiseDesign design;
  const double seconds = BestSecondsInTurn(
      {[&] { design = BayesDesign(priors, s, threads); }}, 1)[0];
  report.Add(
      {name,
       seconds,
       {{"gap", design.gap},
        {"iterations", design.iterations},
        {"rank", static_cast<double>(design.R.rows())},
        {"us_per_iteration_and_row",
         1e6 * seconds / design.iterations / static_cast<double>(X.rows())}}});
}

void Benchmark(Report& report) {
  if (const auto women = FindData("howell1.csv")) {
    Kung(report, *women);
  } else {
    std::cout << "(!Kung left out: " << kDataHint << ")\n";
  }
  Volume(report, "volume, 30,000 Gaussian points in dimension 30",
         GaussianPoints(30, 30000), 2, true);
  Volume(report, "volume, 1,000,000 Gaussian points in dimension 20",
         GaussianPoints(20, 1000000), 1, false);
  const auto journeys =
      FindData("citibike_nyc_2017_06_subscribers_20000.csv.gz");
  const Matrix X = journeys ? Journeys(*journeys, 5000) : MadeUpJourneys(5000);
  Trace(report, X);
  Bayes(report, "bayes, journeys, N = 4900, M = 200", X.topRows(4900), 200);
  // Linear in N: the time for an iteration and a row hardly grows, and what
  // grows is the rank.
  for (const Index rows : {5000, 10000, 20000}) {
    Bayes(report, Text("bayes, made-up journeys, N = ", rows, ", M = 200"),
          MadeUpJourneys(rows), 200);
  }
  Bayes(report, "bayes, made-up journeys, N = 100,000, M = 300",
        MadeUpJourneys(100000), 300);
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunBenchmark(argc, argv, cloak::Benchmark);
}
