// How fast CSV is read and written, on one core:
//   csv_benchmark [--json FILE]
// `ratio` is the time over that of a bare pass over the same bytes that only
// counts separators: what is left to gain, whatever the machine.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/data/csv.h"
#include "cloak/data/csv_writer.h"

namespace cloak {
namespace {

constexpr int kRepetitions = 5;
constexpr int kColumns = 5;

// Processor time, which on one thread is the time on an idle machine.
double BestSeconds(const std::function<void()>& work) {
  double best = HUGE_VAL;
  for (int i = 0; i < kRepetitions; ++i) {
    const std::clock_t begin = std::clock();
    work();
    const auto ticks = static_cast<double>(std::clock() - begin);
    best = std::min(best, ticks / CLOCKS_PER_SEC);
  }
  return best;
}

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

class Report {
 public:
  explicit Report(std::string_view bytes)
      : megabytes_(static_cast<double>(bytes.size()) / 1e6),
        bare_seconds_(BestSeconds([bytes] {
          // Volatile, so that counting is not optimised away.
          [[maybe_unused]] const volatile auto separators =
              std::count_if(bytes.begin(), bytes.end(),
                            [](char c) { return c == ',' || c == '\n'; });
        })) {
    std::printf("%-36s %9s %9s %8s\n", "case", "seconds", "MB/s", "ratio");
    Add("bare pass that counts separators", bare_seconds_);
  }

  void Add(const std::string& name, double seconds) {
    std::printf("%-36s %9.4f %9.0f %8.1f\n", name.c_str(), seconds,
                megabytes_ / seconds, seconds / bare_seconds_);
    results_.push_back({{"case", name},
                        {"seconds", seconds},
                        {"mb_per_second", megabytes_ / seconds},
                        {"ratio", seconds / bare_seconds_}});
  }

  const nlohmann::json& results() const { return results_; }

 private:
  double megabytes_;
  double bare_seconds_;
  nlohmann::json results_ = nlohmann::json::array();
};

nlohmann::json Run() {
  const std::string bytes = NumericFile(60'000'000);
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  Report report(bytes);
  const auto parse = [&](const std::string& name, const CsvOptions& options) {
    report.Add(name,
               BestSeconds([&] { ParseCsv(bytes, "benchmark", options); }));
  };
  parse("read 5 of 5 columns as numbers", {.numeric = names});
  parse("read 5 of 5 columns as secrets", {.secret = names});
  parse("read 1 of 5 columns as numbers", {.numeric = {"c"}});
  parse("read 5 of 5 columns as text", {.text = names});

  const Table table = ParseCsv(bytes, "benchmark", {.numeric = names});
  const Matrix values = table.Numeric(names);
  std::vector<Vector> cells;
  for (Index j = 0; j < kColumns; ++j) cells.emplace_back(values.col(j));
  std::vector<CsvColumn> columns;
  for (size_t j = 0; j < kColumns; ++j)
    columns.emplace_back(names[j], cells[j]);
  report.Add("write 5 columns of numbers", BestSeconds([&] {
               std::ostringstream out;
               WriteCsv(out, columns);
             }));
  return report.results();
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() &&
      (arguments.size() != 2 || arguments[0] != "--json")) {
    std::cerr << "usage: csv_benchmark [--json FILE]\n";
    return 2;
  }
  try {
    const nlohmann::json results = cloak::Run();
    if (arguments.empty()) return 0;
    std::ofstream out(arguments[1]);
    out << results.dump(2) << "\n";
    if (out.flush()) return 0;
    std::cerr << "cannot write '" << arguments[1] << "'\n";
  } catch (const cloak::Error& error) {
    std::cerr << error.what() << "\n";
  }
  return 1;
}
