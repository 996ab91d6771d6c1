#include "experiments/promises/open_scores.h"

#include <algorithm>
#include <cmath>

#include "cloak/gp/exact_gp.h"
#include "cloak/selection/hyper_prior.h"
#include "cloak/selection/pattern_search.h"
#include "experiments/promises/judgement.h"

namespace cloak {
namespace {

constexpr Index kRowsToChooseBy = 800;

// Rows are in an order by chance.
Hyperparameters MostProbable(const HyperPrior& prior, const OpenRows& rows,
                             double middle) {
  const Index count = std::min(kRowsToChooseBy, rows.y.size());
  const Matrix X = rows.X.topRows(count);
  const Vector y = rows.y.head(count).array() - middle;
  const auto cost = [&](const Vector& z) {
    const Hyperparameters at = prior.At(z);
    const ExactGp gp(at.kernel, at.noise_variance, X, Threads(1));
    return 0.5 * z.squaredNorm() - gp.LogMarginalLikelihood(y);
  };
  const Vector zero = Vector::Zero(prior.size());
  return prior.At(PatternSearch({.start = zero,
                                 .lower = zero.array() - 5,
                                 .upper = zero.array() + 5,
                                 .last_step = 0.1},
                                cost));
}

}  // namespace

Vector ScoreOpenly(const Problem& problem, const RowHalves& rows) {
  const CpuClock clock;
  const OutputBounds bounds = BoundsOf(problem);
  OpenRows train = rows.train;
  train.y = Clip(train.y, bounds);
  const HyperPrior prior(train.X, bounds.width(), {}, {});
  const Hyperparameters best = MostProbable(prior, train, bounds.middle());
  const ExactGp gp(best.kernel, best.noise_variance, train.X, Threads(1));
  const Vector centred = train.y.array() - bounds.middle();
  const Vector mean =
      gp.PosteriorMean(rows.test.X, centred).array() + bounds.middle();
  const Vector variances = gp.PosteriorVariances(rows.test.X);
  const double seconds = clock.Seconds();
  const Vector half = 1.96 * (variances.array() + best.noise_variance).sqrt();
  const Judgement judgement =
      problem.HasLabels() ? JudgeLabels((1 + mean.array()) / 2, rows.test.y)
                          : JudgeNumbers(mean, mean - half, mean + half,
                                         Clip(rows.test.y, bounds));
  return MeasuresOf(judgement, std::sqrt(variances.mean()), seconds);
}

}  // namespace cloak
