#include "experiments/designs/pictures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cloak/base/text.h"
#include "experiments/designs/figure.h"

namespace cloak {
namespace {

constexpr PlotSize kThird{.width = 310, .height = 336};
constexpr PlotSize kHalf{.width = 460, .height = 340};
constexpr double kRight = 20;

Vector Logarithms(const Vector& values) {
  return values.cwiseMax(1e-12).array().log10();
}

Vector StandardDeviations(const Matrix& covariance) {
  return covariance.diagonal().cwiseMax(0).cwiseSqrt();
}

// As long in x as in y, so that a circle is one.
Frame SquareFrame(double reach) {
  Frame frame = MakeFrame(kThird, -reach, reach, -reach, reach, kRight);
  frame.x.end = frame.x.begin + frame.y.begin - frame.y.end;
  return frame;
}

// y is in logarithms.
Frame LogFrame(double x_lower, double x_upper, double y_lower, double y_upper) {
  Frame frame = MakeFrame(kHalf, x_lower, x_upper, y_lower, y_upper, kRight);
  frame.y_ticks = LogTicks(y_lower, y_upper);
  return frame;
}

double LargestSd(const Matrix& covariance) {
  return StandardDeviations(covariance).maxCoeff();
}

// ±c_i of every row, in the units of the output, with the ages of a few.
void DrawPulls(const DesignTask& task, const LinearRelease& release,
               bool with_ages, Panel& panel) {
  const Matrix pull = task.width * release.C;
  for (const double sign : {1.0, -1.0}) {
    panel.Dots("row", sign * pull.row(0), sign * pull.row(1));
  }
  if (!with_ages) return;
  constexpr double kInwards = 0.82;
  for (const double age : {5, 10, 15, 20}) {
    Index i = 0;
    (task.X.col(0).array() - age).abs().minCoeff(&i);
    panel.Label(kInwards * pull(0, i), kInwards * pull(1, i),
                Text(std::lround(task.X(i, 0))));
  }
}

}  // namespace

std::string EllipsesSvg(const DesignTask& task, const Comparison& comparison) {
  const std::string x_label = Text("at age ", task.Xs(0, 0), ", cm");
  const std::string y_label = Text("at age ", task.Xs(1, 0), ", cm");
  // What one output can move is σ = s / width times smaller than the noise.
  const double sigma = task.s / task.width;
  const auto hidden = [&](const DesignOutcome& outcome) {
    return Matrix(NoiseCovariance(outcome.release) / (sigma * sigma));
  };
  const auto& outcomes = comparison.outcomes;
  const double reach = 1.15 * LargestSd(hidden(outcomes[0]));
  Panel published("A  One row's pull: volume, trace", SquareFrame(reach),
                  x_label, y_label);
  DrawPulls(task, outcomes[0].release, true, published);
  published.Ellipse("volume", hidden(outcomes[0]));
  published.Ellipse("trace", hidden(outcomes[1]));
  Panel by_bayes("B  One row's pull: bayes", SquareFrame(reach), x_label,
                 y_label);
  DrawPulls(task, outcomes[2].release, false, by_bayes);
  by_bayes.Ellipse("bayes", hidden(outcomes[2]));

  const double largest =
      std::max(LargestSd(comparison.prior), LargestSd(outcomes[0].error));
  Panel error("C  Error that is left, one sd", SquareFrame(1.1 * largest),
              x_label, y_label);
  error.Ellipse("prior", comparison.prior);
  for (const DesignOutcome& outcome : outcomes) {
    error.Ellipse(outcome.name, outcome.error);
  }
  error.Ellipse("none", comparison.without_privacy);
  return FigureSvg(
      Text("Noise ellipses for the predictions at ages ", task.Xs(0, 0),
           " and ", task.Xs(1, 0),
           ": around what single rows can move, and the error that is left"),
      {published, by_bayes, error}, kThird,
      {{"dots row", "rows, ± their pull"},
       {"volume", "volume"},
       {"trace", "trace"},
       {"bayes", "bayes"},
       {"none", "no privacy"},
       {"prior", "no data"}});
}

std::string NoiseSvg(const DesignTask& task, const Comparison& comparison) {
  const Vector age = task.Xs.col(0);
  const double first = age[0];
  const double last = age[age.size() - 1];
  double top = LargestSd(comparison.prior);
  for (const DesignOutcome& outcome : comparison.outcomes) {
    top = std::max(top, LargestSd(outcome.error));
  }
  const double floor =
      0.5 * StandardDeviations(comparison.without_privacy).minCoeff();
  const Frame frame =
      LogFrame(first, last, std::log10(floor), std::log10(1.1 * top));
  Panel noise("A  Noise in the prediction", frame, "age, years",
              "one standard deviation, cm");
  Panel error("B  Error of the prediction, noise included", frame, "age, years",
              "one standard deviation, cm");
  for (Panel* panel : {&noise, &error}) panel->Rug(task.X.col(0));
  for (const DesignOutcome& outcome : comparison.outcomes) {
    noise.Curve(
        outcome.name, age,
        Logarithms(StandardDeviations(NoiseCovariance(outcome.release))));
    error.Curve(outcome.name, age,
                Logarithms(StandardDeviations(outcome.error)));
  }
  error.Curve("none", age,
              Logarithms(StandardDeviations(comparison.without_privacy)));
  error.Curve("prior", age, Logarithms(StandardDeviations(comparison.prior)));
  return FigureSvg(
      "Standard deviation of the privacy noise, and of the error, against age "
      "for the three designs",
      {noise, error}, kHalf,
      {{"volume", "volume"},
       {"trace", "trace"},
       {"bayes", "bayes"},
       {"none", "no privacy"},
       {"prior", "no data"},
       {"rug", "rows of that age"}});
}

std::string RowsSvg(const DesignTask& task, const Comparison& comparison) {
  const Vector age = task.X.col(0);
  const double first = age.minCoeff() - 2;
  const double last = age.maxCoeff() + 2;
  std::vector<Vector> used;
  std::vector<Vector> pulls;
  double least = 1;
  double weakest = task.width;
  double strongest = 0;
  for (const DesignOutcome& outcome : comparison.outcomes) {
    used.emplace_back(outcome.design.R.colwise().squaredNorm());
    pulls.push_back(RowPulls(task, outcome.release));
    least = std::min(least, used.back().minCoeff());
    weakest = std::min(weakest, pulls.back().minCoeff());
    strongest = std::max(strongest, pulls.back().maxCoeff());
  }
  Panel allowance("A  Allowance that a row uses",
                  MakeFrame(kHalf, first, last,
                            std::floor(10 * least - 0.3) / 10, 1.03, kRight),
                  "age of the row, years", "|R e|², at most 1");
  Panel pull("B  Pull of a row on the predictions",
             LogFrame(first, last, std::log10(0.8 * weakest),
                      std::log10(1.25 * strongest)),
             "age of the row, years",
             "root mean square over the query ages, cm");
  // Smaller dots on larger ones: where designs agree, all can be seen.
  for (size_t k = 0; k < used.size(); ++k) {
    allowance.Dots(comparison.outcomes[k].name, age, used[k]);
    pull.Dots(comparison.outcomes[k].name, age, Logarithms(pulls[k]));
  }
  return FigureSvg(
      "How much of its allowance each row uses, and how far it pulls the "
      "predictions, against its age",
      {allowance, pull}, kHalf,
      {{"dots volume", "volume"},
       {"dots trace", "trace"},
       {"dots bayes", "bayes"}});
}

}  // namespace cloak
