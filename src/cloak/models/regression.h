#ifndef CLOAK_MODELS_REGRESSION_H_
#define CLOAK_MODELS_REGRESSION_H_

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

// Regression with the outputs private and the inputs public.
struct RegressionOptions {
  enum Method {
    // Release the statistic that leaves the least posterior variance, and
    // infer from it. Needs nothing but the data.
    kOptimal,
    // The rest are the methods of Smith et al. 2018 and 2021. They need
    // kernel and noise_variance (kPolynomial: noise_variance alone).
    //
    // Predictions of the exact process at `query_points`, with noise shaped to
    // them.
    kCloaking,
    // The same of FITC with `inducing` points, by k-means; at the inputs when
    // there are no query points.
    kSparseCloaking,
    // kCloaking with lengthscales that grow where inputs are scarce: every eq
    // in `kernel` becomes a gibbs kernel (kernel.h) whose lengthscale is at
    // most that of the eq, m, and [1/m + ρ(x)/neighbours]⁻¹ where the inputs
    // have density ρ (Smith et al. 2021, sections 3.1 and 6.1).
    kNonstationaryCloaking,
    // The initial method: the posterior mean as a function, with noise from
    // the prior.
    kFunctional,
    // Least squares by polynomials of `degree`, cloaked.
    kPolynomial,
    // Means of bins, with Laplace noise, which needs no δ. Needs no kernel.
    kBinning,
    // A process conditioned on those means, as integrals of it.
    kIntegralBinning,
  };
  // kBayes: for kOptimal. kVolume, kTrace: for it, and for all that are
  // cloaked.
  using Design = PlanDesign;
  using enum PlanDesign;

  Method method = kOptimal;
  std::optional<Design> design = {};  // the method's own when absent
  // Learned from the release when absent (kOptimal only).
  std::optional<Kernel> kernel = {};
  std::optional<double> noise_variance = {};
  // Of each row, public, in place of noise_variance, which is then that of a
  // new observation (the mean of them when absent).
  std::optional<Vector> row_noise_variances = {};
  // Where f lies far from all data, from public knowledge; the middle of the
  // bounds when absent.
  std::optional<double> prior_mean = {};
  // The places that matter; the inputs when absent.
  std::optional<Matrix> query_points = {};
  // kOptimal: one release, whose predictions are linear in what is released,
  // also where several rounds would leave less error.
  bool one_round = false;
  Index inducing = 10;
  double neighbours = 20;
  Index degree = 1;
  // How many bins in each input, and where they begin and end: the public
  // range of the inputs when absent.
  PerInput bins = 10;
  std::optional<Vector> lower = {};
  std::optional<Vector> upper = {};
  // Noise by the papers' constant √(2 ln(2/δ))/ε. It is never less than what
  // the budget needs: above ε = 1, where their theorem ends, it may be more.
  bool published_noise = false;
  std::vector<std::string> input_names = {};
  std::string output_name = {};
  // Whose outputs are protected all at once: those of rows with the same value
  // in the column `unit_name`. Each row's by itself when absent.
  std::optional<PrivacyUnits> units = {};
  std::string unit_name = {};
};

// "optimal", "sparse-cloaking", …: as on the command line and in a release.
std::string NameOf(RegressionOptions::Method method);
std::vector<RegressionOptions::Method> RegressionMethods();

// Throws InvalidInput when the options do not fit each other, as RegressionPlan
// does; what of them is only to be read may be announced.
struct AnnouncedOptions {
  bool queries = false;
  bool row_noise = false;
};
void CheckMethod(const RegressionOptions& options,
                 const AnnouncedOptions& announced = {});

//   RegressionPlan plan(X, bounds, budget, options, threads);
//   Release release = plan.Execute(rows, randomness);
//
// What is public of it depends on the multiset of the rows' public columns, not
// on their order (row_order.h).
class RegressionPlan : public Plan {
 public:
  // Throws InvalidInput when options do not fit the inputs or each other.
  RegressionPlan(const Matrix& X, const OutputBounds& bounds,
                 const Budget& budget, const RegressionOptions& options,
                 const Threads& threads, const Progress& progress = NoProgress);

  const PlanSummary& summary() const override { return plan_->summary(); }
  PrivacyEvent event() const override { return plan_->event(); }
  const PrivacyUnits& units() const override { return plan_->units(); }
  const GaussianMechanism* mechanism() const override {
    return plan_->mechanism();
  }
  std::optional<LinearDecoder> decoder() const override {
    return plan_->decoder();
  }
  // The order of the rows in mechanism() and units().
  const RowOrder& order() const { return *order_; }

  Release Execute(const PrivateRows& rows,
                  Randomness& randomness) const override;
  Release ExecuteObserved(const PrivateRows& rows, Randomness& randomness,
                          const ReleaseObserver& observer) const override;

 private:
  std::optional<RowOrder> order_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_REGRESSION_H_
