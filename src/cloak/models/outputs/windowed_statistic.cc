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
const BayesOptions kRoughly = {
    .tolerance = 0.03, .max_rank = 200, .largest_gap = HUGE_VAL};

// Stretches windows over the bounds. An output that is not a number stays so,
// which the mechanism takes for the centre.
Secret<Vector> Stretched(const Secret<Vector>& outputs, const Vector& centre,
                         const Vector& gain, const OutputBounds& bounds) {
  return outputs.Map(
      [](const Vector& y, const Vector& centres, const Vector& gains,
         const OutputBounds& outer) -> Vector {
        // How many rows there are is public.
        RequireInput(y.size() == centres.size(), "the plan is for ",
                     centres.size(), " rows, but the output has ", y.size());
        Vector stretched(y.size());
        for (Index i = 0; i < y.size(); ++i) {
          const double inside = std::clamp(y(i), outer.lower(), outer.upper());
          stretched(i) = outer.middle() + gains(i) * (inside - centres(i));
        }
        return stretched;
      },
      centre, gain, bounds);
}

DesignPrior DesignForOutputs(const OutputBelief& belief, double weight,
                             const Vector& gain, const Threads& threads) {
  DesignPrior prior;
  prior.weight = weight;
  prior.Phi = belief.features * gain.asDiagonal();
  prior.D = belief.D.cwiseProduct(gain.cwiseAbs2());
  prior.Q =
      ProductTransposed(belief.query_features, belief.query_features, threads) /
      static_cast<double>(belief.query_features.cols());
  return prior;
}

}  // namespace

OutputBelief Believe(const OptimalModel& model, const Hyperparameters& theta,
                     const OutputStatistic& statistic) {
  const Basis basis = model.BasisOf(theta);
  const OutputModel outputs = model.Outputs(basis, theta);
  const StatisticMoments moments =
      ModelStatistic(outputs, statistic.R, model.threads());
  const LinearPosterior posterior =
      InferWeights(moments.H, moments.V0, statistic.s, statistic.w);
  OutputBelief belief;
  belief.mean = outputs.Phi.transpose() * posterior.mean;
  belief.features = PosteriorFeatures(posterior, outputs.Phi);
  belief.query_features =
      model.options().query_points
          ? PosteriorFeatures(posterior, basis.Features(model.Queries()))
          : belief.features;
  belief.variance = belief.features.colwise().squaredNorm().transpose() +
                    basis.ResidualVariances(model.X(), outputs.Phi);
  belief.D = outputs.D;
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
  return {
      half_width, widest * half_width.cwiseInverse(),
      GaussianMechanism(R, units_, setting_.bounds(), model_.options().budget,
                        budget_.Sigma(share), with_squares)};
}

WindowedStatistic WindowedStatistics::First(double share) const {
  const double d = setting_.bounds().width();
  double left = 0;
  return Make(share, Vector::Constant(setting_.rows(), d / 2),
              DesignBeforehand(model_, units_, d * budget_.Sigma(share),
                               setting_.progress, left)
                  .R);
}

WindowedStatistic WindowedStatistics::Next(
    double share, const OutputBelief& belief, double noise_variance,
    const std::vector<WeightedBelief>& others) const {
  const double d = setting_.bounds().width();
  const Vector noise = model_.row_noise_variances().value_or(
      Vector::Constant(belief.mean.size(), noise_variance));
  Vector half_width(noise.size());
  for (Index i = 0; i < noise.size(); ++i) {
    half_width(i) = std::clamp(
        HalfWidthAround(std::sqrt(belief.variance(i)), std::sqrt(noise(i))),
        kLeastWidth * d / 2, d / 2);
  }
  // The mechanism sees outputs stretched by this.
  const Vector gain = d / 2 * half_width.cwiseInverse();
  double left = 1;
  std::vector<DesignPrior> priors;
  for (const WeightedBelief& other : others) {
    priors.push_back(
        DesignForOutputs(other.belief, other.weight, gain, model_.threads()));
    left -= other.weight;
  }
  priors.push_back(DesignForOutputs(belief, left, gain, model_.threads()));
  return Make(share, half_width,
              BayesDesign(priors, units_, d * budget_.Sigma(share),
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
  const Secret<Vector> stretched =
      Stretched(outputs, centre, round.gain, setting_.bounds());
  return {std::move(centre), round.mechanism.Release(stretched, random)};
}

// R (y' − middle) = R diag(gain) (y − centre).
void WindowedStatistics::Append(const WindowedStatistic& round,
                                const PublishedStatistic& published,
                                double share, const OutputBelief& belief,
                                OutputStatistic& statistic) const {
  const double noise_sd = round.mechanism.noise().sd();
  const Vector offset = published.centre.array() - setting_.PriorMean();
  OutputStatistic added;
  added.R = round.mechanism.R() * (share / noise_sd * round.gain).asDiagonal();
  added.s = 1;
  added.w = published.noisy.value / noise_sd + added.R * offset;
  if (belief.variance.size() > 0) {
    const Vector squares =
        ((belief.mean - offset).cwiseAbs2() + belief.variance + belief.D)
            .cwiseMin(round.half_width.cwiseAbs2());
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
  const Vector per_row = share * round.half_width.cwiseAbs2().cwiseInverse();
  const Vector offset = published.centre.array() - setting_.PriorMean();
  const Vector moment = (belief.mean - offset).cwiseAbs2() + belief.variance;
  return {published.noisy.squares, published.noisy.squares_noise_sd,
          per_row.sum(), per_row.dot(moment)};
}

}  // namespace cloak
