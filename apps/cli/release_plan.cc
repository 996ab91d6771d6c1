#include "apps/cli/release_plan.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/files.h"
#include "cloak/base/error.h"
#include "cloak/base/nearest_name.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

Table ReadData(const ReleaseArguments& arguments, const ReleaseRequest& request,
               const Streams& streams) {
  const RegressionOptions& options = request.options;
  CsvOptions csv;
  csv.numeric = options.input_names;
  if (arguments.noise_column.has_value()) {
    csv.numeric.push_back(*arguments.noise_column);
  }
  if (arguments.unit.has_value()) csv.text = {options.unit_name};
  csv.quote_cells = false;  // also in a dry run, which asks for no secret
  if (!arguments.dry_run && request.labels) {
    csv.labels = {options.output_name, request.labels->classes};
  } else if (!arguments.dry_run) {
    csv.secret = {options.output_name};
  }
  Table table = ReadTable(arguments.data, csv, streams);
  const std::vector<std::string>& header = table.header();
  if (std::count(header.begin(), header.end(), options.output_name) == 0) {
    const std::string nearest = NearestName(options.output_name, header);
    throw InvalidInput(
        Text("no column '", options.output_name, "' in '", table.name(), "'",
             nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
  }
  return table;
}

}  // namespace

ReleaseInputs ReadInputs(const ReleaseArguments& arguments,
                         ReleaseRequest request, const Streams& streams) {
  Table table = ReadData(arguments, request, streams);
  if (arguments.at.has_value()) {
    CsvOptions csv;
    csv.numeric = request.options.input_names;
    request.options.query_points =
        ReadTable(*arguments.at, csv, streams).Numeric(csv.numeric);
  }
  if (arguments.noise_column.has_value()) {
    request.options.row_noise_variances =
        table.Numeric({*arguments.noise_column}).col(0);
  }
  if (arguments.unit.has_value()) {
    const std::string& unit = request.options.unit_name;
    request.options.units =
        Units::FromLabels(table.TextColumn(unit),
                          Text("column '", unit, "' of '", table.name(), "'"));
  }
  return {std::move(request), std::move(table)};
}

std::unique_ptr<Plan> PlanRelease(const ReleaseInputs& inputs,
                                  ProgressBar& bar) {
  const ReleaseRequest& request = inputs.request;
  const Progress progress = [&bar](std::string_view stage, double done) {
    bar.Show(stage, done);
  };
  const Matrix X = inputs.table.Numeric(request.options.input_names);
  if (request.labels) {
    ClassificationOptions labels = *request.labels;
    labels.query_points = request.options.query_points;
    labels.input_names = request.options.input_names;
    labels.output_name = request.options.output_name;
    labels.units = request.options.units;
    labels.unit_name = request.options.unit_name;
    return std::make_unique<ClassificationPlan>(X, request.budget, labels,
                                                request.threads, progress);
  }
  return std::make_unique<RegressionPlan>(X, request.bounds, request.budget,
                                          request.options, request.threads,
                                          progress);
}

}  // namespace cloak
