#include "benchmarks/release_cases.h"

#include <cmath>
#include <cstdio>
#include <fstream>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "experiments/data_dir.h"
#include "experiments/dice.h"

namespace cloak {
namespace {

constexpr Index kJourneyRows = 4900;

std::vector<std::string> NamesOfInputs(Index count) {
  std::vector<std::string> names;
  for (Index j = 0; j < count; ++j) names.push_back(Text("x", j + 1));
  return names;
}

// Uniform inputs on [0, 1], of which hardly two rows share one, and an output
// that bends with each of them, within −2 and 2 as a rule. It is written row by
// row: what this process holds counts for those that it begins.
void WriteMadeUp(const std::filesystem::path& path, Index rows, Index inputs) {
  Dice dice(1);
  std::ofstream out(path);
  for (const std::string& name : NamesOfInputs(inputs)) out << name << ",";
  out << "y\n";
  char number[32];
  for (Index i = 0; i < rows; ++i) {
    double f = 0;
    for (Index j = 0; j < inputs; ++j) {
      const double x = dice.Uniform();
      const auto which = static_cast<double>(j);
      f += std::sin((6 - which) * x) / (1 + which);
      std::snprintf(number, sizeof(number), "%.6f,", x);
      out << number;
    }
    std::snprintf(number, sizeof(number), "%.6f\n", f + 0.3 * dice.Normal());
    out << number;
  }
  RequireInput(out.good(), "cannot write ", path.string());
}

// The first rows of a table, as they are.
void WriteFirst(const std::filesystem::path& from,
                const std::vector<std::string>& columns, Index rows,
                const std::filesystem::path& to) {
  const Table table = ReadCsv(from, {.text = columns});
  std::ofstream out(to);
  out << Join(columns, ",") << "\n";
  for (size_t i = 0; i < static_cast<size_t>(rows); ++i) {
    std::vector<std::string> cells;
    cells.reserve(columns.size());
    for (const std::string& column : columns) {
      cells.push_back(table.TextColumn(column)[i]);
    }
    out << Join(cells, ",") << "\n";
  }
  RequireInput(out.good(), "cannot write ", to.string());
}

ReleaseCase MadeUp(const std::filesystem::path& folder, const std::string& name,
                   bool protects_rows, Index inputs, Index rows) {
  ReleaseCase made{
      .name = name,
      .rows = rows,
      .inputs = NamesOfInputs(inputs),
      .output = "y",
      .protects_rows = protects_rows,
      .table = folder / Text(name, " of ", rows, ".csv"),
      .options = {"--bounds", "-2:3", "--epsilon", "1", "--delta", "1e-6"}};
  if (protects_rows) {
    std::vector<std::string> ranges;
    for (const std::string& input : made.inputs) {
      ranges.push_back(input + "=0:1");
    }
    made.options.insert(made.options.end(),
                        {"--input-ranges", Join(ranges, ",")});
  }
  WriteMadeUp(made.table, rows, inputs);
  return made;
}

ReleaseCase Journeys(const std::filesystem::path& folder) {
  const std::string name = "outputs, journeys";
  const auto data = FindData("citibike_nyc_2017_06_subscribers_20000.csv.gz");
  if (!data) return MadeUp(folder, name + " (made up)", false, 4, kJourneyRows);
  ReleaseCase journeys{
      .name = name,
      .rows = kJourneyRows,
      .inputs = {"start_lat", "start_lon", "end_lat", "end_lon"},
      .output = "tripduration",
      .table = folder / "journeys.csv",
      .options = {"--bounds", "0:2000", "--epsilon", "1", "--delta", "1e-6"}};
  std::vector<std::string> columns = journeys.inputs;
  columns.push_back(journeys.output);
  WriteFirst(*data, columns, kJourneyRows, journeys.table);
  return journeys;
}

}  // namespace

std::vector<ReleaseCase> WriteReleaseCases(
    const std::filesystem::path& folder) {
  std::vector<ReleaseCase> cases;
  for (const Index rows : {10'000, 100'000, 1'000'000}) {
    cases.push_back(MadeUp(folder, "outputs, two inputs", false, 2, rows));
  }
  cases.push_back(Journeys(folder));
  for (const Index inputs : {2, 3}) {
    for (const Index rows : {10'000, 100'000}) {
      cases.push_back(MadeUp(
          folder, Text("rows, ", inputs == 2 ? "two" : "three", " inputs"),
          true, inputs, rows));
    }
  }
  return cases;
}

}  // namespace cloak
