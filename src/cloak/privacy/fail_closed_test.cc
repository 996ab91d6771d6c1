// When random numbers fail, every mechanism fails, before it reads anything.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/privacy/bin_count_mechanism.h"
#include "cloak/privacy/bin_sum_mechanism.h"
#include "cloak/privacy/cell_mechanism.h"
#include "cloak/privacy/coinpress_mean.h"
#include "cloak/privacy/count_mechanism.h"
#include "cloak/privacy/feature_mechanism.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "cloak/privacy/label_mechanism.h"
#include "cloak/privacy/moment_mechanism.h"
#include "cloak/privacy/selection_mechanism.h"
#include "cloak/privacy/svm_mechanism.h"
#include "tests/testing/child_process_for_testing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

constexpr Index kSize = 1 << 16;

// Makes reading the inner pages of some numbers fatal, for ever: for a child
// process that is about to end.
void ForbidReading(const void* begin, size_t bytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t first = (address + page - 1) / page * page;
  const uintptr_t last = (address + bytes) / page * page;
  if (first >= last ||
      mprotect(reinterpret_cast<void*>(first), last - first, PROT_NONE) != 0) {
    _exit(3);
  }
  // Sanitizers would write a report.
  std::signal(SIGSEGV, SIG_DFL);
}

struct Case {
  std::string name;
  std::function<void(Randomness&)> release;
};

