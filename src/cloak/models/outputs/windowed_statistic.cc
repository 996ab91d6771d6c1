#include "cloak/models/outputs/windowed_statistic.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/design/bayes.h"
#include "cloak/linalg/products.h"
#include "cloak/models/outputs/optimal.h"
#include "cloak/release/packed_rows.h"

namespace cloak {
namespace {

// An output beyond its window counts as one at the edge. If outputs are normal
// around what is believed, two standard deviations hold 95 % of them, so that a
// round sees 95 % of a change of f. That little is worth two thirds of the
// noise of windows that hold nearly all: the next round looks around what was
// found, and what an output adds to the squares is known (conclusion.cc).
constexpr Clipping kClipping = {.least_deviations = 2, .most_moved = 1.0 / 12};

// Weights of more digits would be no better.
constexpr int kWeightBits = 15;

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
  // As a file can hold them, so that whoever reads it knows what was used.
  const double widest = setting_.bounds().width() / 2;
  const Vector packable = Packable(half_width);
  const bool with_squares = !model_.options().noise_variance;
  return {packable, widest * packable.cwiseInverse(),
          GaussianMechanism(Packable(R, kWeightBits), model_.sites().of_rows(),
                            units_, setting_.bounds(), model_.options().budget,
                            budget_.Sigma(share), with_squares)};
}

WindowedStatistic WindowedStatistics::First(double share) const {
  const double d = setting_.bounds().width();
  double left = 0;
  return Make(
      share, Vector::Constant(model_.sites().count(), d / 2),
      DesignBeforehand(model_, d * budget_.Sigma(share),
                       DesignPrecision::kCertified, setting_.progress, left)
          .R);
}

// The part of each window that is within the bounds.
Vector WindowedStatistics::HalfWidths(const OutputBelief& belief) const {
  const OutputBounds bounds = setting_.bounds();
  const double least = kLeastWidth * bounds.width();
  Vector half_width(belief.noise.size());
  for (Index s = 0; s < half_width.size(); ++s) {
    const double half = HalfWidthAround(std::sqrt(belief.variance(s)),
                                        std::sqrt(belief.noise(s)), kClipping);
    const double centre = belief.mean.size() > 0
                              ? belief.mean(s) + setting_.PriorMean()
                              : bounds.middle();
    const double lower =
        std::clamp(centre - half, bounds.lower(), bounds.upper() - least);
    const double upper = std::clamp(
        centre + half, std::min(lower + least, bounds.upper()), bounds.upper());
    half_width(s) = (upper - lower) / 2;
  }
  return half_width;
}

WindowedStatistic WindowedStatistics::Next(
    double share, const OutputBelief& belief,
    const std::vector<WeightedBelief>& others) const {
  const double d = setting_.bounds().width();
  const Vector half_width = HalfWidths(belief);
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
      model_.Design(priors, d * budget_.Sigma(share), NoProgress, kRoughDesign)
          .R);
}

Vector WindowedStatistics::Centres(const WindowedStatistic& round,
                                   const Vector& means) const {
  const OutputBounds bounds = setting_.bounds();
  const Eigen::ArrayXd half = round.half_width.array();
  return Packable(Vector((means.array() + setting_.PriorMean())
                             .min(bounds.upper() - half)
                             .max(bounds.lower() + half)));
}

PublishedRound WindowedStatistics::Read(
    const WindowedStatistic& round, const PublishedStatistic& published) const {
  const NoisyStatistic& noisy = published.noisy;
  PublishedRound read{round.mechanism.R(),
                      published.centre,
                      round.half_width,
                      noisy.value,
                      round.mechanism.noise().sd(),
                      {noisy.present, noisy.present_noise_sd}};
  if (round.mechanism.with_squares()) {
    read.squares = {noisy.squares, noisy.squares_noise_sd};
  }
  return read;
}

PublishedStatistic WindowedStatistics::Publish(const WindowedStatistic& round,
                                               Vector centre,
                                               const Secret<Vector>& outputs,
                                               Randomness& random) const {
  const Secret<Vector> stretched = Stretched(
      outputs, model_.sites().of_rows(), centre, round.gain, setting_.bounds());
  return {std::move(centre), round.mechanism.Release(stretched, random)};
}

}  // namespace cloak
