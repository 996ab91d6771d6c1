#include "cloak/models/classification.h"

#include <algorithm>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/laplace.h"
#include "cloak/models/magnitudes.h"
#include "cloak/models/optimal.h"
#include "cloak/models/projected_plan.h"
#include "cloak/selection/hyper_prior.h"

namespace cloak {
namespace {

// Of very many inputs, so many principal components.
constexpr Index kMostComponents = 15;

void CheckClasses(const std::vector<std::string>& classes) {
  RequireInput(classes.size() == 2, "there must be 2 classes, but there are ",
               classes.size(),
               "; of more, release each against the rest, and share the "
               "budget between them");
  RequireInput(
      !classes[0].empty() && !classes[1].empty() && classes[0] != classes[1],
      "the classes must have two different names, but are '", classes[0],
      "' and '", classes[1], "'");
}

std::unique_ptr<Plan> PlanOptimalClasses(const PlanSetting& setting,
                                         const ClassificationOptions& options) {
  OptimalOptions optimal;
  optimal.link = OptimalOptions::kLogistic;
  optimal.design = options.design.value_or(ClassificationOptions::kBayes);
  optimal.kernel = options.kernel;
  optimal.query_points = options.query_points;
  return std::make_unique<OptimalPlan>(setting, optimal);
}

std::unique_ptr<Plan> PlanLaplace(const PlanSetting& setting,
                                  const ClassificationOptions& options) {
  LaplaceOptions laplace{.kernel = *options.kernel};
  laplace.method = NameOf(options.method);
  if (options.design == ClassificationOptions::kTrace) {
    laplace.design = CloakingDesign::kTrace;
  }
  if (options.method == ClassificationOptions::kLaplaceSparse) {
    laplace.inducing = options.inducing;
  }
  laplace.query_points = options.query_points;
  laplace.published_noise = options.published_noise;
  if (options.newton_steps == 1) return PlanNewtonStep(setting, laplace);
  return std::make_unique<TwoNewtonSteps>(setting, laplace);
}

void CheckClassModel(const PlanSetting& setting,
                     const ClassificationOptions& options) {
  const Index inputs = setting.X.cols();
  if (options.kernel) {
    options.kernel->CheckInputs(inputs);
    RequireKernel(*options.kernel,
                  options.kernel->Variances(setting.X).maxCoeff(),
                  setting.bounds);
  }
  if (options.query_points) {
    const Matrix& Xs = *options.query_points;
    RequireInput(Xs.rows() > 0 && Xs.cols() == inputs && Xs.allFinite(),
                 "the query points must be finite, at least one, with ", inputs,
                 " inputs, but are ", Xs.rows(), " x ", Xs.cols());
    RequireInputs(setting.input_names, Xs);
  }
}

std::unique_ptr<Plan> MakeClassPlan(const PlanSetting& setting,
                                    const ClassificationOptions& options) {
  if (options.method != ClassificationOptions::kOptimal)
    return PlanLaplace(setting, options);
  if (options.kernel || setting.X.cols() <= HyperPrior::kMostLengthscales) {
    return PlanOptimalClasses(setting, options);
  }
  // A kernel that is given is of the inputs as they are.
  const InputProjection components =
      PrincipalComponents(setting.X, kMostComponents);
  ClassificationOptions projected = options;
  if (options.query_points) {
    projected.query_points = components.Apply(*options.query_points);
  }
  return std::make_unique<ProjectedPlan>(
      setting, components, [&](const PlanSetting& of_components) {
        return PlanOptimalClasses(of_components, projected);
      });
}

}  // namespace

std::string NameOf(ClassificationOptions::Method method) {
  switch (method) {
    case ClassificationOptions::kOptimal:
      return "optimal";
    case ClassificationOptions::kLaplace:
      return "laplace";
    case ClassificationOptions::kLaplaceSparse:
      return "laplace-sparse";
  }
  throw Error("an unknown method");
}

std::vector<ClassificationOptions::Method> ClassificationMethods() {
  return {ClassificationOptions::kOptimal, ClassificationOptions::kLaplace,
          ClassificationOptions::kLaplaceSparse};
}

void CheckMethod(const ClassificationOptions& options) {
  CheckClasses(options.classes);
  const std::string name = NameOf(options.method);
  const bool optimal = options.method == ClassificationOptions::kOptimal;
  RequireInput(
      optimal || options.kernel, "the method '", name,
      "' learns nothing from the release: give the kernel (--kernel), or "
      "use the method 'optimal', which learns it");
  RequireInput(optimal || options.design != ClassificationOptions::kBayes,
               "the design 'bayes' belongs to the method 'optimal'; '", name,
               "' has the designs 'volume' and 'trace'");
  RequireInput(!optimal || !options.published_noise,
               "the papers' noise belongs to their methods, not to 'optimal'");
  RequireInput(options.newton_steps == 1 || options.newton_steps == 2,
               "there must be 1 or 2 Newton steps, but there are ",
               options.newton_steps);
  RequireInput(options.newton_steps == 1 ||
                   options.method == ClassificationOptions::kLaplace,
               "more than one private Newton step belongs to the method "
               "'laplace', not to '",
               name, "'",
               optimal ? ", which takes as many as it needs, at no cost" : "");
}

ClassificationPlan::ClassificationPlan(const Matrix& X, const Budget& budget,
                                       const ClassificationOptions& options,
                                       const Threads& threads,
                                       const Progress& progress) {
  PlanSetting setting{.X = X,
                      .bounds = OutputBounds(-1, 1),
                      .budget = budget,
                      .input_names = options.input_names,
                      .output_name = options.output_name,
                      .units = options.units,
                      .unit_name = options.unit_name,
                      .threads = threads,
                      .progress = progress,
                      .classes = options.classes};
  setting.Validate();
  CheckMethod(options);
  CheckClassModel(setting, options);

  order_.emplace(X, Vector(), setting.UnitsOrRows());
  ClassificationOptions sorted = options;
  setting.X = order_->Sorted(X);
  if (setting.units) setting.units = order_->Sorted(*setting.units);
  if (sorted.query_points) {
    sorted.query_points = SortedPoints(*sorted.query_points);
  }
  plan_ = MakeClassPlan(setting, sorted);
}

Release ClassificationPlan::Execute(const PrivateRows& rows,
                                    Randomness& randomness) const {
  return ExecuteObserved(rows, randomness, NoObserver);
}

Release ClassificationPlan::ExecuteObserved(
    const PrivateRows& rows, Randomness& randomness,
    const ReleaseObserver& observer) const {
  return plan_->ExecuteObserved(order_->Sorted(rows.outputs(), randomness),
                                randomness, observer);
}

}  // namespace cloak
