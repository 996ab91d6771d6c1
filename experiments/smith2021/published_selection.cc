#include "experiments/smith2021/published_selection.h"

#include <algorithm>
#include <cmath>

namespace cloak {

PublishedScore ScoreAsPublished(const Setting& setting, const Regression& task,
                                const std::vector<Fold>& folds,
                                const Vector& z) {
  const double d = setting.bounds().width();
  PublishedScore score;
  score.sensitivity = 9 * d * d;
  double least = INFINITY;
  for (const Fold& fold : folds) {
    const LinearPrediction prediction = PredictFold(setting, task, fold);
    const Vector residual =
        prediction.C * Vector(z(fold.rest)) - Vector(z(fold.held_out));
    score.squared_error +=
        residual.cwiseMax(-4 * d).cwiseMin(4 * d).squaredNorm() +
        prediction.squared_noise;
    const double alpha = prediction.C.colwise().squaredNorm().maxCoeff();
    score.sensitivity += d * d * alpha;
    least = std::min(least, d * d * alpha);
  }
  score.sensitivity -= least;
  return score;
}

Vector PublishedProbabilities(const std::vector<PublishedScore>& scores,
                              double epsilon, double most) {
  double sensitivity = 0;
  double best = INFINITY;
  for (const PublishedScore& score : scores) {
    if (score.sensitivity > most) continue;
    sensitivity = std::max(sensitivity, score.sensitivity);
    best = std::min(best, score.squared_error);
  }
  Vector odds = Vector::Zero(static_cast<Index>(scores.size()));
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].sensitivity > most) continue;
    odds(static_cast<Index>(i)) = std::exp(
        -epsilon * (scores[i].squared_error - best) / (2 * sensitivity));
  }
  return odds / odds.sum();
}

LineExample::LineExample()
    // The paper's outputs are as they are.
    : setting{.input_names = {"x"},
              .inputs = PublicInputs{Vector{{0, 1, 2, 4}}},
              .output = NumberOutput{"y", OutputBounds(0, 2), 0}},
      y{{0, 0.5, 1, 2}},
      halves{{{2, 3}, {0, 1}}, {{0, 1}, {2, 3}}},
      interleaved{{{1, 3}, {0, 2}}, {{0, 2}, {1, 3}}} {}

Regression LineExample::Polynomial(Index degree, bool published) {
  Regression task{.budget = Budget(1, 0.01), .method = Regression::kPolynomial};
  task.degree = degree;
  task.noise_variance = 1;
  task.published_noise = published;
  task.query_points = Matrix();  // those held out
  return task;
}

}  // namespace cloak
