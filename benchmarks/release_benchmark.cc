// What a release takes from the command line to the file, with nothing given
// but the bounds: seconds, CPU seconds of all threads, resident memory at its
// peak and the size of the file.
//
// `ratio` is the CPU time over that of the bare sums that it contains: for each
// statistic in the file, every row adds an integer to the sum of its site (or
// cell), and every sum is multiplied by a column as long as the statistic.
// Nothing less touches all private cells. `after_reading` is the CPU time
// without reading the table, and `exponent` the power of the rows with which it
// grew from the first case of the same name.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "benchmarks/measured_child.h"
#include "benchmarks/release_cases.h"
#include "benchmarks/report.h"
#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "cloak/data/file_bytes.h"
#include "cloak/release/file_format.h"

namespace cloak {
namespace {

constexpr size_t kMostReleaseBytes = size_t{1} << 28;
// As many sums as a design has sites.
constexpr Index kBareSites = 1024;

struct ReleaseUse {
  ProcessUse process;
  double file_kb = 0;
  std::vector<Index> statistics;  // how many numbers each has
};

ReleaseUse MakeRelease(const ReleaseCase& made,
                       const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "made.cloak";
  std::filesystem::remove(file);
  std::vector<std::string> command = {CLOAK_PROGRAM,
                                      "release",
                                      made.table.string(),
                                      "--inputs",
                                      Join(made.inputs, ","),
                                      "--output",
                                      made.output,
                                      "--protect",
                                      made.protects_rows ? "rows" : "outputs",
                                      "-o",
                                      file.string()};
  command.insert(command.end(), made.options.begin(), made.options.end());
  ReleaseUse use;
  use.process = RunMeasured(command, folder / "log");
  use.file_kb = static_cast<double>(std::filesystem::file_size(file)) / 1000;
  const ReleaseContent content =
      ReleaseFromJson(ReadFileBytes(file, kMostReleaseBytes), file.string())
          .content();
  for (const ReleasedStatistic& earlier : content.earlier_statistics) {
    use.statistics.push_back(static_cast<Index>(earlier.integers.size()));
  }
  use.statistics.push_back(
      static_cast<Index>(content.statistic.integers.size()));
  return use;
}

// The run with the median CPU time; one where it takes long.
ReleaseUse MedianRelease(const ReleaseCase& made,
                         const std::filesystem::path& folder) {
  const int runs = made.rows > 100'000 ? 1 : 3;
  std::vector<ReleaseUse> uses;
  for (int run = 0; run < runs; ++run) {
    uses.push_back(MakeRelease(made, folder));
  }
  std::sort(uses.begin(), uses.end(),
            [](const ReleaseUse& a, const ReleaseUse& b) {
              return a.process.cpu_seconds < b.process.cpu_seconds;
            });
  return uses[uses.size() / 2];
}

double ReadingSeconds(const ReleaseCase& made) {
  CsvOptions csv{.numeric = made.inputs, .secret = {made.output}};
  if (made.protects_rows) {
    csv = {.secret = made.inputs};
    csv.secret.push_back(made.output);
  }
  return BestSecondsInTurn({[&] { ReadCsv(made.table, csv); }}, 3).front();
}

double BareSeconds(Index rows, const std::vector<Index>& statistics) {
  std::mt19937_64 random(1);
  std::vector<int32_t> sites(static_cast<size_t>(rows));
  std::vector<int64_t> outputs(sites.size());
  for (size_t i = 0; i < sites.size(); ++i) {
    sites[i] = static_cast<int32_t>(random() % kBareSites);
    outputs[i] = static_cast<int64_t>(random() >> 44);
  }
  const Index most = *std::max_element(statistics.begin(), statistics.end());
  const Matrix R = Matrix::Ones(most, kBareSites);
  const auto sum = [&](Index numbers) {
    Vector sums = Vector::Zero(kBareSites);
    for (size_t i = 0; i < sites.size(); ++i) {
      sums(sites[i]) += static_cast<double>(outputs[i]);
    }
    // Volatile, so that it is not optimised away.
    [[maybe_unused]] const volatile double first =
        (R.topRows(numbers) * sums)(0);
  };
  return BestSecondsInTurn({[&] {
                             for (const Index numbers : statistics) {
                               sum(numbers);
                             }
                           }},
                           3)
      .front();
}

void BenchmarkReleases(Report& report) {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "cloak-release-XXXXXX")
          .string();
  const std::filesystem::path folder = mkdtemp(pattern.data());
  const std::vector<ReleaseCase> cases = WriteReleaseCases(folder);
  // First all processes, while this one holds next to nothing.
  std::vector<ReleaseUse> uses;
  uses.reserve(cases.size());
  for (const ReleaseCase& made : cases) {
    uses.push_back(MedianRelease(made, folder));
  }
  struct First {
    double rows;
    double seconds;
  };
  std::map<std::string, First> firsts;
  for (size_t k = 0; k < cases.size(); ++k) {
    const ReleaseCase& made = cases[k];
    const ReleaseUse& use = uses[k];
    const auto rows = static_cast<double>(made.rows);
    const double cpu = use.process.cpu_seconds;
    const double after = std::max(0.0, cpu - ReadingSeconds(made));
    Measurement line{Text(made.name, ", ", made.rows, " rows"),
                     use.process.seconds,
                     {{"rows", rows},
                      {"cpu_seconds", cpu},
                      {"peak_mb", use.process.peak_mb},
                      {"file_kb", use.file_kb},
                      {"after_reading", after},
                      {"ratio", cpu / BareSeconds(made.rows, use.statistics)}}};
    const First& first =
        firsts.try_emplace(made.name, First{rows, after}).first->second;
    if (rows > first.rows) {
      line.figures["exponent"] =
          std::log(after / first.seconds) / std::log(rows / first.rows);
    }
    report.Add(line);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunBenchmark(argc, argv, cloak::BenchmarkReleases);
}
