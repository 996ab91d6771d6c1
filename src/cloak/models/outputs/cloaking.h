#ifndef CLOAK_MODELS_OUTPUTS_CLOAKING_H_
#define CLOAK_MODELS_OUTPUTS_CLOAKING_H_

#include <string>

#include "cloak/gp/smoother.h"
#include "cloak/linalg/matrix.h"
#include "cloak/models/outputs/gaussian_plan.h"
#include "cloak/models/setting.h"

namespace cloak {

// Where so many inducing points are placed: the centres of the public inputs by
// k-means, or, where a cluster has so few rows that its centre would tell of
// them, the nearest place that does not (basis_candidates.h). Throws
// InvalidInput when there are fewer different rows than that.
Matrix InducingPoints(const Setting& setting, Index count);

// How the noise of a cloaked smoother is shaped.
enum class CloakingDesign {
  kVolume,  // the smallest noise ellipsoid at the query points (the papers')
  kTrace,   // the smallest squared error at the query points
  // The same noise on every weight of the basis, wherever queries are: the
  // initial method of Smith et al. 2018, section 2, as a projected release.
  // The sensitivity of B y is that of the mean function in the RKHS of the
  // kernel, d·max_j √[K_y⁻¹KK_y⁻¹]_jj for the exact process, where the basis
  // leaves nothing out, and never more. That noise drowns what is known of
  // most weights, so they are decoded by Bayes: the smoother's posterior mean
  // B y ~ N(0, E), E = explainedᵀ·explained, was seen with noise s² I, so that
  // the weights are N(E (E + s²I)⁻¹ (B y + noise), I − E + s² E (E + s²I)⁻¹).
  kIsotropic,
};

struct CloakingOptions {
  Budget budget;
  std::string method;
  CloakingDesign design = CloakingDesign::kVolume;
  // The variance of a new observation around f.
  double noise_variance = 0;
  // Noise by the papers' constant √(2 ln(2/δ))/ε where that is more.
  bool published_noise = false;
  // Noise of so many sensitivities where that is more: a share of the budget.
  double least_sigma = 0;
};

// Predictions of a linear smoother with noise shaped to them (Smith et al.
// 2018, 2021): with C = Φ*ᵀB the cloaking matrix at the query points, a design
// has C = decoder · R on its numerical range, R y is released, and the weights
// become W (R y + noise), W = (Φ*ᵀ)⁺ decoder. Predictions at the query points
// are C y plus s · decoder · z. Where the query points say nothing of a
// direction of the weights, it keeps its prior.
class CloakingPlan : public GaussianPlan {
 public:
  CloakingPlan(const SharedSetting& setting, const LinearSmoother& smoother,
               const Matrix& query_points, const CloakingOptions& options);

  std::optional<LinearDecoder> decoder() const override {
    return LinearDecoder{basis_, decoder_};
  }

 protected:
  void Infer(const NoisyStatistic& noisy, double share,
             ReleaseContent& content) const override;

 private:
  Basis basis_;
  CloakingOptions options_;
  // For kIsotropic: W and what the noise puts back.
  void DecodeByBayes(double noise_sd);

  Matrix decoder_;    // M x r: W
  Matrix explained_;  // e x M
  Matrix noise_;      // r x M
};

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_CLOAKING_H_
