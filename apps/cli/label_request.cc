#include "apps/cli/label_request.h"

#include <string>
#include <utility>
#include <vector>

#include "apps/cli/quoted_names.h"
#include "apps/cli/required.h"
#include "apps/cli/whole_number.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/label_classes.h"

namespace cloak {
namespace {

ClassificationOptions::Method LabelMethodOf(const std::string& name) {
  std::vector<std::string> names;
  for (const ClassificationOptions::Method method : ClassificationMethods()) {
    if (NameOf(method) == name) return method;
    names.push_back(NameOf(method));
  }
  throw InvalidInput(Text("--method ", name,
                          " belongs to --task regression; classification has ",
                          Join(names, ", ")));
}

std::vector<std::string> CheckClasses(const ReleaseArguments& arguments) {
  std::vector<std::string> classes = SplitNames(
      Required(arguments.classes,
               "--classes NO,YES is missing: the two classes as the table "
               "spells them, from public knowledge, such as --classes 0,1\n"
               "Cloak cannot read them off the data: a class that only one "
               "row has belongs to somebody."),
      ',');
  RequireInput(classes.size() == 2,
               "--classes must name two classes, but names ", classes.size(),
               "; more than two are not available yet in this version");
  LabelClasses{classes};  // throws when they cannot be told apart
  return classes;
}

void RefuseNumberOptions(const ReleaseArguments& arguments) {
  RequireInput(!arguments.bounds.has_value(),
               "--bounds belongs to --task regression; a label is one of the "
               "--classes, and has no bounds");
  const std::vector<std::pair<std::string, bool>> given = {
      {"--noise-variance", arguments.noise_variance.has_value()},
      {"--noise-column", arguments.noise_column.has_value()},
      {"--prior-mean", arguments.prior_mean.has_value()},
      {"--degree", arguments.degree.has_value()},
      {"--bins", arguments.bins.has_value() && arguments.protect != "rows"},
      {"--input-ranges",
       arguments.input_ranges.has_value() && arguments.protect != "rows"},
      {"--neighbours", arguments.neighbours.has_value()}};
  for (const auto& [option, is_given] : given) {
    RequireInput(!is_given, option, " belongs to --task regression");
  }
}

}  // namespace

bool HasLabels(const ReleaseArguments& arguments) {
  return arguments.task == "classification" || arguments.task == "svm";
}

ClassificationOptions CheckLabels(const ReleaseArguments& arguments) {
  RefuseNumberOptions(arguments);
  ClassificationOptions options;
  options.classes = CheckClasses(arguments);
  options.method = LabelMethodOf(arguments.method);
  if (arguments.design.has_value()) {
    options.design = DesignNamed(*arguments.design);
  }
  if (arguments.kernel.has_value()) {
    options.kernel = Kernel::Parse(*arguments.kernel);
  }
  if (arguments.newton_steps.has_value()) {
    RequireInput(options.method == ClassificationOptions::kLaplace,
                 "--newton-steps belongs to --method laplace");
    options.newton_steps = static_cast<int>(
        WholeNumber(*arguments.newton_steps, "--newton-steps", 1, 2));
  }
  if (arguments.inducing.has_value()) {
    RequireInput(options.method == ClassificationOptions::kLaplaceSparse,
                 "--inducing belongs to --method laplace-sparse");
    options.inducing = WholeNumber(*arguments.inducing, "--inducing", 1, 1000);
  }
  return options;
}

void RefuseLabelOptions(const ReleaseArguments& arguments) {
  RequireInput(
      !arguments.classes.has_value(),
      "--classes belongs to --task classification and svm; say so if the "
      "output is one of two classes");
  RequireInput(!arguments.newton_steps.has_value(),
               "--newton-steps belongs to --task classification");
}

}  // namespace cloak
