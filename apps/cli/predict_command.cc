#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/csv_writer.h"

namespace cloak {
namespace {

PredictOptions CheckOptions(const PredictArguments& arguments) {
  PredictOptions options;
  options.interval = ParseNumber(arguments.interval, "--interval");
  RequireInput(options.interval > 0 && options.interval < 1,
               Text("--interval must lie between 0 and 1, such as 0.95, but "
                    "is ",
                    options.interval));
  options.latent = arguments.latent;
  return options;
}

// A column that predict adds: numbers or text.
struct AddedColumn {
  std::string name;
  Vector numbers = {};
  std::vector<std::string> text = {};
};

// Two columns of one name would leave the reader to guess which is which.
void CheckNoClash(const Table& queries, const std::vector<AddedColumn>& added) {
  for (const AddedColumn& column : added) {
    const auto& header = queries.header();
    RequireInput(std::count(header.begin(), header.end(), column.name) == 0,
                 Text("'", queries.name(), "' already has a column '",
                      column.name, "', which predict adds; rename it first"));
  }
}

std::vector<AddedColumn> NumberColumns(const Release& release, const Matrix& X,
                                       const PredictOptions& options) {
  const Predictions predictions = release.Predict(X, options, Threads());
  return {{"mean", predictions.mean},
          {"sd", predictions.sd},
          {"lower", predictions.lower},
          {"upper", predictions.upper}};
}

// Mean and sd are of the log odds of the second class, the probability is that
// class's.
std::vector<AddedColumn> ClassColumns(const Release& release, const Matrix& X) {
  const ClassPredictions predictions = release.PredictClasses(X, Threads());
  const Predictions log_odds = release.Predict(X, {.latent = true}, Threads());
  std::vector<std::string> names;
  for (const size_t place : predictions.most_probable) {
    names.push_back(release.content().classes[place]);
  }
  return {{"probability", predictions.probability.col(1)},
          {"class", {}, names},
          {"mean", log_odds.mean},
          {"sd", log_odds.sd}};
}

}  // namespace

void RunPredict(const PredictArguments& arguments, const Streams& streams) {
  RequireInput(!arguments.release.empty() && !arguments.queries.empty(),
               "predict needs a release and a table: cloak predict FILE.cloak "
               "QUERIES.csv");
  RequireInput(!(IsStream(arguments.release) && IsStream(arguments.queries)),
               "the release and the queries cannot both be standard input");
  const PredictOptions options = CheckOptions(arguments);
  CheckOutput(arguments.file, {arguments.release, arguments.queries});
  const Release release = ReadRelease(arguments.release, streams);
  CsvOptions csv;
  csv.all_text = true;
  for (const InputColumn& input : release.content().inputs) {
    csv.numeric.push_back(input.name);
  }
  const Table queries = ReadTable(arguments.queries, csv, streams);
  const Matrix X = queries.Numeric(csv.numeric);
  const std::vector<AddedColumn> added =
      release.content().classes.empty() ? NumberColumns(release, X, options)
                                        : ClassColumns(release, X);
  CheckNoClash(queries, added);
  std::vector<CsvColumn> columns;
  for (const std::string& name : queries.header()) {
    columns.emplace_back(name, queries.TextColumn(name));
  }
  for (const AddedColumn& column : added) {
    if (column.text.empty()) {
      columns.emplace_back(column.name, column.numbers);
    } else {
      columns.emplace_back(column.name, column.text);
    }
  }
  std::ostringstream out;
  WriteCsv(out, columns);
  WriteOutput(arguments.file, out.str(), streams);
}

}  // namespace cloak
