#include "cloak/models/outputs/conclusion.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace cloak {
namespace {

// How often beliefs about f and about the noise of an observation, which
// depend on each other, are brought in line.
constexpr int kOutputPasses = 2;
// How often the noise and what windows cut off its squares are.
constexpr int kClippingPasses = 8;

// E min(z², h²) for z ~ N(0, s²), h = `half_width`.
double ClippedSecondMoment(double s, double half_width) {
  const double k = half_width / s;
  const double outside = std::erfc(k / std::numbers::sqrt2);
  const double density = std::exp(-k * k / 2) / std::sqrt(2 * std::numbers::pi);
  return s * s * (1 - outside - 2 * k * density + k * k * outside);
}

// Windows cut off a part of the squares: as much of those of the noise, whose
// variance is about `noise_variance`, as if it were normal and f were known.
// Where f is not, windows are wider than the noise, and cut off little of it.
NoisySquares SquaresOf(const OptimalModel& model, double prior_mean,
                       const PublishedRound& round, double share,
                       const OutputBelief& belief, double noise_variance) {
  const Vector per_site =
      share * model.sites().sizes().cwiseQuotient(round.half_width.cwiseAbs2());
  const Vector offset = round.centre.array() - prior_mean;
  const Vector moment = (belief.mean - offset).cwiseAbs2() + belief.variance;
  const double sd = std::sqrt(noise_variance);
  double seen = 0;
  for (Index s = 0; s < per_site.size(); ++s) {
    seen += per_site(s) * ClippedSecondMoment(sd, round.half_width(s));
  }
  return {round.squares->value, round.squares->noise_sd, seen / noise_variance,
          per_site.dot(moment)};
}

}  // namespace

OutputBelief Believe(const OptimalModel& model, const Hyperparameters& theta,
                     const OutputStatistic& statistic) {
  const Basis basis = model.BasisOf(theta);
  const SiteInputs& sites = model.sites();
  const Matrix phi = basis.Features(sites.points());
  const OutputModel outputs =
      sites.Model(basis, phi, theta.noise_variance, model.noise_of_sums());
  const StatisticMoments moments =
      ModelStatistic(outputs, statistic.R, model.threads());
  const LinearPosterior posterior =
      InferWeights(moments.H, moments.V0, statistic.s, statistic.w);
  const Vector per_row = sites.sizes().cwiseInverse();
  OutputBelief belief;
  belief.mean = per_row.cwiseProduct(outputs.Phi.transpose() * posterior.mean);
  belief.features = PosteriorFeatures(posterior, outputs.Phi);
  belief.query_features = PosteriorFeatures(
      posterior, model.HasQueryPoints() ? basis.Features(model.Places()) : phi);
  const Vector residual =
      sites.Sum(basis.ResidualVariances(sites.points(), phi));
  belief.variance = per_row.cwiseAbs2().cwiseProduct(
                        belief.features.colwise().squaredNorm().transpose()) +
                    per_row.cwiseProduct(residual) +
                    sites.VarianceWithin(basis, phi);
  belief.D = outputs.D;
  belief.noise = model.noise_of_sums()
                     ? Vector(per_row.cwiseProduct(*model.noise_of_sums()))
                     : Vector::Constant(sites.count(), theta.noise_variance);
  return belief;
}

// R (y' − middle) = R diag(gain) (y − n centre), y the sums over sites.
void AppendRound(const OptimalModel& model, double prior_mean, double width,
                 const PublishedRound& round, double share,
                 const OutputBelief& belief, OutputStatistic& statistic) {
  const Vector offset = round.centre.array() - prior_mean;
  const Vector gain = width / 2 * round.half_width.cwiseInverse();
  OutputStatistic added;
  added.R = round.R * (share / round.noise_sd * gain).asDiagonal();
  added.s = 1;
  const Vector& sizes = model.sites().sizes();
  added.w = round.value / round.noise_sd + added.R * sizes.cwiseProduct(offset);
  if (belief.variance.size() > 0) {
    const Vector squares = sizes.cwiseProduct(
        ((belief.mean - offset).cwiseAbs2() + belief.variance + belief.noise)
            .cwiseMin(round.half_width.cwiseAbs2()));
    AddMissingOutputs(share, squares, added, model.threads());
  }
  const Index before = statistic.R.rows();
  const Index rank = added.R.rows();
  statistic.R.conservativeResize(before + rank, added.R.cols());
  statistic.R.bottomRows(rank) = added.R;
  statistic.w.conservativeResize(before + rank);
  statistic.w.tail(rank) = added.w;
  statistic.s = 1;
}

Conclusion::Conclusion(const OptimalModel& model, double prior_mean,
                       double width)
    : model_(model),
      prior_mean_(prior_mean),
      width_(width),
      prior_(model.prior()),
      theta_(prior_.Nodes().front().value) {
  belief_.mean = Vector::Zero(model.sites().count());
}

void Conclusion::Add(PublishedRound round) {
  rounds_.push_back(std::move(round));
  Update();
}

void Conclusion::Update() {
  Gather();
  Learn();
  if (share_ == 1) return;
  // Where outputs are missing, what they add to the noise depends on beliefs.
  Gather();
  Learn();
}

// Reads all that was published as one statistic, by what is known of how many
// outputs are missing and, for the noise that these add, of the outputs.
void Conclusion::Gather() {
  std::vector<NoisyShare> shares;
  for (const PublishedRound& round : rounds_) {
    shares.push_back({round.present.value, round.present.noise_sd});
  }
  share_ = PresentShare(shares);
  statistic_ = {};
  for (const PublishedRound& round : rounds_) {
    AppendRound(model_, prior_mean_, width_, round, share_, belief_,
                statistic_);
  }
}

// The noise variance of an observation, given what is believed of f.
double Conclusion::NoiseVariance() const {
  double variance = theta_.noise_variance;
  for (int pass = 0; pass < kClippingPasses; ++pass) {
    std::vector<NoisySquares> squares;
    for (const PublishedRound& round : rounds_) {
      squares.push_back(
          SquaresOf(model_, prior_mean_, round, share_, belief_, variance));
    }
    variance = EstimateNoise(model_.prior(), squares);
  }
  return variance;
}

void Conclusion::Learn() {
  const auto believe = [&] {
    HyperparameterMode mode = model_.MostProbable(prior_, statistic_, mode_);
    theta_ = std::move(mode.value);
    mode_ = std::move(mode.z);
    belief_ = Believe(model_, theta_, statistic_);
  };
  const bool learns_noise = model_.prior().NoiseIsFree();
  if (!learns_noise || !rounds_.back().squares) {
    believe();
    return;
  }
  belief_ = Believe(model_, theta_, statistic_);
  for (int pass = 0; pass < kOutputPasses; ++pass) {
    prior_ = model_.prior().WithNoise(NoiseVariance());
    believe();
  }
}

std::vector<Posterior> Conclude(const OptimalModel& model, double prior_mean,
                                double width,
                                std::vector<PublishedRound> rounds) {
  Conclusion conclusion(model, prior_mean, width);
  conclusion.rounds_ = std::move(rounds);
  conclusion.Update();
  std::vector<Posterior> posteriors;
  for (const WeightedHyperparameters& theta :
       model.Learn(conclusion.prior(), conclusion.statistic())) {
    posteriors.push_back(model.Conditioned(theta, conclusion.statistic()));
  }
  return posteriors;
}

}  // namespace cloak
