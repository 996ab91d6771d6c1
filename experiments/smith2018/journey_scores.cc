#include "experiments/smith2018/journey_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "cloak/base/text.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/models/make_plan.h"
#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {
namespace {

constexpr double kSignalSd = 1581;
constexpr double kNoiseSd = 1605;
constexpr int kDraws = 10;

double Rmse(const Vector& predicted, const Vector& truth) {
  return std::sqrt((predicted - truth).squaredNorm() /
                   static_cast<double>(truth.size()));
}

// Mean over draws of the error of C y with noise `scale` on the statistic.
double NoisyRmse(const NoiseDesign& design, const Vector& error, double scale,
                 uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  double total = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Vector z = Vector::NullaryExpr(design.decoder.cols(),
                                         [&] { return normal(generator); });
    total +=
        Rmse(error + scale * (design.decoder * z), Vector::Zero(error.size()));
  }
  return total / kDraws;
}

}  // namespace

std::vector<JourneyScore> ScoreCloaking(const JourneyFold& fold,
                                        double lengthscale,
                                        const std::vector<double>& epsilons,
                                        uint64_t seed) {
  const Threads threads(1);
  const ExactGp gp(Kernel::Eq(kSignalSd * kSignalSd, lengthscale),
                   kNoiseSd * kNoiseSd, fold.train.stations, threads);
  const Matrix C = gp.CloakingMatrix(fold.test.stations);
  const double mean = fold.train.durations.mean();
  const Vector centred = fold.train.durations.array() - mean;
  const Vector error = (C * centred - fold.test.durations).array() + mean;

  const std::string at = Text(", lengthscale ", lengthscale);
  std::vector<JourneyScore> scores = {
      {Text("published", at), std::numeric_limits<double>::infinity(),
       Rmse(error, Vector::Zero(error.size()))}};
  const NoiseDesign volume = VolumeDesign(C, threads);
  const NoiseDesign trace = TraceDesign(C, Vector::Ones(C.rows()), threads);
  for (const double epsilon : epsilons) {
    const double published =
        std::sqrt(2 * std::log(2 / kJourneyDelta)) / epsilon;
    const double exact = GaussianSigma(Budget(epsilon, kJourneyDelta));
    scores.push_back(
        {Text("published", at), epsilon,
         NoisyRmse(volume, error, published * kLongestJourney, seed)});
    scores.push_back({Text("trace design, exact noise", at), epsilon,
                      NoisyRmse(trace, error, exact * kLongestJourney, seed)});
  }
  return scores;
}

OptimalScore ScoreOptimal(const JourneyFold& fold, double epsilon,
                          Randomness& randomness) {
  const Threads threads(1);
  const auto plan = MakePlan(
      {.input_names = StationColumns(),
       .inputs = PublicInputs{fold.train.stations},
       .output = NumberOutput{"tripduration", OutputBounds(0, kLongestJourney)},
       .threads = threads},
      Regression{.budget = Budget(epsilon, kJourneyDelta)});
  const Release release =
      plan->Execute(Secret<Vector>(fold.train.durations), randomness);
  const Predictions predicted =
      release.Predict(fold.test.stations, {}, threads);
  const Vector& truth = fold.test.durations;
  const auto& posteriors = release.content().posteriors;
  const auto likeliest = std::max_element(
      posteriors.begin(), posteriors.end(),
      [](const auto& a, const auto& b) { return a.weight < b.weight; });
  return {Rmse(predicted.mean, truth),
          ((truth.array() >= predicted.lower.array()) &&
           (truth.array() <= predicted.upper.array()))
              .cast<double>()
              .mean(),
          likeliest->kernel.ToString(), std::sqrt(likeliest->noise_variance)};
}

}  // namespace cloak
