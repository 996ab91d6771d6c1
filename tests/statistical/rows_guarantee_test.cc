// The guarantee from end to end where whole rows are private: substituting a
// row by any other, whatever its cells are, moves what is published first by no
// more than the noise was made for. (What comes after it is chosen by it.) The
// noise is frozen, and cancels.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cloak/base/special_values.h"
#include "cloak/models/rows/count_release.h"
#include "cloak/models/rows/density.h"
#include "cloak/models/rows/functional_density.h"
#include "cloak/models/rows/histogram.h"
#include "cloak/models/rows/rows_optimal.h"
#include "cloak/models/rows/svm.h"
#include "cloak/models/rows/variational.h"
#include "cloak/privacy/integer128.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

constexpr Index kRows = 25;
constexpr int kNeighbours = 30;

// Two inputs, within [0, 10] if they keep to their ranges, and an output.
using Row = Eigen::Vector3d;

Row AnyRow(std::mt19937_64& random, bool labels) {
  const double hostile[] = {kInfinity, -kInfinity, double{NAN}, 1e308, -0.0,
                            0,         10,         5e-324,      -10};
  std::uniform_real_distribution<double> place(0, 10);
  Row row;
  for (double& cell : row) {
    cell = random() % 2 == 0 ? place(random) : hostile[random() % 9];
  }
  const double any_label[] = {-1, 1, double{NAN}};
  if (labels) row(2) = any_label[random() % 3];
  return row;
}

struct Neighbours {
  Matrix table;
  Matrix other;
};

Neighbours AnyNeighbours(std::mt19937_64& random, bool labels) {
  Matrix table(kRows, 3);
  for (Index i = 0; i < kRows; ++i) {
    table.row(i) = AnyRow(random, labels).transpose();
  }
  Matrix other = table;
  other.row(static_cast<Index>(random() % kRows)) =
      AnyRow(random, labels).transpose();
  return {std::move(table), std::move(other)};
}

PrivateRows AsRows(const Matrix& table) {
  return {{Secret<Vector>(table.col(0)), Secret<Vector>(table.col(1))},
          Secret<Vector>(table.col(2))};
}

// Returns the setting of such a table, with an output of this kind.
template <typename Output>
SharedSetting SettingWith(const Output& output) {
  return HiddenSetting(kRows, Vector::Zero(2), Vector::Constant(2, 10),
                       {"a", "b"}, output, Threads(1));
}

SharedSetting SettingOf(bool labels) {
  return labels ? SettingWith(LabelOutput{"y", {"no", "yes"}})
                : SettingWith(NumberOutput{"y", OutputBounds(0, 10)});
}

const Budget kBudget(1, 1e-5);

// What a table leads to, first to last.
using Publish = std::function<std::vector<ReleasedStatistic>(const Matrix&)>;

Publish By(const Plan& plan) {
  return [&plan](const Matrix& table) {
    Randomness random = RandomnessForTesting::Seeded(7);
    const ReleaseContent content =
        plan.Execute(AsRows(table), random).content();
    std::vector<ReleasedStatistic> all = content.earlier_statistics;
    all.push_back(content.statistic);
    return all;
  };
}

// How much of it changes, as far as it is comparable.
std::vector<Vector> Moved(const Publish& publish,
                          const Neighbours& neighbours) {
  const std::vector<ReleasedStatistic> a = publish(neighbours.table);
  const std::vector<ReleasedStatistic> b = publish(neighbours.other);
  EXPECT_EQ(a.size(), b.size());
  std::vector<Vector> moved;
  for (size_t j = 0; j < a.size(); ++j) {
    if (a[j].integers.size() != b[j].integers.size()) break;
    Vector change(static_cast<Index>(a[j].integers.size()));
    for (Index k = 0; k < change.size(); ++k) {
      const auto place = static_cast<size_t>(k);
      change(k) = a[j].step *
                  static_cast<double>(ParseInt128(a[j].integers[place], "a") -
                                      ParseInt128(b[j].integers[place], "b"));
    }
    moved.push_back(std::move(change));
  }
  return moved;
}

