#include "experiments/smith2021/folds.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "experiments/dice.h"

namespace cloak {
namespace {

constexpr int kFolds = 14;

}  // namespace

Matrix Women::Inputs(const std::vector<std::string>& names) const {
  Matrix X(age.size(), static_cast<Index>(names.size()));
  for (size_t j = 0; j < names.size(); ++j) {
    X.col(static_cast<Index>(j)) = names[j] == "age" ? age : weight;
  }
  return X;
}

Women ReadWomen(const std::filesystem::path& path) {
  const Table table =
      ReadCsv(path, {.numeric = {"height", "weight", "age", "male"}});
  const Matrix all = table.Numeric({"height", "weight", "age", "male"});
  std::vector<Index> rows;
  for (Index i = 0; i < all.rows(); ++i) {
    if (all(i, 3) == 0) rows.push_back(i);
  }
  const Matrix women = all(rows, Eigen::all);
  return {women.col(2), women.col(1),
          women.col(0).cwiseMax(kLowestHeight).cwiseMin(kHighestHeight),
          women.col(0)};
}

KungCase OptimalGiven(const std::vector<std::string>& inputs) {
  const bool one = inputs.size() == 1;
  Regression task{.budget = Budget(1, 0.01)};
  task.kernel = Kernel::Parse("bias(1000) + eq(variance=600, lengthscale=15)");
  // Weight tells more of a height than age alone.
  task.noise_variance = one ? 60 : 30;
  return {Text("optimal, kernel given, ", one ? "1-d" : "2-d"), inputs, task};
}

KungCase OptimalLearned(const std::vector<std::string>& inputs) {
  KungCase c = OptimalGiven(inputs);
  c.name = Text("optimal, all learned, ", inputs.size(), "-d");
  c.task.kernel.reset();
  c.task.noise_variance.reset();
  return c;
}

KungCase Cloaking(const std::vector<std::string>& inputs, PlanDesign design) {
  KungCase c = OptimalGiven(inputs);
  c.name =
      Text("cloaking, ", design == Regression::kVolume ? "volume, " : "trace, ",
           inputs.size(), "-d");
  c.task.method = Regression::kCloaking;
  c.task.design = design;
  c.task.kernel = Kernel::Parse("bias(1000) + eq(variance=10, lengthscale=15)");
  c.task.noise_variance = 25;
  c.at_test_points = true;
  return c;
}

KungCase SparseCloaking(const std::vector<std::string>& inputs,
                        PlanDesign design) {
  KungCase c = Cloaking(inputs, design);
  c.name = "sparse " + c.name;
  c.task.method = Regression::kSparseCloaking;
  c.task.inducing = {5};
  return c;
}

KungCase NonstationaryCloaking(const std::vector<std::string>& inputs,
                               PlanDesign design) {
  KungCase c = Cloaking(inputs, design);
  c.name = "nonstationary " + c.name;
  c.task.method = Regression::kNonstationaryCloaking;
  c.task.kernel = Kernel::Parse("bias(1000) + eq(variance=10, lengthscale=40)");
  return c;
}

KungCase Baseline(const std::vector<std::string>& inputs,
                  Regression::Method method) {
  KungCase c = OptimalGiven(inputs);
  c.name = Text(NameOf(method), ", ", inputs.size(), "-d");
  c.task.method = method;
  if (IsBinned(method)) c.task.budget = PureBudget(1);
  if (method == Regression::kBinning) c.task.kernel.reset();
  return c;
}

KungCase Published(const std::vector<std::string>& inputs,
                   Regression::Method method) {
  KungCase c = method == Regression::kCloaking
                   ? Cloaking(inputs, Regression::kVolume)
                   : SparseCloaking(inputs, Regression::kVolume);
  c.name = "as published: " + c.name;
  c.task.kernel = Kernel::Eq(10, 15);
  c.task.published_noise = true;
  c.at_the_mean = true;
  return c;
}

FoldScores CrossValidate(const Women& women, const KungCase& c, int draws,
                         Randomness& randomness, const Threads& threads) {
  Regression task = c.task;
  const Matrix X = women.Inputs(c.inputs);
  NumberOutput output{"height", OutputBounds(kLowestHeight, kHighestHeight)};
  if (c.at_the_mean) output.prior_mean = women.height.mean();
  const std::vector<Index> order = Dice(2018).Shuffled(X.rows());
  const auto count = static_cast<Index>(order.size());
  Vector fold_rmse(kFolds);
  double covered = 0;
  for (Index fold = 0; fold < kFolds; ++fold) {
    const Index begin = fold * count / kFolds;
    const Index end = (fold + 1) * count / kFolds;
    std::vector<Index> test(order.begin() + begin, order.begin() + end);
    std::vector<Index> train(order.begin(), order.begin() + begin);
    train.insert(train.end(), order.begin() + end, order.end());
    const Matrix Xs = X(test, Eigen::all);
    const Vector truth = (c.as_measured ? women.measured : women.height)(test);
    if (c.at_test_points) task.query_points = Xs;
    const auto plan = MakePlan({.input_names = c.inputs,
                                .inputs = PublicInputs{X(train, Eigen::all)},
                                .output = output,
                                .threads = threads},
                               task);
    const Secret<Vector> secret(Vector(women.height(train)));
    double squared = 0;
    double inside = 0;
    for (int draw = 0; draw < draws; ++draw) {
      const Release release = plan->Execute(secret, randomness);
      const Predictions predicted = release.Predict(Xs, {}, threads);
      squared += (predicted.mean - truth).squaredNorm();
      inside += static_cast<double>((truth.array() >= predicted.lower.array() &&
                                     truth.array() <= predicted.upper.array())
                                        .count());
    }
    fold_rmse(fold) =
        std::sqrt(squared / (draws * static_cast<double>(test.size())));
    covered += inside / draws;
  }
  const double mean = fold_rmse.mean();
  return {mean,
          std::sqrt((fold_rmse.array() - mean).square().sum() /
                    (kFolds * (kFolds - 1))),
          covered / static_cast<double>(count)};
}

}  // namespace cloak
