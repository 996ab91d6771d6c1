#include "cloak/models/release_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/models/rows/functional_density.h"
#include "cloak/models/rows/histogram.h"
#include "cloak/models/rows/rows_optimal.h"
#include "cloak/models/rows/svm.h"
#include "cloak/models/rows/variational.h"
#include "tests/testing/planned_table.h"

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

SharedSetting Rows(const Said& said, bool labels) {
  Setting setting{
      .input_names = {said.input},
      .inputs = PrivateInputs{30, Range(said.lower), Range(said.upper)},
      .output = NumberOutput{said.output, said.bounds},
      .threads = Threads(1)};
  if (labels) {
    setting.output = LabelOutput{said.output, {said.category, "second"}};
  }
  return std::make_shared<const Setting>(setting);
}

SharedSetting Spread(const Said& said, Index inputs = 1) {
  std::vector<std::string> names = {said.input};
  if (inputs == 2) names.emplace_back("b");
  return HiddenSetting(30, Vector::Constant(inputs, said.lower),
                       Vector::Constant(inputs, said.upper), names,
                       std::monostate(), Threads(1));
}

const Density kDensity = {.budget = {.epsilon = 1, .delta = 1e-5}};

Kernel KernelOf(const Said& said) {
  return Kernel::Eq(said.variance, (said.upper - said.lower) / 4);
}

void PlanRows(const Said& said, bool labels) {
  OptimalOptions options{.budget = Budget(1, 1e-5)};
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
  const VariationalPlan plan(Rows(said, false), Budget(1, 1e-5), options);
}

void PlanSvm(const Said& said) {
  Svm options{.budget = Budget(1, 1e-5)};
  options.kernel = KernelOf(said);
  options.basis = 5;
  const SvmPlan plan(Rows(said, true), options);
}

void PlanHistogram(const Said& said) {
  const HistogramPlan plan(
      std::make_shared<const Setting>(Setting{.input_names = {said.input, "c"},
                                              .inputs = PrivateInputs{30},
                                              .threads = Threads(1)}),
      {.budget = {.epsilon = 1},
       .axes = {EqualBins(said.input, said.lower, said.upper, 3),
                {"c", {}, {said.category, "other"}}}});
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
  // Whether there is an output, a category, a unit and a kernel to say.
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
      {"svm", PlanSvm, false, true},
      {"histogram", PlanHistogram, false, true, false, false},
      {"density",
       [](const Said& said) { const DensityPlan plan(Spread(said), kDensity); },
       false, false, false, false},
      {"function of a density",
       [](const Said& said) {
         const FunctionalDensityPlan plan(Spread(said), kDensity);
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

TEST(CheckReleasableTest, WhatCanBeSaidIsPlanned) {
  for (const Case& one : Cases()) EXPECT_NO_THROW(one.plan({})) << one.name;
}

// All of these would be charged for, if they were found out when the release
// is made.
TEST(CheckReleasableTest, NamesThatAreNotTextAreRefused) {
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

TEST(CheckReleasableTest, RangesBeyondWhatAnswersCanBeComputedForAreRefused) {
  for (const Case& one : Cases()) {
    EXPECT_THROW(one.plan({.lower = -1e200, .upper = 1e200}), Error)
        << one.name;
  }
  // A density per unit of volume would not be a double.
  for (const double upper : {1e-160, 1e149}) {
    const Said said{.upper = upper};
    const SharedSetting setting = Spread(said, 2);
    EXPECT_THROW(DensityPlan(setting, kDensity), InvalidInput);
    EXPECT_THROW(FunctionalDensityPlan(setting, kDensity), InvalidInput);
  }
}

TEST(CheckReleasableTest, BoundsBeyondWhatAnswersCanBeComputedForAreRefused) {
  for (const Case& one : Cases()) {
    if (!one.output) continue;
    for (const OutputBounds& bounds :
         {OutputBounds(-1e200, 1e200), OutputBounds(0, 1e-200),
          OutputBounds(1e101, 2e101)}) {
      ExpectRefusal(one, {.bounds = bounds}, "bounds");
    }
  }
}

TEST(CheckReleasableTest, KernelsTooLargeForAnswersAreRefused) {
  for (const Case& one : Cases()) {
    if (!one.kernel) continue;
    EXPECT_THROW(one.plan({.variance = 1e299}), Error) << one.name;
  }
}

}  // namespace
}  // namespace cloak
