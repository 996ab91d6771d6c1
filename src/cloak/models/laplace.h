#ifndef CLOAK_MODELS_LAPLACE_H_
#define CLOAK_MODELS_LAPLACE_H_

#include <memory>
#include <optional>
#include <string>

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/models/cloaking.h"
#include "cloak/models/plan.h"

namespace cloak {

// The Laplace approximation of classification with a logistic link (Rasmussen
// and Williams 2006, section 3.4), made private by cloaking its Newton steps
// (Smith et al. 2021, sections 4 and 4.1). With t = (y + 1)/2, π_i = π(f_i) and
// W = diag(π_i(1 − π_i)), a step from f (their equation 10) is
//   (K⁻¹ + W)⁻¹(W f + t − π) = K(K + W⁻¹)⁻¹(f + W⁻¹(½ − π)) + C y,
//   C = ½(K⁻¹ + W)⁻¹ = K(K + W⁻¹)⁻¹(2W)⁻¹,
// which is regression with the noise variances W⁻¹. From f = 0, W = I/4:
// regression of 2y with noise variance 4.
struct LaplaceOptions {
  std::string method = "laplace";
  Kernel kernel;
  CloakingDesign design = CloakingDesign::kVolume;
  // The subset of regressors through so many centres of the inputs, K =
  // K_NM K_MM⁻¹ K_MN; the exact process when absent.
  std::optional<Index> inducing = {};
  // Where predictions are cloaked; at the inputs when absent.
  std::optional<Matrix> query_points = {};
  bool published_noise = false;
};

// The step from f = 0.
std::unique_ptr<Plan> PlanNewtonStep(const PlanSetting& setting,
                                     const LaplaceOptions& options);

// Another step from what the first released. Each step is μ/√2-Gaussian-DP for
// every result of the other, and μ² adds up, also where a mechanism is chosen
// by looking at the results of others (Dong, Roth and Su 2022, Theorem 4 and
// Corollary 2): together they are μ-Gaussian-DP, with the μ of the budget.
class TwoNewtonSteps : public Plan {
 public:
  TwoNewtonSteps(const PlanSetting& setting, const LaplaceOptions& options);

  // Of the first step, whose statistic can be known beforehand.
  const PlanSummary& summary() const override { return summary_; }
  PrivacyEvent event() const override;
  const PrivacyUnits& units() const override { return first_->units(); }
  const GaussianMechanism* mechanism() const override { return nullptr; }

  Release Execute(const PrivateRows& rows,
                  Randomness& randomness) const override;
  Release ExecuteObserved(const PrivateRows& rows, Randomness& randomness,
                          const ReleaseObserver& observer) const override;

 private:
  PlanSetting setting_;
  LaplaceOptions options_;
  std::unique_ptr<Plan> first_;
  PlanSummary summary_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_LAPLACE_H_
