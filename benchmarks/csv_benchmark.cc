// How fast CSV is read and written, in memory, on one core.
// `ratio` is the time over that of a bare pass over the same bytes that only
// counts separators: what is left to gain, whatever the machine.
#include <algorithm>
#include <cstdio>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/report.h"
#include "cloak/data/csv.h"
#include "cloak/data/csv_writer.h"

namespace cloak {
namespace {

constexpr int kRepetitions = 5;
constexpr int kColumns = 5;

// Five columns as people have them: a count, a decimal of one digit, one of
// six, a full double, and a small one with an exponent.
std::string NumericFile(size_t size) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::string bytes = "a,b,c,d,e\n";
  char row[128];
  while (bytes.size() < size) {
    const int length = std::snprintf(
        row, sizeof(row), "%d,%.1f,%.6f,%.17g,%.3e\n",
        static_cast<int>(1000 * uniform(random)), 200 * uniform(random),
        180 * uniform(random) - 90, uniform(random), uniform(random) - 0.5);
    bytes.append(row, length);
  }
  return bytes;
}

void Benchmark(Report& report) {
  const std::string bytes = NumericFile(60'000'000);
  const std::string_view view = bytes;
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  const Table table = ParseCsv(bytes, "benchmark", {.numeric = names});
  const Matrix values = table.Numeric(names);
  std::vector<Vector> cells;
  for (Index j = 0; j < kColumns; ++j) cells.emplace_back(values.col(j));
  std::vector<CsvColumn> columns;
  for (size_t j = 0; j < kColumns; ++j) {
    columns.emplace_back(names[j], cells[j]);
  }
  const auto parse = [&](const CsvOptions& options) {
    return [&bytes, options] { ParseCsv(bytes, "benchmark", options); };
  };
  const std::vector<std::string> titles = {
      "bare pass that counts separators", "read 5 of 5 columns as numbers",
      "read 5 of 5 columns as secrets",   "read 1 of 5 columns as numbers",
      "read 5 of 5 columns as text",      "write 5 columns of numbers"};
  const std::vector<double> seconds = BestSecondsInTurn(
      {[&] {
         // Volatile, so that counting is not optimised away.
         [[maybe_unused]] const volatile auto separators =
             std::count_if(view.begin(), view.end(),
                           [](char c) { return c == ',' || c == '\n'; });
       },
       parse({.numeric = names}), parse({.secret = names}),
       parse({.numeric = {"c"}}), parse({.text = names}),
       [&] {
         std::ostringstream out;
         WriteCsv(out, columns);
       }},
      kRepetitions);
  for (size_t i = 0; i < titles.size(); ++i) {
    report.Add({titles[i],
                seconds[i],
                {{"mb_per_second",
                  static_cast<double>(bytes.size()) / 1e6 / seconds[i]},
                 {"ratio", seconds[i] / seconds[0]}}});
  }
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunBenchmark(argc, argv, cloak::Benchmark);
}
