#include "cloak/models/rehearsal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/models/classification.h"
#include "cloak/models/functional_density.h"
#include "cloak/models/histogram.h"
#include "cloak/models/regression.h"
#include "cloak/models/rows_optimal.h"
#include "cloak/models/svm.h"
#include "cloak/models/variational.h"

namespace cloak {
namespace {

using testing::HasSubstr;

// In Latin-1.
constexpr char kNoText[] =
    "gr\xf6\xdf"
    "e";

// Everything that a plan is made from and that a release says.
struct Said {
  double lower = 0;
  double upper = 10;
  OutputBounds bounds = OutputBounds(0, 1);
  std::string input = "x";
  std::string output = "y";
  std::string category = "first";
  std::string unit = "person";
  double variance = 1;
};

Vector Range(double end) { return Vector::Constant(1, end); }

RowsSetting Rows(const Said& said, bool labels) {
  return {.rows = 30,
          .lower = Range(said.lower),
          .upper = Range(said.upper),
          .bounds = labels ? OutputBounds(-1, 1) : said.bounds,
          .budget = Budget(1, 1e-5),
          .input_names = {said.input},
          .output_name = said.output,
          .threads = Threads(1),
          .classes = labels ? std::vector<std::string>{said.category, "second"}
                            : std::vector<std::string>{}};
}

DensitySetting Density(const Said& said) {
  return {.rows = 30,
          .lower = Range(said.lower),
          .upper = Range(said.upper),
          .input_names = {said.input},
          .budget = {.epsilon = 1, .delta = 1e-5},
          .threads = Threads(1)};
}

Kernel KernelOf(const Said& said) {
  return Kernel::Eq(said.variance, (said.upper - said.lower) / 4);
}

void PlanRows(const Said& said, bool labels) {
  RowsOptions options;
  options.kernel = KernelOf(said);
  if (!labels) options.noise_variance = 1;
  options.cells = {{5}};
  const RowsOptimalPlan plan(Rows(said, labels), options);
}

void PlanVariational(const Said& said) {
  VariationalOptions options;
  options.kernel = KernelOf(said);
  options.noise_variance = 1;
  options.grid = {4};
  const VariationalPlan plan(Rows(said, false), options);
}

void PlanMachine(const Said& said) {
  SvmOptions options;
  options.kernel = KernelOf(said);
  options.basis = 5;
  const SvmPlan plan(Rows(said, true), options);
}

void PlanHistogram(const Said& said) {
  const HistogramPlan plan(
      {.rows = 30,
       .axes = {EqualBins(said.input, said.lower, said.upper, 3),
                {"c", {}, {said.category, "other"}}},
       .budget = {.epsilon = 1},
       .threads = Threads(1)});
}

void PlanRegression(const Said& said, RegressionOptions options) {
  const Matrix X = Vector::LinSpaced(12, said.lower, said.upper);
  options.input_names = {said.input};
  options.output_name = said.output;
  options.units = PrivacyUnits::FromLabels(
      {"a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f"}, "person");
  options.unit_name = said.unit;
  options.noise_variance = 1;
  if (options.method != RegressionOptions::kBinning) {
    options.kernel = KernelOf(said);
  }
  const RegressionPlan plan(X, said.bounds, Budget(1, 1e-5), options,
                            Threads(1));
}

struct Case {
  std::string name;
  std::function<void(const Said&)> plan;
  // Which of them there are.
  bool output = true;
  bool category = false;
  bool unit = false;
  bool kernel = true;
};

std::vector<Case> Cases() {
  const auto regression = [](const RegressionOptions& options) {
    return [=](const Said& said) { PlanRegression(said, options); };
  };
  RegressionOptions one;
  one.one_round = true;
  RegressionOptions binning;
  binning.method = RegressionOptions::kBinning;
  binning.bins = 3;
  RegressionOptions functional;
  functional.method = RegressionOptions::kFunctional;
  return {
      {"rounds", regression({}), true, false, true},
      {"one round", regression(one), true, false, true},
      {"binning", regression(binning), true, false, true, false},
      {"functional", regression(functional), true, false, true},
      {"rows", [](const Said& said) { PlanRows(said, false); }},
      {"labels of rows", [](const Said& said) { PlanRows(said, true); }, false,
       true},
      {"variational", PlanVariational},
      {"machine", PlanMachine, false, true},
      {"histogram", PlanHistogram, false, true, false, false},
      {"density",
       [](const Said& said) { const DensityPlan plan(Density(said)); }, false,
       false, false, false},
      {"function of a density",
       [](const Said& said) {
         const FunctionalDensityPlan plan(Density(said), {});
       },
       false, false, false, false},
  };
}

void ExpectRefusal(const Case& one, const Said& said, const std::string& why) {
  try {
    one.plan(said);
    FAIL() << one.name << " was planned, though: " << why;
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr(why)) << one.name;
  }
}

TEST(RehearsalTest, WhatCanBeSaidIsPlanned) {
  for (const Case& one : Cases()) EXPECT_NO_THROW(one.plan({})) << one.name;
}

// All of these would be charged for, if they were found out when the release
// is made.
TEST(RehearsalTest, NamesThatAreNotTextAreRefused) {
  for (const Case& one : Cases()) {
    ExpectRefusal(one, {.input = kNoText}, "an input is not UTF-8");
    if (one.output)
      ExpectRefusal(one, {.output = kNoText}, "the output is not");
    if (one.unit) ExpectRefusal(one, {.unit = kNoText}, "the unit is not");
    if (!one.category) continue;
    ExpectRefusal(one, {.category = kNoText}, "is not UTF-8");
    ExpectRefusal(one, {.category = std::string(201, 'x')}, "200 bytes");
    ExpectRefusal(one, {.category = ""}, "1 to 200 bytes");
  }
}

TEST(RehearsalTest, RangesBeyondWhatAnswersCanBeComputedForAreRefused) {
  for (const Case& one : Cases()) {
    EXPECT_THROW(one.plan({.lower = -1e200, .upper = 1e200}), Error)
        << one.name;
  }
  // A density per unit of volume would not be a double.
  for (const double upper : {1e-160, 1e149}) {
    const Said said{.upper = upper};
    DensitySetting setting = Density(said);
    setting.lower = Vector::Zero(2);
    setting.upper = Vector::Constant(2, upper);
    setting.input_names = {"a", "b"};
    EXPECT_THROW(DensityPlan{setting}, InvalidInput);
    EXPECT_THROW(FunctionalDensityPlan(setting, {}), InvalidInput);
  }
}

TEST(RehearsalTest, BoundsBeyondWhatAnswersCanBeComputedForAreRefused) {
  for (const Case& one : Cases()) {
    if (!one.output) continue;
    for (const OutputBounds& bounds :
         {OutputBounds(-1e200, 1e200), OutputBounds(0, 1e-200),
          OutputBounds(1e101, 2e101)}) {
      ExpectRefusal(one, {.bounds = bounds}, "bounds");
    }
  }
}

TEST(RehearsalTest, KernelsTooLargeForAnswersAreRefused) {
  for (const Case& one : Cases()) {
    if (!one.kernel) continue;
    EXPECT_THROW(one.plan({.variance = 1e299}), Error) << one.name;
  }
}

}  // namespace
}  // namespace cloak
