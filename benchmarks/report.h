#ifndef CLOAK_BENCHMARKS_REPORT_H_
#define CLOAK_BENCHMARKS_REPORT_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cloak {

// The best wall-clock seconds of each piece of work over some rounds. The
// pieces take turns within a round, so that a noisy machine disturbs them
// alike and their ratios can be trusted more than their times.
std::vector<double> BestSecondsInTurn(
    const std::vector<std::function<void()>>& pieces, int rounds);

// One line of a benchmark: what was measured, how long it took, and how that
// compares with bare work of the same size (ratio), or other figures by name.
struct Measurement {
  std::string name;
  double seconds = 0;
  std::map<std::string, double> figures;
};

class Report {
 public:
  // Prints the line at once.
  void Add(const Measurement& measurement);

  // A list of objects with case, seconds and the figures.
  std::string ToJson() const;

 private:
  std::vector<Measurement> measurements_;
};

// main() of every benchmark:  NAME_benchmark [--json FILE]
int RunBenchmark(int argc, char** argv,
                 const std::function<void(Report&)>& benchmark);

}  // namespace cloak

#endif  // CLOAK_BENCHMARKS_REPORT_H_
