// Smith et al. 2021, sections 5.1 and 6.7 (Table 2): hyperparameters chosen
// privately, by the published formula, by ours, and learned from the release.
//
//   selection DATA.csv [--draws N] [--csv]
//
// DATA.csv has the columns height, weight, age, male (Howell's census). One
// half of the women chooses, by five folds, the other half tells the error of
// each candidate, by five folds too. Expected errors are computed, not drawn;
// only the last lines are from releases, with fresh noise in each run.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/selection_mechanism.h"
#include "cloak/selection/residual_norm.h"
#include "cloak/selection/worth_choosing.h"
#include "experiments/smith2021/folds.h"
#include "experiments/smith2021/published_selection.h"

namespace cloak {
namespace {

constexpr Index kFoldsOfHalf = 5;
constexpr double kEpsilon = 1;

// Lines as they come: a name and a figure.
class Report {
 public:
  explicit Report(bool csv) : csv_(csv) {
    if (csv_) std::printf("figure,value\n");
  }
  void Print(const std::string& name, double value) const {
    std::printf(csv_ ? "\"%s\",%.4f\n" : "%-66s %9.4f\n", name.c_str(), value);
    std::fflush(stdout);
  }

 private:
  bool csv_;
};

void PrintLine(const Report& report, const LineExample& line,
               const std::vector<Fold>& folds, const std::string& split) {
  std::vector<PublishedScore> scores;
  Vector utilities(2);
  double sensitivity = 0;
  for (Index degree = 0; degree < 2; ++degree) {
    scores.push_back(ScoreAsPublished(
        line.setting, LineExample::Polynomial(degree, true), folds, line.y));
    const ResidualNorm norm(
        CrossValidate(line.setting, LineExample::Polynomial(degree, false),
                      folds),
        PrivacyUnits::EachRow(line.y.size()), line.setting.bounds(), 0);
    utilities(degree) = norm.Utility(line.y);
    sensitivity = std::max(sensitivity, norm.sensitivity());
  }
  report.Print(Text("5.1, ", split, ", published: sensitivity"),
               std::max(scores[0].sensitivity, scores[1].sensitivity));
  report.Print(Text("5.1, ", split, ", published: probability of the mean"),
               PublishedProbabilities(scores, kEpsilon, INFINITY)(0));
  report.Print(Text("5.1, ", split, ", corrected: sensitivity"), sensitivity);
  report.Print(
      Text("5.1, ", split, ", corrected: probability of the mean"),
      SelectionMechanism(sensitivity, kEpsilon).Probabilities(utilities)(0));
}

// Some of the women, in the paper's setting: heights less a mean that is not
// private in this experiment.
struct Half {
  Setting setting;
  std::vector<Fold> folds;
  Vector height;
};

// The first or the second half, in an order that is always the same.
Half HalfOf(const Women& women, size_t which) {
  const std::vector<Index> rows =
      DealFolds(PrivacyUnits::EachRow(women.age.size()), 2)[which].held_out;
  const PrivacyUnits each =
      PrivacyUnits::EachRow(static_cast<Index>(rows.size()));
  return {{.input_names = {"age"},
           .inputs = PublicInputs{Matrix(women.age(rows))},
           .output = NumberOutput{"height",
                                  OutputBounds(kLowestHeight, kHighestHeight)}},
          DealFolds(each, kFoldsOfHalf),
          women.height(rows)};
}

struct Candidate {
  double lengthscale = 0;
  double noise_variance = 0;
  double variance = 0;
};

// The paper's 80.
std::vector<Candidate> Grid() {
  std::vector<Candidate> grid;
  for (const double lengthscale : {1, 5, 25, 125, 625}) {
    for (const double noise_variance : {0.2, 1.0, 5.0, 25.0}) {
      for (const double variance : {1, 5, 25, 125}) {
        grid.push_back({lengthscale, noise_variance, variance});
      }
    }
  }
  return grid;
}

// Cloaking with the paper's noise, with exact noise, or `optimal`.
enum class Way { kPublished, kVolume, kTrace, kOptimal };

Regression TaskOf(const Candidate& candidate, Way way, bool bias) {
  Regression task{.budget = Budget(1, 0.01)};
  if (way != Way::kOptimal) {
    task.method = Regression::kCloaking;
    task.design = way == Way::kTrace ? Regression::kTrace : Regression::kVolume;
  }
  task.published_noise = way == Way::kPublished;
  task.kernel = Kernel::Eq(candidate.variance, candidate.lengthscale);
  if (bias) task.kernel = Kernel::Bias(1000) + *task.kernel;
  task.noise_variance = candidate.noise_variance;
  return task;
}

double RootMeanSquare(const Half& half, const Residuals& residuals,
                      double prior_mean) {
  const Vector z = half.height.array() - prior_mean;
  return std::sqrt(((residuals.T * z).squaredNorm() + residuals.squared_noise) /
                   static_cast<double>(z.size()));
}

void PrintExpected(const Report& report, const std::string& name,
                   const Vector& probabilities, const Vector& rmse) {
  report.Print(Text("6.7, ", name, ": expected RMSE, cm"),
               probabilities.dot(rmse));
}

// As published: the mean of the heights is taken off, the paper's noise, its
// squared error and its sensitivity.
void PrintPublished(const Report& report, const Half& choosing,
                    const Half& testing) {
  std::vector<PublishedScore> scores;
  Vector rmse(static_cast<Index>(Grid().size()));
  for (const Candidate& candidate : Grid()) {
    const Regression task = TaskOf(candidate, Way::kPublished, false);
    const auto index = static_cast<Index>(scores.size());
    scores.push_back(
        ScoreAsPublished(choosing.setting, task, choosing.folds,
                         choosing.height.array() - choosing.height.mean()));
    rmse(index) = RootMeanSquare(
        testing, CrossValidate(testing.setting, task, testing.folds),
        testing.height.mean());
  }
  const double d = choosing.setting.bounds().width();
  PrintExpected(report, "published formula, all 80",
                PublishedProbabilities(scores, kEpsilon, INFINITY), rmse);
  for (const double most : {12.0, 10.0, 9.5}) {
    PrintExpected(report,
                  Text("published formula, sensitivity up to ", most, " d²"),
                  PublishedProbabilities(scores, kEpsilon, most * d * d), rmse);
  }
  report.Print("6.7, published noise: mean RMSE of all 80, cm", rmse.mean());
  report.Print("6.7, published noise: least RMSE, cm", rmse.minCoeff());
}

// Ours: a bias in place of the mean, exact noise, the root of the squared error
// and its exact sensitivity.
void PrintCorrected(const Report& report, const Half& choosing,
                    const Half& testing, Way way, const std::string& name) {
  const OutputBounds bounds = choosing.setting.bounds();
  std::vector<CandidateFigures> figures;
  std::vector<double> utilities;
  std::vector<double> rmse;
  for (const Candidate& candidate : Grid()) {
    const Regression task = TaskOf(candidate, way, true);
    const ResidualNorm norm(
        CrossValidate(choosing.setting, task, choosing.folds),
        PrivacyUnits::EachRow(choosing.height.size()), bounds, bounds.middle());
    figures.push_back({norm.noise_sd(), norm.sensitivity()});
    utilities.push_back(norm.Utility(choosing.height));
    rmse.push_back(RootMeanSquare(
        testing, CrossValidate(testing.setting, task, testing.folds),
        bounds.middle()));
  }
  const std::vector<size_t> worth = WorthChoosing(figures, bounds.width());
  Vector of_worth(static_cast<Index>(worth.size()));
  Vector rmse_of_worth(of_worth.size());
  double sensitivity = 0;
  for (size_t i = 0; i < worth.size(); ++i) {
    of_worth(static_cast<Index>(i)) = utilities[worth[i]];
    rmse_of_worth(static_cast<Index>(i)) = rmse[worth[i]];
    sensitivity = std::max(sensitivity, figures[worth[i]].sensitivity);
  }
  report.Print(Text("6.7, corrected, ", name, ": candidates worth choosing"),
               static_cast<double>(worth.size()));
  report.Print(
      Text("6.7, corrected, ", name, ": sensitivity, widths of the bounds"),
      sensitivity / bounds.width());
  for (const double epsilon : {1.0, 2.0, 10.0}) {
    PrintExpected(
        report, Text("corrected, ", name, ", epsilon ", epsilon),
        SelectionMechanism(sensitivity, epsilon).Probabilities(of_worth),
        rmse_of_worth);
  }
  report.Print(Text("6.7, corrected, ", name, ": mean RMSE of these, cm"),
               rmse_of_worth.mean());
  report.Print(Text("6.7, corrected, ", name, ": least RMSE, cm"),
               rmse_of_worth.minCoeff());
}

// Nothing chosen: everything is learned from the release.
void PrintLearned(const Report& report, const Women& women, int draws) {
  Randomness randomness = Randomness::FromSystem();
  for (const bool as_measured : {false, true}) {
    KungCase c = OptimalLearned({"age"});
    c.as_measured = as_measured;
    const FoldScores scores =
        CrossValidate(women, c, draws, randomness, Threads());
    report.Print(Text("6.7, learned from the release, 14 folds, heights ",
                      as_measured ? "as measured" : "clipped", ": RMSE, cm"),
                 scores.rmse);
  }
}

// The same on the half that candidates were scored on.
void PrintLearned(const Report& report, const Half& half, int draws) {
  Randomness randomness = Randomness::FromSystem();
  const Regression task = OptimalLearned({"age"}).task;
  double squared = 0;
  for (const Fold& fold : half.folds) {
    Setting rest = half.setting;
    rest.inputs = PublicInputs{half.setting.X()(fold.rest, Eigen::all)};
    const auto plan = MakePlan(std::move(rest), task);
    const Secret<Vector> secret(Vector(half.height(fold.rest)));
    const Matrix Xs = half.setting.X()(fold.held_out, Eigen::all);
    const Vector truth = half.height(fold.held_out);
    for (int draw = 0; draw < draws; ++draw) {
      const Release release = plan->Execute(secret, randomness);
      squared += (release.Predict(Xs, {}, half.setting.threads).mean - truth)
                     .squaredNorm();
    }
  }
  report.Print(
      "6.7, learned from the release, the same 5 folds: RMSE, cm",
      std::sqrt(squared / (draws * static_cast<double>(half.height.size()))));
}

int Main(const std::string& path, int draws, bool csv) {
  const Report report(csv);
  const LineExample line;
  PrintLine(report, line, line.halves, "halves");
  PrintLine(report, line, line.interleaved, "interleaved");
  const Women women = ReadWomen(path);
  const Half choosing = HalfOf(women, 0);
  const Half testing = HalfOf(women, 1);
  PrintPublished(report, choosing, testing);
  PrintCorrected(report, choosing, testing, Way::kVolume, "cloaking, volume");
  PrintCorrected(report, choosing, testing, Way::kTrace, "cloaking, trace");
  PrintCorrected(report, choosing, testing, Way::kOptimal, "optimal");
  PrintLearned(report, testing, draws);
  PrintLearned(report, women, draws);
  return 0;
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  std::string path;
  int draws = 100;
  bool csv = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--draws") == 0 && i + 1 < argc) {
      draws = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--csv") == 0) {
      csv = true;
    } else {
      path = argv[i];
    }
  }
  if (path.empty() || draws < 1) {
    std::cerr << "usage: selection DATA.csv [--draws N] [--csv]\n";
    return 2;
  }
  try {
    return cloak::Main(path, draws, csv);
  } catch (const cloak::Error& error) {
    std::cerr << "selection: " << error.what() << "\n";
    return 2;
  }
}
