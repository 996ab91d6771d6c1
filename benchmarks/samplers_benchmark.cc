// Exact noise on one core, in short turns, against inexact normals of
// the standard library in floating point.

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/report.h"
#include "cloak/privacy/discrete_laplace.h"
#include "cloak/privacy/exact_normal.h"
#include "cloak/privacy/selection_mechanism.h"

namespace cloak {
namespace {

constexpr int kDraws = 50000;

void Benchmark(Report& report) {
  Randomness random = Randomness::FromSystem();
  // So that the compiler cannot leave the draws out.
  volatile double sink = 0;
  const auto repeat = [&](auto draw) {
    return [draw, &sink] {
      double sum = 0;
      for (int i = 0; i < kDraws; ++i) sum += static_cast<double>(draw());
      sink = sum;
    };
  };
  std::mt19937_64 bits(1);
  std::normal_distribution<double> inexact;
  const DiscreteLaplace laplace(uint64_t{3} << 40, uint64_t{1} << 40);
  const Secret<Vector> utilities(Vector(Vector::LinSpaced(20, 0, 10)));
  const SelectionMechanism exponential(1, 1);

  std::vector<std::pair<std::string, std::function<void()>>> cases;
  cases.emplace_back("inexact normals, std::normal_distribution",
                     repeat([&] { return inexact(bits); }));
  cases.emplace_back("64 random bits", repeat([&] { return random.Bits64(); }));
  cases.emplace_back("exact normals, rounded to 2^-40", repeat([&] {
                       return RoundedNormal(Uint128{1} << 40, random);
                     }));
  cases.emplace_back("discrete Laplace, scale 3",
                     repeat([&] { return laplace.Draw(random); }));
  cases.emplace_back("exponential mechanism, 20 candidates", repeat([&] {
                       return exponential.Select(utilities, random);
                     }));

  std::vector<std::function<void()>> pieces;
  pieces.reserve(cases.size());
  for (const auto& [name, piece] : cases) pieces.push_back(piece);
  const std::vector<double> seconds = BestSecondsInTurn(pieces, 40);
  for (size_t i = 0; i < cases.size(); ++i) {
    report.Add({cases[i].first,
                seconds[i],
                {{"per_second", kDraws / seconds[i]},
                 {"ratio", seconds[i] / seconds[0]}}});
  }
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunBenchmark(argc, argv, cloak::Benchmark);
}
