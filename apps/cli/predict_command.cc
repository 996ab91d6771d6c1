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

// Two columns of one name would leave the reader to guess which is which.
void CheckNoClash(const Table& queries) {
  for (const char* name : {"mean", "sd", "lower", "upper"}) {
    const auto& header = queries.header();
    RequireInput(std::count(header.begin(), header.end(), name) == 0,
                 Text("'", queries.name(), "' already has a column '", name,
                      "', which predict adds; rename it first"));
  }
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
  CheckNoClash(queries);

  const Predictions predictions =
      release.Predict(queries.Numeric(csv.numeric), options, Threads());
  std::vector<CsvColumn> columns;
  for (const std::string& name : queries.header()) {
    columns.emplace_back(name, queries.TextColumn(name));
  }
  columns.emplace_back("mean", predictions.mean);
  columns.emplace_back("sd", predictions.sd);
  columns.emplace_back("lower", predictions.lower);
  columns.emplace_back("upper", predictions.upper);
  std::ostringstream out;
  WriteCsv(out, columns);
  WriteOutput(arguments.file, out.str(), streams);
}

}  // namespace cloak
