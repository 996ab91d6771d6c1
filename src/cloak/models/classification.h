#ifndef CLOAK_MODELS_CLASSIFICATION_H_
#define CLOAK_MODELS_CLASSIFICATION_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/plan.h"
#include "cloak/models/row_order.h"
#include "cloak/privacy/budget.h"

namespace cloak {

// Two classes, with the labels private and the inputs public. The probability
// of the second class is 1/(1 + e⁻ᶠ) for a Gaussian process f.
struct ClassificationOptions {
  enum Method {
    // Release the statistic of the labels that leaves the least posterior
    // variance of f, and infer from it to convergence. Needs nothing but the
    // data.
    kOptimal,
    // One private Newton step of the Laplace approximation, cloaked at the
    // inputs (Smith et al. 2021, section 4). Needs `kernel`.
    kLaplace,
    // The same through `inducing` points, by k-means (section 4.1).
    kLaplaceSparse,
  };
  // kBayes: for kOptimal. kVolume, kTrace: for all.
  using Design = PlanDesign;
  using enum PlanDesign;

  Method method = kOptimal;
  std::optional<Design> design = {};  // the method's own when absent
  // Learned from the release when absent (kOptimal only).
  std::optional<Kernel> kernel = {};
  // The places that matter; the inputs when absent.
  std::optional<Matrix> query_points = {};
  Index inducing = 10;
  // Private Newton steps, 1 or 2, which share the budget (kLaplace). The paper
  // found two worse than one.
  int newton_steps = 1;
  // Noise by the papers' constant where that is more (not kOptimal).
  bool published_noise = false;
  std::vector<std::string> input_names = {};
  std::string output_name = {};
  // From public knowledge, like the bounds of a number; two, the second is the
  // positive one. Labels come as −1 and 1.
  std::vector<std::string> classes = {};
  // Whose labels are protected all at once; each row's when absent.
  std::optional<PrivacyUnits> units = {};
  std::string unit_name = {};
};

// "optimal", "laplace", "laplace-sparse".
std::string NameOf(ClassificationOptions::Method method);
std::vector<ClassificationOptions::Method> ClassificationMethods();

// Throws InvalidInput when the options do not fit each other, as
// ClassificationPlan does.
void CheckMethod(const ClassificationOptions& options);

//   ClassificationPlan plan(X, budget, options, threads);
//   Release release = plan.Execute(rows, randomness);  // −1 and 1
//   release.PredictClasses(Xs, threads);
//
// What is public of it does not depend on the order of the rows (row_order.h).
class ClassificationPlan : public Plan {
 public:
  // Throws InvalidInput when options do not fit the inputs or each other.
  ClassificationPlan(const Matrix& X, const Budget& budget,
                     const ClassificationOptions& options,
                     const Threads& threads,
                     const Progress& progress = NoProgress);

  const PlanSummary& summary() const override { return plan_->summary(); }
  PrivacyEvent event() const override { return plan_->event(); }
  const PrivacyUnits& units() const override { return plan_->units(); }
  // Null with two Newton steps: the second mechanism depends on what the first
  // releases.
  const GaussianMechanism* mechanism() const override {
    return plan_->mechanism();
  }
  Release Execute(const PrivateRows& rows,
                  Randomness& randomness) const override;
  Release ExecuteObserved(const PrivateRows& rows, Randomness& randomness,
                          const ReleaseObserver& observer) const override;

 private:
  std::optional<RowOrder> order_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_CLASSIFICATION_H_
