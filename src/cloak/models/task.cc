#include "cloak/models/task.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

bool IsCloaked(Regression::Method method) {
  return method == Regression::kCloaking ||
         method == Regression::kSparseCloaking ||
         method == Regression::kNonstationaryCloaking ||
         method == Regression::kPolynomial;
}

template <typename Value>
Value Named(const std::string& what, const std::vector<Value>& all,
            const std::string& name) {
  std::vector<std::string> names;
  for (const Value value : all) {
    names.push_back(NameOf(value));
    if (names.back() == name) return value;
  }
  throw InvalidInput(Text("there is no ", what, " '", name, "'; there is ",
                          Join(names, ", ")));
}

}  // namespace

bool IsBinned(Regression::Method method) {
  return method == Regression::kBinning ||
         method == Regression::kIntegralBinning;
}

bool NeedsQueryPoints(Regression::Method method) {
  return method == Regression::kCloaking ||
         method == Regression::kNonstationaryCloaking;
}

bool ProtectsOutputs(Regression::Method method) {
  return method != Regression::kVariational;
}

bool ProtectsRows(Regression::Method method) {
  return method == Regression::kOptimal || method == Regression::kVariational;
}

std::string NameOf(PlanDesign design) {
  switch (design) {
    case PlanDesign::kBayes:
      return "bayes";
    case PlanDesign::kVolume:
      return "volume";
    case PlanDesign::kTrace:
      return "trace";
  }
  throw Error("an unknown design");
}

PlanDesign DesignNamed(const std::string& name) {
  return Named<PlanDesign>(
      "design", {PlanDesign::kBayes, PlanDesign::kVolume, PlanDesign::kTrace},
      name);
}

std::string NameOf(Regression::Method method) {
  switch (method) {
    case Regression::kOptimal:
      return "optimal";
    case Regression::kCloaking:
      return "cloaking";
    case Regression::kSparseCloaking:
      return "sparse-cloaking";
    case Regression::kNonstationaryCloaking:
      return "nonstationary-cloaking";
    case Regression::kFunctional:
      return "functional";
    case Regression::kPolynomial:
      return "polynomial";
    case Regression::kBinning:
      return "binning";
    case Regression::kIntegralBinning:
      return "integral-binning";
    case Regression::kVariational:
      return "variational";
  }
  throw Error("an unknown method");
}

std::vector<Regression::Method> RegressionMethods() {
  return {Regression::kOptimal,        Regression::kCloaking,
          Regression::kSparseCloaking, Regression::kNonstationaryCloaking,
          Regression::kFunctional,     Regression::kPolynomial,
          Regression::kBinning,        Regression::kIntegralBinning,
          Regression::kVariational};
}

std::string NameOf(Classification::Method method) {
  switch (method) {
    case Classification::kOptimal:
      return "optimal";
    case Classification::kLaplace:
      return "laplace";
    case Classification::kLaplaceSparse:
      return "laplace-sparse";
  }
  throw Error("an unknown method");
}

std::vector<Classification::Method> ClassificationMethods() {
  return {Classification::kOptimal, Classification::kLaplace,
          Classification::kLaplaceSparse};
}

std::string NameOf(Density::Method method) {
  switch (method) {
    case Density::kOptimal:
      return "optimal";
    case Density::kFunctional:
      return "functional";
  }
  throw Error("an unknown method");
}

std::vector<Density::Method> DensityMethods() {
  return {Density::kOptimal, Density::kFunctional};
}

Regression::Method RegressionMethodNamed(const std::string& name) {
  return Named("method of regression", RegressionMethods(), name);
}

Classification::Method ClassificationMethodNamed(const std::string& name) {
  return Named("method of classification", ClassificationMethods(), name);
}

Density::Method DensityMethodNamed(const std::string& name) {
  return Named("method of densities", DensityMethods(), name);
}

