#include "cloak/models/outputs/cloaking.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/svd.h"
#include "cloak/linalg/symmetric_eigen.h"
#include "cloak/models/check_releasable.h"
#include "cloak/models/shortened.h"
#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {
namespace {

// Directions of the weights that the query points see less of than this, as a
// fraction of what they see most of, are not seen.
constexpr double kUnseen = 1e-7;

std::string NameOf(CloakingDesign design) {
  switch (design) {
    case CloakingDesign::kVolume:
      return "volume";
    case CloakingDesign::kTrace:
      return "trace";
    case CloakingDesign::kIsotropic:
      return "isotropic";
  }
  throw Error("an unknown design");
}

double MeanSquare(const Matrix& values) {
  return values.squaredNorm() / static_cast<double>(values.cols());
}

}  // namespace

CloakingPlan::CloakingPlan(const SharedSetting& setting,
                           const LinearSmoother& smoother,
                           const Matrix& query_points,
                           const CloakingOptions& options)
    : GaussianPlan(setting, options.budget),
      basis_(smoother.basis),
      options_(options),
      explained_(smoother.explained) {
  const Threads& threads = setting->threads;
  const Matrix Phi = basis_.Features(query_points);
  NoiseDesign design;
  setting->progress("designing the noise", 0);
  if (options.design == CloakingDesign::kIsotropic) {
    design.R = smoother.B;
    design.gap = -1;
  } else {
    const Matrix C = Product(Phi.transpose(), smoother.B, threads);
    design =
        options.design == CloakingDesign::kVolume
            ? VolumeDesign(C, privacy_units(), threads)
            : TraceDesign(C, privacy_units(), Vector::Ones(C.rows()), threads);
    const Svd seen = ThinSvd(Phi, kUnseen);
    decoder_ = seen.U * (seen.values.cwiseInverse().asDiagonal() *
                         Matrix(seen.Vt * design.decoder));
    explained_ = (explained_ * seen.U).eval() * seen.U.transpose();
  }
  ChooseStatistic(design, options.published_noise
                              ? std::max(options.least_sigma,
                                         PublishedGaussianSigma(options.budget))
                              : options.least_sigma);

  const double noise_sd = summary_.privacy.noise_sd;
  if (options.design == CloakingDesign::kIsotropic) {
    DecodeByBayes(noise_sd);
  } else {
    noise_ = noise_sd * decoder_.transpose();
  }
  summary_.method = options.method;
  summary_.design = NameOf(options.design);
  const double without = basis_.ResidualVariances(query_points, Phi).mean() +
                         MeanSquare(Phi) - MeanSquare(explained_ * Phi);
  summary_.expected_sd_without_privacy = std::sqrt(std::max(0.0, without));
  summary_.expected_sd =
      std::sqrt(std::max(0.0, without) + MeanSquare(noise_ * Phi));
  CheckReleasable(Content(), basis_);
}

void CloakingPlan::DecodeByBayes(double noise_sd) {
  const SymmetricEigen E =
      EigenDecomposition(explained_.transpose() * explained_);
  const Vector values = E.values.cwiseMax(0);
  const Vector kept = values.array() / (values.array() + noise_sd * noise_sd);
  decoder_ = E.vectors * kept.asDiagonal() * E.vectors.transpose();
  noise_ = noise_sd * kept.cwiseSqrt().asDiagonal() * E.vectors.transpose();
}

void CloakingPlan::Infer(const NoisyStatistic& noisy, double share,
                         ReleaseContent& content) const {
  Posterior posterior;
  posterior.kernel = basis_.kernel();
  posterior.noise_variance = options_.noise_variance;
  posterior.jitter = basis_.jitter();
  posterior.mean = decoder_ * noisy.value;
  posterior.explained = Shortened(explained_);
  posterior.noise = Shortened(noise_ / share);
  content.basis_points = basis_.points();
  content.posteriors.push_back(std::move(posterior));
}

}  // namespace cloak