// Each mechanism, about to release something that cannot be read.
std::vector<Case> Cases() {
  std::vector<Case> cases;
  cases.push_back({"Gaussian", [](Randomness& random) {
                     Vector y = Vector::Zero(kSize);
                     const double* data = y.data();
                     const Secret<Vector> secret(std::move(y));
                     const GaussianMechanism mechanism(Matrix::Ones(1, kSize),
                                                       OutputBounds(0, 1),
                                                       Budget(1, 1e-5));
                     ForbidReading(data, kSize * sizeof(double));
                     mechanism.Release(secret, random);
                   }});
  const auto count = [](const CountMechanism& mechanism, Randomness& random) {
    std::vector<int64_t> counts(kSize);
    const int64_t* data = counts.data();
    const Secret<std::vector<int64_t>> secret(std::move(counts));
    ForbidReading(data, kSize * sizeof(int64_t));
    mechanism.Release(secret, random);
  };
  cases.push_back({"Laplace", [=](Randomness& random) {
                     count(CountMechanism::Laplace(1, 1), random);
                   }});
  cases.push_back({"rounded Gaussian", [=](Randomness& random) {
                     count(CountMechanism::Gaussian(1, 1), random);
                   }});
  cases.push_back({"counts of bins", [](Randomness& random) {
                     Vector rows = Vector::Zero(kSize);
                     const double* data = rows.data();
                     std::vector<Secret<Vector>> inputs;
                     inputs.emplace_back(std::move(rows));
                     const BinCountMechanism mechanism(
                         {{2, [](double x) { return x > 0 ? 1 : 0; }}}, kSize,
                         {.epsilon = 1});
                     ForbidReading(data, kSize * sizeof(double));
                     mechanism.Release(inputs, random);
                   }});
  cases.push_back({"sums of bins", [](Randomness& random) {
                     Vector y = Vector::Zero(kSize);
                     const double* data = y.data();
                     const Secret<Vector> secret(std::move(y));
                     const BinSumMechanism mechanism(
                         std::vector<Index>(static_cast<size_t>(kSize)), 1,
                         PrivacyUnits::EachRow(kSize), OutputBounds(0, 1), 1);
                     ForbidReading(data, kSize * sizeof(double));
                     mechanism.Release(secret, random);
                   }});
  cases.push_back({"exponential", [](Randomness& random) {
                     Vector utilities = Vector::Zero(kSize);
                     const double* data = utilities.data();
                     const Secret<Vector> secret(std::move(utilities));
                     const SelectionMechanism mechanism(1, 1);
                     ForbidReading(data, kSize * sizeof(double));
                     mechanism.Select(secret, random);
                   }});
  cases.push_back({"Coinpress", [](Randomness& random) {
                     Matrix rows = Matrix::Zero(kSize, 1);
                     const double* data = rows.data();
                     const Secret<Matrix> secret(std::move(rows));
                     const CoinpressMean mechanism(kSize, Vector::Zero(1), 1,
                                                   Budget(1, 1e-5));
                     ForbidReading(data, kSize * sizeof(double));
                     mechanism.Release(secret, random);
                   }});
  const auto cells = [](bool forbid_outputs, Randomness& random) {
    Vector x = Vector::Zero(kSize);
    Vector y = Vector::Zero(kSize);
    const double* data = forbid_outputs ? y.data() : x.data();
    std::vector<Secret<Vector>> inputs;
    inputs.emplace_back(std::move(x));
    const Secret<Vector> secret(std::move(y));
    const CellMechanism mechanism(
        Grid(Vector{{0}}, Vector{{1}}, {2}), Matrix::Identity(2, 2),
        {OutputBounds(0, 1), OutputBounds(0, 1)}, kSize, 1);
    ForbidReading(data, kSize * sizeof(double));
    mechanism.Release(inputs, secret, random);
  };
  cases.push_back(
      {"inputs of cells", [=](Randomness& random) { cells(false, random); }});
  cases.push_back(
      {"outputs of cells", [=](Randomness& random) { cells(true, random); }});
  cases.push_back({"features", [](Randomness& random) {
                     Vector rows = Vector::Zero(kSize);
                     const double* data = rows.data();
                     std::vector<Secret<Vector>> inputs;
                     inputs.emplace_back(std::move(rows));
                     const FeatureMechanism mechanism(
                         Grid(Vector{{0}}, Vector{{1}}, {2}),
                         Matrix::Identity(2, 2), kSize, 1);
                     ForbidReading(data, kSize * sizeof(double));
                     mechanism.Release(inputs, random);
                   }});
  cases.push_back({"moments", [](Randomness& random) {
                     Vector x = Vector::Zero(kSize);
                     const double* data = x.data();
                     std::vector<Secret<Vector>> inputs;
                     inputs.emplace_back(std::move(x));
                     const MomentMechanism mechanism(
                         {.rows = kSize,
                          .lower = Vector::Zero(1),
                          .upper = Vector::Ones(1),
                          .bounds = OutputBounds(0, 1),
                          .centre = 0.5,
                          .features = 1,
                          .norm = 1,
                          .budget = Budget(1, 1e-5)},
                         {});
                     ForbidReading(data, kSize * sizeof(double));
                     mechanism.Release(
                         inputs, inputs[0], [](const Matrix& X) { return X; },
                         random, Threads(1));
                   }});
  cases.push_back({"labels", [](Randomness& random) {
                     Vector labels = Vector::Zero(kSize);
                     const double* data = labels.data();
                     const Secret<Vector> secret(std::move(labels));
                     const LabelMechanism mechanism(
                         Matrix::Ones(1, kSize), 2,
                         PrivacyUnits::EachRow(kSize), Budget(1, 1e-5));
                     ForbidReading(data, kSize * sizeof(double));
                     mechanism.Release(secret, random);
                   }});
  // Once with inputs that cannot be read, and once with labels.
  const auto train = [](bool forbid_labels, Randomness& random) {
    Vector x = Vector::Zero(kSize);
    Vector labels = Vector::Ones(kSize);
    const double* data = forbid_labels ? labels.data() : x.data();
    std::vector<Secret<Vector>> inputs;
    inputs.emplace_back(std::move(x));
    const Secret<Vector> secret(std::move(labels));
    const SvmMechanism mechanism({.rows = kSize,
                                  .lower = Vector::Zero(1),
                                  .upper = Vector::Ones(1),
                                  .features = 1,
                                  .norm = 1,
                                  .cost = 1,
                                  .budget = Budget(1, 1e-5)});
    ForbidReading(data, kSize * sizeof(double));
    mechanism.Release(
        inputs, secret, [](const Matrix& X) { return X; }, random, Threads(1));
  };
  cases.push_back({"inputs of a machine",
                   [=](Randomness& random) { train(false, random); }});
  cases.push_back({"labels of a machine",
                   [=](Randomness& random) { train(true, random); }});
  return cases;
}

TEST(FailClosedTest, AMechanismWithoutRandomNumbersFailsAndReadsNothing) {
  Randomness of_the_parent = Randomness::FromSystem();
  for (const Case& mechanism : Cases()) {
    EXPECT_TRUE(IsRefusedInChild([&] { mechanism.release(of_the_parent); }))
        << mechanism.name;
  }
}

TEST(FailClosedTest, TheTestAboveWouldNoticeAReader) {
  for (const Case& mechanism : Cases()) {
    EXPECT_FALSE(IsRefusedInChild([&] {
      Randomness random = Randomness::FromSystem();
      mechanism.release(random);
    })) << mechanism.name;
  }
}

TEST(FailClosedTest, WithoutEntropyThereIsNothingToReleaseWith) {
  EXPECT_THROW(RandomnessForTesting::WithFailingEntropy(), PrivacyFailure);
  EXPECT_THROW(RandomnessForTesting::WithEmptyEntropy(), PrivacyFailure);
}

}  // namespace
}  // namespace cloak
