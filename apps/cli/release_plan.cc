#include "apps/cli/release_plan.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/files.h"
#include "cloak/base/error.h"
#include "cloak/base/nearest_name.h"
#include "cloak/base/text.h"
#include "cloak/models/rows/histogram.h"

namespace cloak {
namespace {

void RequireColumn(const Table& table, const std::string& name) {
  const std::vector<std::string>& header = table.header();
  if (std::count(header.begin(), header.end(), name) > 0) return;
  const std::string nearest = NearestName(name, header);
  throw InvalidInput(
      Text("no column '", name, "' in '", table.name(), "'",
           nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

// Inputs that are private: numbers, or categories.
void KeepPrivateInputs(const ReleaseRequest& request, CsvOptions& csv) {
  if (!request.spread || request.spread->axes.empty()) {
    csv.secret = request.options.input_names;
    return;
  }
  for (const HistogramAxis& axis : request.spread->axes) {
    if (axis.categories.empty()) {
      csv.secret.push_back(axis.name);
    } else {
      csv.categories.push_back({axis.name, axis.categories});
    }
  }
}

}  // namespace

std::vector<std::string> PrivateNames(const ReleaseArguments& arguments,
                                      const RegressionOptions& options) {
  std::vector<std::string> names;
  if (!options.output_name.empty()) names.push_back(options.output_name);
  if (arguments.protect == "rows") {
    names.insert(names.end(), options.input_names.begin(),
                 options.input_names.end());
  }
  return names;
}

namespace {

Table ReadData(const ReleaseArguments& arguments, const ReleaseRequest& request,
               const Streams& streams) {
  const RegressionOptions& options = request.options;
  CsvOptions csv;
  if (!request.rows && !request.spread) {
    csv.numeric = options.input_names;
  } else if (!arguments.dry_run) {
    KeepPrivateInputs(request, csv);
  }
  if (arguments.noise_column.has_value()) {
    csv.numeric.push_back(*arguments.noise_column);
  }
  if (arguments.unit.has_value()) csv.text = {options.unit_name};
  csv.refuse_missing = arguments.missing == "refuse";
  if (arguments.missing_values.has_value()) {
    csv.missing_values = Split(*arguments.missing_values, ',');
  }
  csv.quote_cells = false;  // also in a dry run, which asks for no secret
  if (!arguments.dry_run && request.labels) {
    csv.labels = {options.output_name, request.labels->classes};
  } else if (!arguments.dry_run && !request.spread) {
    csv.secret.push_back(options.output_name);
  }
  // A ledger knows columns by what is written in them.
  if (!arguments.dry_run && arguments.ledger.has_value()) {
    csv.secret_text = PrivateNames(arguments, options);
  }
  Table table = ReadTable(arguments.data, csv, streams);
  if (!request.spread) RequireColumn(table, options.output_name);
  for (const std::string& input : options.input_names) {
    RequireColumn(table, input);
  }
  return table;
}

}  // namespace

RowsSetting RowsSettingOf(const ReleaseInputs& inputs,
                          const Progress& progress) {
  const ReleaseRequest& request = inputs.request;
  const RowsRequest& rows = *request.rows;
  return {.rows = inputs.table.rows(),
          .lower = rows.ranges.lower,
          .upper = rows.ranges.upper,
          .bounds = request.bounds,
          .budget = request.budget,
          .input_names = request.options.input_names,
          .output_name = request.options.output_name,
          .prior_mean = rows.prior_mean,
          .threads = request.threads,
          .progress = progress,
          .classes = request.labels ? request.labels->classes
                                    : std::vector<std::string>()};
}

std::unique_ptr<Plan> PlanRows(const RowsSetting& setting,
                               const RowsRequest& request) {
  if (request.svm) return std::make_unique<SvmPlan>(setting, *request.svm);
  if (request.variational) {
    return std::make_unique<VariationalPlan>(setting, *request.variational);
  }
  return std::make_unique<RowsOptimalPlan>(setting, request.optimal);
}

namespace {

std::unique_ptr<Plan> PlanSpread(const ReleaseInputs& inputs,
                                 const Progress& progress) {
  const ReleaseRequest& request = inputs.request;
  const SpreadRequest& spread = *request.spread;
  if (!spread.axes.empty()) {
    return std::make_unique<HistogramPlan>(
        HistogramSetting{.rows = inputs.table.rows(),
                         .axes = spread.axes,
                         .budget = spread.budget,
                         .threads = request.threads,
                         .progress = progress});
  }
  const DensitySetting setting{.rows = inputs.table.rows(),
                               .lower = spread.ranges.lower,
                               .upper = spread.ranges.upper,
                               .input_names = request.options.input_names,
                               .budget = spread.budget,
                               .threads = request.threads,
                               .progress = progress};
  if (spread.functional) {
    return std::make_unique<FunctionalDensityPlan>(setting, *spread.functional);
  }
  return std::make_unique<DensityPlan>(setting, spread.cells);
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
    request.options.units = PrivacyUnits::FromLabels(
        table.TextColumn(unit),
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
  if (request.spread) return PlanSpread(inputs, progress);
  if (request.rows) {
    return PlanRows(RowsSettingOf(inputs, progress), *request.rows);
  }
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

PrivateRows PrivatePart(const ReleaseInputs& inputs) {
  const RegressionOptions& options = inputs.request.options;
  std::vector<Secret<Vector>> columns;
  if (inputs.request.rows || inputs.request.spread) {
    for (const std::string& name : options.input_names) {
      columns.push_back(inputs.table.Private(name));
    }
  }
  if (inputs.request.spread) return PrivateRows(std::move(columns));
  const Secret<Vector>& outputs = inputs.table.Private(options.output_name);
  return {std::move(columns), outputs};
}

}  // namespace cloak
