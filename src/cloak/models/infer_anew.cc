#include "cloak/models/infer_anew.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/magnitudes.h"
#include "cloak/models/outputs/conclusion.h"
#include "cloak/models/outputs/kept_rounds.h"

namespace cloak {
namespace {

// A basis for another kernel has at most so many points, and leaves this of f
// at a point, as a fraction of the noise variance.
constexpr Index kMostAnewPoints = 400;
constexpr double kAnewResidual = 1e-4;

void RequireSites(const ReleaseContent& content) {
  if (content.sites) return;
  throw InvalidInput(Text(
      "this release cannot be inferred anew: it does not hold the sites that "
      "its statistics are sums over",
      content.no_sites.empty() ? std::string() : Text(" (", content.no_sites),
      content.no_sites.empty() ? "" : ")",
      ". Only a regression with private outputs by the method 'optimal' keeps "
      "them, unless that was not wanted, or ten rows for each site would have "
      "cost accuracy"));
}

void RequireOptions(const ReleaseContent& content,
                    const InferOptions& options) {
  const OutputBounds bounds(content.privacy.lower, content.privacy.upper);
  if (options.noise_variance) {
    RequireNoiseVariance(*options.noise_variance, bounds);
  }
  if (options.prior_mean) {
    RequireInput(*options.prior_mean >= bounds.lower() &&
                     *options.prior_mean <= bounds.upper(),
                 "the prior mean must lie within the bounds, ", bounds.lower(),
                 " to ", bounds.upper(), ", but is ", *options.prior_mean);
  }
  if (!options.kernel) return;
  const Matrix& points = content.sites->points;
  options.kernel->CheckInputs(points.cols());
  RequireKernel(*options.kernel, options.kernel->Variances(points).maxCoeff(),
                bounds);
}

bool HasPosteriorWith(const ReleaseContent& content, const Kernel& kernel) {
  return std::any_of(content.posteriors.begin(), content.posteriors.end(),
                     [&kernel](const Posterior& posterior) {
                       return posterior.kernel.ToString() == kernel.ToString();
                     });
}

Matrix BasisAnew(const ReleaseContent& content, const Kernel& kernel,
                 double noise_variance, const Threads& threads) {
  const Matrix& Z = content.basis_points;
  const Matrix& points = content.sites->points;
  Matrix candidates(Z.rows() + points.rows(), Z.cols());
  candidates << Z, points;
  return SelectBasisPoints(kernel, candidates, threads,
                           {.max_size = kMostAnewPoints,
                            .tolerance = kAnewResidual * noise_variance});
}

}  // namespace

Release InferAnew(const Release& release, const InferOptions& options,
                  const Threads& threads) {
  ReleaseContent content = release.content();
  RequireSites(content);
  RequireOptions(content, options);
  SiteStatistics& sites = *content.sites;
  if (options.kernel) {
    sites.kernel_is_learned = false;
    sites.kernel = *options.kernel;
  }
  if (options.noise_variance) {
    sites.noise_is_learned = false;
    sites.noise_variance = *options.noise_variance;
  }
  content.offset = options.prior_mean.value_or(content.offset);
  if (options.kernel && !HasPosteriorWith(content, *options.kernel)) {
    content.basis_points =
        BasisAnew(content, sites.kernel, sites.noise_variance, threads);
  }
  const OptimalModel model(
      SiteInputs(sites.points, sites.rows, sites.deviations,
                 sites.site_of_point),
      sites.noise_variances.size() > 0 ? std::optional(sites.noise_variances)
                                       : std::nullopt,
      HyperPrior::Around({sites.kernel, sites.noise_variance},
                         sites.kernel_is_learned, sites.noise_is_learned,
                         sites.points.cols()),
      content.basis_points, threads);
  content.inferred_anew = true;
  try {
    content.posteriors = Conclude(model, content.offset,
                                  content.privacy.upper - content.privacy.lower,
                                  KeptRounds(content));
    return Release(std::move(content));
  } catch (const InvalidInput&) {
    throw;
  } catch (const Error& error) {
    throw InvalidInput(
        Text("nothing can be inferred from this release so: ", error.what(),
             "\nNumbers of the file, or those given, are out of proportion."));
  }
}

}  // namespace cloak
