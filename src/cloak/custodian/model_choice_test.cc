#include "cloak/custodian/model_choice.h"

#include <gmock/gmock.h>

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "cloak/kernels/kernel.h"
#include "cloak/linalg/threads.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

// A wave of which one lengthscale is right and two are not.
class ModelChoiceTest : public testing::Test {
 protected:
  static Request Waves() {
    return {.inputs = {"x"},
            .output = NumberOutput{"y", OutputBounds(-2, 2)},
            .task = Candidate(1),
            .threads = Threads(1)};
  }
  static Regression Candidate(double lengthscale) {
    return {.budget = Budget(5, 1e-3),
            .kernel = Kernel::Parse(
                Text("eq(variance=1, lengthscale=", lengthscale, ")")),
            .noise_variance = 0.01};
  }
  static Table Read(const PrivateReading& reading = {}) {
    std::string csv = "x,y\n";
    for (int i = 0; i < 120; ++i) {
      csv += Text(0.1 * i, ",", std::sin(0.1 * i), "\n");
    }
    return ParseCsv(csv, "waves.csv", ColumnsOf(Waves(), reading));
  }
  static ModelChoice Choice(const Table& table, double epsilon,
                            bool closed = false) {
    return {Waves(), {Candidate(1), Candidate(2), Candidate(4)},
            epsilon, /*folds=*/4,
            table,   closed,
            Seeded};
  }
  static Randomness Seeded() { return RandomnessForTesting::Seeded(3); }
};

TEST_F(ModelChoiceTest, ReportsOneOfThoseWorthChoosingOnce) {
  const Table table = Read();
  ModelChoice choice = Choice(table, 1000);
  EXPECT_EQ(choice.figures().size(), 3U);
  EXPECT_EQ(choice.privacy().epsilon, 1000);
  EXPECT_EQ(choice.privacy().delta, 0);
  EXPECT_GT(choice.privacy().sensitivity, 0);
  EXPECT_EQ(choice.Price().has_value(), false);
  int reports = 0;
  choice.Choose(Seeded, [&](size_t chosen, const std::optional<Bill>& bill) {
    ++reports;
    EXPECT_THAT(choice.worth(), testing::Contains(chosen));
    EXPECT_FALSE(bill.has_value());
  });
  EXPECT_EQ(reports, 1);
}

TEST_F(ModelChoiceTest, OfATableThatIsClosedHasTheSameFiguresAndIsNotMade) {
  const Table open = Read();
  const Table closed = Read({.closed = true});
  ModelChoice choice = Choice(closed, 1, /*closed=*/true);
  const ModelChoice same = Choice(open, 1);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(choice.figures()[i].noise_sd, same.figures()[i].noise_sd);
    EXPECT_EQ(choice.figures()[i].sensitivity, same.figures()[i].sensitivity);
  }
  EXPECT_THROW(
      choice.Choose(Seeded, [](size_t, const std::optional<Bill>&) { FAIL(); }),
      Error);
}

TEST_F(ModelChoiceTest, NumbersOutOfProportionAreWrongInput) {
  const Table table = Read();
  const auto fail = [](std::string_view, double) {
    throw Error("a matrix is not positive definite");
  };
  EXPECT_THROW(ModelChoice(Waves(), {Candidate(1), Candidate(2)}, 1, 4, table,
                           /*closed=*/false, Seeded, fail),
               InvalidInput);
}

TEST_F(ModelChoiceTest, WithPrivateRowsIsAPlanLikeAnyOther) {
  Request request = Waves();
  request.private_inputs = InputRanges{Vector{{0}}, Vector{{12}}};
  const Table table = Read({.closed = true});
  const auto plan = PlanChoice(request, {Candidate(1), Candidate(2)},
                               Budget(5, 1e-3), /*tries=*/10, table);
  EXPECT_EQ(plan->privacy().epsilon, 5);
  EXPECT_EQ(plan->neighbours(), Neighbours::kRow);
}

}  // namespace
}  // namespace cloak
