#include "cloak/models/outputs/windowed_statistic.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/design/bayes.h"
#include "cloak/linalg/products.h"
#include "cloak/models/outputs/optimal.h"

namespace cloak {
namespace {

// A round is one of several, and what it is designed for is a guess: it need
// not be found as exactly as a statistic that is all there is.
const BayesOptions kRoughly = {.tolerance = 0.03,
                               .max_rank = 200,
                               .largest_gap = HUGE_VAL,
                               .condensed = true};

// Stretches windows over the bounds. An output that is not a number stays so,
// which the mechanism takes for the centre.
Secret<Vector> Stretched(const Secret<Vector>& outputs, const RowSites& sites,
                         const Vector& centre, const Vector& gain,
                         const OutputBounds& bounds) {
  return outputs.Map(
      [](const Vector& y, const RowSites& site, const Vector& centres,
         const Vector& gains, const OutputBounds& outer) -> Vector {
        // How many rows there are is public.
        RequireInput(y.size() == site.rows(), "the plan is for ", site.rows(),
                     " rows, but the output has ", y.size());
        Vector stretched(y.size());
        for (Index i = 0; i < y.size(); ++i) {
          const Index s = site.Of(i);
          const double inside = std::clamp(y(i), outer.lower(), outer.upper());
          stretched(i) = outer.middle() + gains(s) * (inside - centres(s));
        }
        return stretched;
      },
      sites, centre, gain, bounds);
}

DesignPrior DesignForOutputs(const OutputBelief& belief, double weight,
                             const Vector& gain, const OptimalModel& model) {
  DesignPrior prior;
  prior.weight = weight;
  prior.Phi = belief.features * gain.asDiagonal();
  prior.D = belief.D.cwiseProduct(gain.cwiseAbs2());
  prior.Q = model.MeanOverPlaces(belief.query_features);
  return prior;
}

}  // namespace

OutputBelief Believe(const OptimalModel& model, const Hyperparameters& theta,
                     const OutputStatistic& statistic) {
  const Basis basis = model.BasisOf(theta);
  const SiteInputs& sites = model.sites();
  const Matrix phi = basis.Features(sites.points());
  const OutputModel outputs = sites.Model(basis, phi, theta.noise_variance,
                                          model.row_noise_variances());
  const StatisticMoments moments =
      ModelStatistic(outputs, statistic.R, model.threads());
  const LinearPosterior posterior =
      InferWeights(moments.H, moments.V0, statistic.s, statistic.w);
  const Vector per_row = sites.sizes().cwiseInverse();
  OutputBelief belief;
  belief.mean = per_row.cwiseProduct(outputs.Phi.transpose() * posterior.mean);
  belief.features = PosteriorFeatures(posterior, outputs.Phi);
  belief.query_features = PosteriorFeatures(
      posterior,
      model.options().query_points ? basis.Features(model.Places()) : phi);
  const Vector residual =
      sites.Sum(basis.ResidualVariances(sites.points(), phi));
  belief.variance = per_row.cwiseAbs2().cwiseProduct(
                        belief.features.colwise().squaredNorm().transpose()) +
                    per_row.cwiseProduct(residual) +
                    sites.VarianceWithin(basis, phi);
  belief.D = outputs.D;
  belief.noise = model.row_noise_variances()
                     ? Vector(per_row.cwiseProduct(
                           sites.SumOfRows(*model.row_noise_variances())))
                     : Vector::Constant(sites.count(), theta.noise_variance);
  return belief;
}

WindowedStatistics::WindowedStatistics(const Setting& setting,
                                       const PrivacyUnits& units,
                                       const OptimalModel& model)
    : setting_(setting),
      units_(units),
      model_(model),
      budget_(model.options().budget) {}

WindowedStatistic WindowedStatistics::Make(double share,
                                           const Vector& half_width,
                                           const Matrix& R) const {
  const double widest = setting_.bounds().width() / 2;
  const bool with_squares = !model_.options().noise_variance;
  return {half_width, widest * half_width.cwiseInverse(),
          GaussianMechanism(R, model_.sites().of_rows(), units_,
                            setting_.bounds(), model_.options().budget,
                            budget_.Sigma(share), with_squares)};
}

WindowedStatistic WindowedStatistics::First(double share) const {
  const double d = setting_.bounds().width();
  double left = 0;
  return Make(share, Vector::Constant(model_.sites().count(), d / 2),
              DesignBeforehand(model_, d * budget_.Sigma(share),
                               setting_.progress, left)
                  .R);
}

WindowedStatistic WindowedStatistics::Next(
    double share, const OutputBelief& belief,
    const std::vector<WeightedBelief>& others) const {
  const double d = setting_.bounds().width();
  Vector half_width(belief.noise.size());
  for (Index s = 0; s < half_width.size(); ++s) {
    half_width(s) = std::clamp(HalfWidthAround(std::sqrt(belief.variance(s)),
                                               std::sqrt(belief.noise(s))),
                               kLeastWidth * d / 2, d / 2);
  }
  // The mechanism sees outputs stretched by this.
  const Vector gain = d / 2 * half_width.cwiseInverse();
  double left = 1;
  std::vector<DesignPrior> priors;
  for (const WeightedBelief& other : others) {
    priors.push_back(
        DesignForOutputs(other.belief, other.weight, gain, model_));
    left -= other.weight;
  }
  priors.push_back(DesignForOutputs(belief, left, gain, model_));
  return Make(
      share, half_width,
      BayesDesign(priors, model_.design_units(), d * budget_.Sigma(share),
                  model_.threads(), NoProgress, kRoughly)
          .R);
}

Vector WindowedStatistics::Centres(const WindowedStatistic& round,
                                   const Vector& means) const {
  const OutputBounds bounds = setting_.bounds();
  const Eigen::ArrayXd half = round.half_width.array();
  return (means.array() + setting_.PriorMean())
      .min(bounds.upper() - half)
      .max(bounds.lower() + half);
}

PublishedStatistic WindowedStatistics::Publish(const WindowedStatistic& round,
                                               Vector centre,
                                               const Secret<Vector>& outputs,
                                               Randomness& random) const {
  const Secret<Vector> stretched = Stretched(
      outputs, model_.sites().of_rows(), centre, round.gain, setting_.bounds());
  return {std::move(centre), round.mechanism.Release(stretched, random)};
}

// R (y' − middle) = R diag(gain) (y − n centre), y the sums over sites.
void WindowedStatistics::Append(const WindowedStatistic& round,
                                const PublishedStatistic& published,
                                double share, const OutputBelief& belief,
                                OutputStatistic& statistic) const {
  const double noise_sd = round.mechanism.noise().sd();
  const Vector offset = published.centre.array() - setting_.PriorMean();
  OutputStatistic added;
  added.R = round.mechanism.R() * (share / noise_sd * round.gain).asDiagonal();
  added.s = 1;
  const Vector& sizes = model_.sites().sizes();
  added.w =
      published.noisy.value / noise_sd + added.R * sizes.cwiseProduct(offset);
  if (belief.variance.size() > 0) {
    const Vector squares = sizes.cwiseProduct(
        ((belief.mean - offset).cwiseAbs2() + belief.variance + belief.noise)
            .cwiseMin(round.half_width.cwiseAbs2()));
    AddMissingOutputs(share, squares, added, model_.threads());
  }
  const Index before = statistic.R.rows();
  const Index rank = added.R.rows();
  statistic.R.conservativeResize(before + rank, added.R.cols());
  statistic.R.bottomRows(rank) = added.R;
  statistic.w.conservativeResize(before + rank);
  statistic.w.tail(rank) = added.w;
  statistic.s = 1;
}

NoisySquares WindowedStatistics::Squares(const WindowedStatistic& round,
                                         const PublishedStatistic& published,
                                         double share,
                                         const OutputBelief& belief) const {
  const Vector per_site = share * model_.sites().sizes().cwiseQuotient(
                                      round.half_width.cwiseAbs2());
  const Vector offset = published.centre.array() - setting_.PriorMean();
  const Vector moment = (belief.mean - offset).cwiseAbs2() + belief.variance;
  return {published.noisy.squares, published.noisy.squares_noise_sd,
          per_site.sum(), per_site.dot(moment)};
}

}  // namespace cloak
