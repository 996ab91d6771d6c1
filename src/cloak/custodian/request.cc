#include "cloak/custodian/request.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/nearest_name.h"
#include "cloak/base/text.h"

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

// Adds private inputs, which are numbers, or categories of a histogram.
void AddPrivateInputs(const Request& request, CsvOptions& csv) {
  const auto* histogram = std::get_if<HistogramTask>(&request.task);
  if (histogram == nullptr) {
    csv.secret = request.inputs;
    return;
  }
  for (const HistogramAxis& axis : histogram->axes) {
    if (axis.categories.empty()) {
      csv.secret.push_back(axis.name);
    } else {
      csv.categories.push_back({axis.name, axis.categories});
    }
  }
}

PublicInputs PublicInputsOf(const Request& request, const Table& table) {
  PublicInputs inputs;
  inputs.X = table.Numeric(request.inputs);
  if (!request.noise.empty()) {
    inputs.noise_variances = table.Numeric({request.noise}).col(0);
  }
  if (!request.unit.empty()) {
    inputs.unit_name = request.unit;
    inputs.units = PrivacyUnits::FromLabels(
        table.TextColumn(request.unit),
        Text("column '", request.unit, "' of '", table.name(), "'"));
  }
  return inputs;
}

}  // namespace

std::string Request::OutputName() const {
  return std::visit(
      [](const auto& column) -> std::string {
        if constexpr (requires { column.name; }) {
          return column.name;
        } else {
          return "";
        }
      },
      output);
}

std::vector<std::string> Request::PrivateColumns() const {
  std::vector<std::string> names;
  if (!OutputName().empty()) names.push_back(OutputName());
  if (ProtectsRows()) names.insert(names.end(), inputs.begin(), inputs.end());
  return names;
}

CsvOptions ColumnsOf(const Request& request, const PrivateReading& reading) {
  CsvOptions csv;
  if (!request.ProtectsRows()) csv.numeric = request.inputs;
  if (!request.noise.empty()) csv.numeric.push_back(request.noise);
  if (!request.unit.empty()) csv.text = {request.unit};
  csv.refuse_missing = reading.refuse_missing;
  csv.missing_values = reading.missing_values;
  // Also where no secret is asked for.
  csv.quote_cells = false;
  if (reading.closed) return csv;
  if (request.ProtectsRows()) AddPrivateInputs(request, csv);
  if (const auto* label = std::get_if<LabelOutput>(&request.output)) {
    csv.labels = {label->name, label->classes};
  } else if (!request.OutputName().empty()) {
    csv.secret.push_back(request.OutputName());
  }
  if (reading.for_ledger) csv.secret_text = request.PrivateColumns();
  return csv;
}

void RequireColumns(const Request& request, const Table& table) {
  if (!request.OutputName().empty()) RequireColumn(table, request.OutputName());
  for (const std::string& input : request.inputs) RequireColumn(table, input);
}

SharedSetting SettingOf(const Request& request, const Table& table,
                        const Progress& progress) {
  Setting setting;
  setting.input_names = request.inputs;
  if (request.ProtectsRows()) {
    setting.inputs = PrivateInputs{table.rows(), request.private_inputs->lower,
                                   request.private_inputs->upper};
  } else {
    setting.inputs = PublicInputsOf(request, table);
  }
  setting.output = request.output;
  setting.threads = request.threads;
  setting.progress = progress;
  return std::make_shared<const Setting>(std::move(setting));
}

PrivateRows PrivateRowsOf(const Request& request, const Table& table) {
  std::vector<Secret<Vector>> inputs;
  if (request.ProtectsRows()) {
    for (const std::string& name : request.inputs) {
      inputs.push_back(table.Private(name));
    }
  }
  if (request.OutputName().empty()) return PrivateRows(std::move(inputs));
  return {std::move(inputs), table.Private(request.OutputName())};
}

const Matrix* QueryPointsOf(const Task& task) {
  return std::visit(
      [](const auto& options) -> const Matrix* {
        if constexpr (requires { options.query_points; }) {
          return options.query_points ? &*options.query_points : nullptr;
        } else {
          return nullptr;
        }
      },
      task);
}

void SetQueryPoints(const Matrix& points, Task& task) {
  std::visit(
      [&](auto& options) {
        if constexpr (requires { options.query_points; }) {
          options.query_points = points;
        } else {
          throw InvalidInput(
              "query points belong to regression and classification");
        }
      },
      task);
}

}  // namespace cloak