// `size` of the changes is at most `allowed`, and not by far.
void ExpectWithin(
    const Publish& publish, bool labels, double allowed,
    const std::function<double(const std::vector<Vector>&)>& size) {
  std::mt19937_64 random(11);
  double most = 0;
  for (int trial = 0; trial < kNeighbours; ++trial) {
    most = std::max(most, size(Moved(publish, AnyNeighbours(random, labels))));
  }
  EXPECT_LE(most, allowed * (1 + 1e-12));
  EXPECT_GT(most, 0.2 * allowed);
}

double FirstNorm(const std::vector<Vector>& moved) {
  return moved.front().norm();
}

TEST(RowsGuaranteeTest, CellsOfRegressionAndClassification) {
  for (const bool labels : {false, true}) {
    OptimalOptions options{.budget = kBudget};
    options.kernel = Kernel::Parse("bias(9) + eq(variance=4, lengthscale=5)");
    if (!labels) options.noise_variance = 1;
    const RowsOptimalPlan adapting(SettingOf(labels), options);
    ExpectWithin(By(adapting), labels, adapting.privacy().sensitivity,
                 FirstNorm);
    options.cells = {{4, 3}};
    const RowsOptimalPlan plan(SettingOf(labels), options);
    ExpectWithin(By(plan), labels, plan.privacy().sensitivity, FirstNorm);
  }
}

TEST(RowsGuaranteeTest, Moments) {
  VariationalOptions options;
  options.kernel = Kernel::Eq(4, 5);
  options.noise_variance = 1;
  options.grid = {3};
  const VariationalPlan plan(SettingOf(false), kBudget, options);
  const MomentMechanism& moments = plan.moments();
  ExpectWithin(
      By(plan), false, moments.mu(), [&](const std::vector<Vector>& moved) {
        // B, row by row of its lower triangle, and A.
        double squared =
            moved[1].squaredNorm() / std::pow(moments.first_sd(), 2);
        Index entry = 0;
        for (Index j = 0; j < moved[1].size(); ++j) {
          for (Index k = 0; k <= j; ++k) {
            squared += std::pow(
                moved[0](entry++) / (j == k ? moments.diagonal_sd()
                                            : moments.off_diagonal_sd()),
                2);
          }
        }
        EXPECT_EQ(entry, moved[0].size());
        return std::sqrt(squared);
      });
}

TEST(RowsGuaranteeTest, Machine) {
  const SvmPlan plan(SettingOf(true), {.budget = kBudget, .basis = 20});
  ExpectWithin(By(plan), true, plan.privacy().sensitivity, FirstNorm);
}

TEST(RowsGuaranteeTest, FunctionOfADensity) {
  const FunctionalDensityPlan plan(SettingWith(std::monostate()),
                                   {.budget = {.epsilon = 1, .delta = 1e-5},
                                    .method = Density::kFunctional});
  ExpectWithin(By(plan), false, plan.privacy().sensitivity, FirstNorm);
}

// Of histograms and densities.
TEST(RowsGuaranteeTest, Counts) {
  for (const double delta : {0.0, 1e-5}) {
    const CountRelease counts(
        {EqualBins("a", 0, 10, 4), {"b", {}, {"x", "y", "other"}}}, kRows,
        {.epsilon = 1, .delta = delta, .gaussian = delta > 0});
    const auto publish = [&](const Matrix& table) {
      Randomness random = RandomnessForTesting::Seeded(7);
      const CountRelease::Published published =
          counts.Release(AsRows(table).inputs(), random);
      return std::vector<ReleasedStatistic>{published.counts,
                                            published.missing};
    };
    ExpectWithin(publish, false, counts.Statement().sensitivity,
                 [&](const std::vector<Vector>& moved) {
                   return delta == 0
                              ? moved[0].lpNorm<1>() + moved[1].lpNorm<1>()
                              : std::hypot(moved[0].norm(), moved[1].norm());
                 });
  }
}

}  // namespace
}  // namespace cloak
