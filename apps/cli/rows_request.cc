#include "apps/cli/rows_request.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/cli/required.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// What has no effect, or needs something public that is private here, was a
// misunderstanding.
void RefuseOutputOptions(const ReleaseArguments& arguments) {
  RequireInput(
      arguments.method == "optimal" || arguments.method == kVariational,
      "--protect rows has --method optimal or ", kVariational, ", but not ",
      arguments.method);
  const std::vector<std::pair<std::string, bool>> given = {
      {"--unit", arguments.unit.has_value()},
      {"--noise-column", arguments.noise_column.has_value()},
      {"--at", arguments.at.has_value()},
      {"--design", arguments.design.has_value()},
      {"--degree", arguments.degree.has_value()},
      {"--neighbours", arguments.neighbours.has_value()},
      {"--reproduce", arguments.reproduce.has_value()},
      {"--accept-weaker", arguments.accept_weaker},
      {"--newton-steps", arguments.newton_steps.has_value()}};
  for (const auto& [option, is_given] : given) {
    RequireInput(!is_given, option, " belongs to --protect outputs");
  }
}

VariationalOptions CheckVariational(const ReleaseArguments& arguments,
                                    size_t inputs) {
  RequireInput(arguments.task == "regression",
               "--method variational belongs to --task regression");
  RequireInput(!arguments.bins.has_value(),
               "--bins belongs to --method optimal here; the inducing points "
               "of --method variational are --inducing");
  const std::optional<Kernel> kernel = KernelOf(arguments, inputs);
  const std::optional<double> noise = NoiseVarianceOf(arguments);
  RequireInput(kernel.has_value() && noise.has_value(),
               "--method variational needs --kernel and --noise-variance, from "
               "public knowledge or chosen by 'cloak select'; --method optimal "
               "learns both from the release");
  VariationalOptions options;
  options.kernel = *kernel;
  options.noise_variance = *noise;
  if (arguments.inducing.has_value()) {
    options.grid = CountsOf(*arguments.inducing, "--inducing", inputs);
  } else {
    const double most =
        std::pow(static_cast<double>(VariationalPlan::kMostPoints),
                 1 / static_cast<double>(inputs));
    options.grid = {std::min<Index>(9, static_cast<Index>(most + 1e-9))};
  }
  return options;
}

SvmOptions CheckMachine(const ReleaseArguments& arguments, size_t inputs) {
  RequireInput(arguments.method == "optimal",
               "--task svm has no other --method; leave it out");
  RequireInput(!arguments.bins.has_value(),
               "--bins belongs to other tasks than svm");
  SvmOptions options;
  options.kernel = KernelOf(arguments, inputs);
  if (arguments.cost.has_value()) {
    options.cost = ParseNumber(*arguments.cost, "--cost");
    RequireInput(std::isfinite(*options.cost) && *options.cost > 0,
                 "--cost must be finite and positive, but is ", *options.cost);
  }
  return options;
}

}  // namespace

RowsRequest CheckRows(const ReleaseArguments& arguments,
                      const std::vector<std::string>& input_names) {
  RefuseOutputOptions(arguments);
  RowsRequest request;
  request.ranges = InputRangesOf(
      Required(arguments.input_ranges,
               Text("--input-ranges is missing: where each input lies, from "
                    "public knowledge, such as ",
                    input_names[0],
                    "=0:20\nCloak cannot read them off the data: with "
                    "--protect rows the inputs are private too.")),
      input_names);
  request.prior_mean = PriorMeanOf(arguments);
  if (arguments.task == "svm") {
    RequireInput(!arguments.inducing.has_value(),
                 "--inducing belongs to --method variational");
    request.svm = CheckMachine(arguments, input_names.size());
    return request;
  }
  if (arguments.method == kVariational) {
    request.variational = CheckVariational(arguments, input_names.size());
    return request;
  }
  RequireInput(!arguments.inducing.has_value(),
               "--inducing belongs to --method variational");
  request.optimal.kernel = KernelOf(arguments, input_names.size());
  request.optimal.noise_variance = NoiseVarianceOf(arguments);
  if (arguments.bins.has_value()) {
    std::vector<Index> cells =
        CountsOf(*arguments.bins, "--bins", input_names.size());
    if (cells.size() == 1) cells.resize(input_names.size(), cells[0]);
    request.optimal.cells = std::move(cells);
  }
  return request;
}

}  // namespace cloak
