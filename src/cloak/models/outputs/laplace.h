#ifndef CLOAK_MODELS_OUTPUTS_LAPLACE_H_
#define CLOAK_MODELS_OUTPUTS_LAPLACE_H_

#include <memory>

#include "cloak/models/plan.h"
#include "cloak/models/task.h"

namespace cloak {

// The Laplace approximation of classification with a logistic link (Rasmussen
// and Williams 2006, section 3.4), made private by cloaking its Newton steps
// (Smith et al. 2021, sections 4 and 4.1). With t = (y + 1)/2, π_i = π(f_i) and
// W = diag(π_i(1 − π_i)), a step from f (their equation 10) is
//   (K⁻¹ + W)⁻¹(W f + t − π) = K(K + W⁻¹)⁻¹(f + W⁻¹(½ − π)) + C y,
//   C = ½(K⁻¹ + W)⁻¹ = K(K + W⁻¹)⁻¹(2W)⁻¹,
// which is regression with the noise variances W⁻¹. From f = 0, W = I/4:
// regression of 2y with noise variance 4. The sparse form is the subset of
// regressors through centres of the inputs, K = K_NM K_MM⁻¹ K_MN.

// The step from f = 0.
std::unique_ptr<Plan> PlanNewtonStep(const SharedSetting& setting,
                                     const Classification& task);

// Another step from what the first released. Each step is μ/√2-Gaussian-DP for
// every result of the other, and μ² adds up, also where a mechanism is chosen
// by looking at the results of others (Dong, Roth and Su 2022, Theorem 4 and
// Corollary 2): together they are μ-Gaussian-DP, with the μ of the budget.
class TwoNewtonSteps : public Plan {
 public:
  TwoNewtonSteps(const SharedSetting& setting, const Classification& task);

 private:
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override;

  Classification task_;
  std::unique_ptr<Plan> first_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_LAPLACE_H_