void CheckTask(const Regression& options, bool protects_rows,
               const Announced& announced) {
  const Regression::Method method = options.method;
  const std::string name = NameOf(method);
  RequireInput(
      std::holds_alternative<PureBudget>(options.budget) == IsBinned(method),
      "the method '", name, "' ",
      IsBinned(method) ? "adds Laplace noise, which leaves nothing outside the "
                         "guarantee: its budget has no delta"
                       : "adds Gaussian noise: its budget has a delta");
  if (protects_rows) {
    RequireInput(
        method == Regression::kOptimal || method == Regression::kVariational,
        "the method '", name,
        "' needs public inputs; whole rows are protected by 'optimal' and "
        "'variational'");
    RequireInput(method == Regression::kOptimal ||
                     (options.kernel && options.noise_variance),
                 "the method 'variational' learns nothing from the release: "
                 "give the kernel and the noise variance, or use the method "
                 "'optimal', which learns them");
    RequireInput(
        !options.design && !options.query_points && !options.published_noise,
        "designs, query points and the papers' noise belong to public "
        "inputs");
    RequireInput(method == Regression::kOptimal || !options.bins,
                 "the method 'variational' has inducing points, and no cells");
    RequireInput(!options.lower && !options.upper,
                 "where private inputs lie is said with them, not with bins");
    return;
  }
  RequireInput(method != Regression::kVariational,
               "the method 'variational' is for private inputs");
  RequireInput(
      IsBinned(method) || !(options.bins || options.lower || options.upper),
      "bins belong to the methods 'binning' and 'integral-binning', or "
      "to private inputs, not to '",
      name, "'");
  const bool has_queries = options.query_points || announced.queries;
  const bool has_row_noise = announced.row_noise;
  RequireInput(!options.published_noise || IsCloaked(method) ||
                   method == Regression::kFunctional,
               "the papers' noise belongs to their methods, not to '", name,
               "'");
  RequireInput(!has_row_noise ||
                   !(IsBinned(method) || method == Regression::kPolynomial),
               "the method '", name,
               "' has one noise variance for all rows; leave out those "
               "of single rows, or use another method");
  if (method == Regression::kOptimal) return;

  RequireInput(!NeedsQueryPoints(method) || has_queries, "the method '", name,
               "' releases predictions at a list of query points: give "
               "them, or use the method 'optimal', "
               "which needs none");
  const bool has_kernel =
      method != Regression::kPolynomial && method != Regression::kBinning;
  RequireInput(has_kernel || !options.kernel, "the method '", name,
               "' has no kernel: leave the kernel out");
  RequireInput(
      (options.kernel || !has_kernel) &&
          (options.noise_variance || has_row_noise ||
           method == Regression::kBinning),
      "the method '", name, "' learns nothing from the release: give ",
      has_kernel ? "the kernel and the noise variance" : "the noise variance",
      ", or use the method 'optimal', which learns them");
  RequireInput(options.design != Regression::kBayes,
               "the design 'bayes' belongs to the method 'optimal'; cloaked "
               "methods have the designs 'volume' and 'trace', others have one "
               "of their own");
  RequireInput(!options.design || IsCloaked(method), "the method '", name,
               "' has a design of its own; leave the design out");
  RequireInput(
      !has_queries || !(IsBinned(method) || method == Regression::kFunctional),
      "the method '", name,
      "' is the same wherever queries are: leave the query "
      "points out");
}

void CheckTask(const Classification& options, bool protects_rows) {
  const std::string name = NameOf(options.method);
  const bool optimal = options.method == Classification::kOptimal;
  RequireInput(
      !protects_rows || (optimal && !options.design && !options.query_points),
      "methods other than 'optimal', designs and query points belong "
      "to public inputs");
  RequireInput(protects_rows || !options.bins, "bins belong to private inputs");
  RequireInput(optimal || options.kernel, "the method '", name,
               "' learns nothing from the release: give the kernel, or "
               "use the method 'optimal', which learns it");
  RequireInput(optimal || options.design != Classification::kBayes,
               "the design 'bayes' belongs to the method 'optimal'; '", name,
               "' has the designs 'volume' and 'trace'");
  RequireInput(!optimal || !options.published_noise,
               "the papers' noise belongs to their methods, not to 'optimal'");
  RequireInput(options.newton_steps == 1 || options.newton_steps == 2,
               "there must be 1 or 2 Newton steps, but there are ",
               options.newton_steps);
  RequireInput(
      options.newton_steps == 1 || options.method == Classification::kLaplace,
      "more than one private Newton step belongs to the method "
      "'laplace', not to '",
      name, "'",
      optimal ? ", which takes as many as it needs, at no cost" : "");
}

}  // namespace cloak
