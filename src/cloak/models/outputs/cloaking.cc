#include "cloak/models/outputs/cloaking.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"
#include "cloak/gp/basis_candidates.h"
#include "cloak/linalg/kmeans.h"
#include "cloak/linalg/microaggregate.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/svd.h"
#include "cloak/linalg/symmetric_eigen.h"
#include "cloak/models/release_parts.h"
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

Matrix InducingPoints(const Setting& setting, Index count) {
  setting.progress("choosing inducing points", 0);
  const Index different = FindDistinctRows(setting.X()).rows.rows();
  RequireInput(count >= 1 && count <= different, "there must be 1 to ",
               different,
               " inducing points, as many as there are different rows of "
               "inputs, but ",
               count, " are asked for");
  KMeansClusters clusters = KMeans(setting.X(), count, setting.threads);
  // No point that stands in the file is somebody's.
  const BasisCandidates candidates(setting.X());
  std::vector<bool> taken(static_cast<size_t>(candidates.points().rows()));
  for (Index k = 0; k < count; ++k) {
    const bool of_few =
        clusters.weights(k) < static_cast<double>(kLeastGroup) ||
        candidates.IsSomebodys(clusters.centres.row(k));
    if (!of_few) continue;
    clusters.centres.row(k) = candidates.points().row(
        candidates.TakeNearest(clusters.centres.row(k), taken));
  }
  return clusters.centres;
}

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
  content.basis_points = basis_.points();
  content.posteriors.push_back(
      AsPosterior(basis_, options_.noise_variance,
                  {decoder_ * noisy.value, explained_, noise_ / share}));
}

}  // namespace cloak
