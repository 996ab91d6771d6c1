#include "cloak/custodian/pending_release.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "cloak/release/file_format.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// A survey of thirty people, asked for the heights by age.
class PendingReleaseTest : public testing::Test {
 protected:
  PendingReleaseTest() {
    fs::create_directories(folder_);
    csv_ = "age,height\n";
    for (int i = 0; i < 30; ++i) {
      csv_ += Text(2 * i, ",", 100 + (37 * i) % 80, "\n");
    }
  }
  ~PendingReleaseTest() override { fs::remove_all(folder_); }

  static Request Heights(double epsilon = 1) {
    return {.inputs = {"age"},
            .output = NumberOutput{"height", OutputBounds(60, 200)},
            .task = Regression{.budget = Budget(epsilon, 1e-3)},
            .threads = Threads(1)};
  }
  Table Read(const Request& request, const PrivateReading& reading = {}) const {
    return ParseCsv(csv_, "survey.csv", ColumnsOf(request, reading));
  }
  std::string Path(const std::string& name) const {
    return (folder_ / name).string();
  }
  // Returns a new ledger that allows an epsilon of 1.5.
  LedgerName NewLedger() {
    LedgerName name{Path("spent.ledger")};
    Ledger ledger = Ledger::OpenOrCreate(name.location);
    const Table table = Read(Heights(), {.for_ledger = true});
    ledger.AddDataset(
        {.name = "people", .total = Budget(1.5, 1e-3)},
        {ledger.FingerprintOf("height", table.PrivateText("height"))}, "");
    return name;
  }
  size_t Charges(const LedgerName& name) const {
    return Ledger::Open(name.location).Dataset("people").charges.size();
  }
  // Notes what happens, in order.
  RandomnessSource NotedRandomness() {
    return [this] {
      events_.emplace_back("drawn");
      return RandomnessForTesting::Seeded(1);
    };
  }
  Destination NotedDestination() {
    return {"heights.cloak", [this](const std::string& bytes) {
              events_.emplace_back("written");
              written_ = bytes;
            }};
  }

  // NOLINTBEGIN(*-non-private-member-variables-in-classes)
  std::vector<std::string> events_;
  std::string written_;
  // NOLINTEND(*-non-private-member-variables-in-classes)

 private:
  fs::path folder_ =
      fs::temp_directory_path() /
      Text("cloak-custodian-", getpid(), "-",
           testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string csv_;
};

TEST_F(PendingReleaseTest, IsMadeAndWritten) {
  const Request request = Heights();
  const Table table = Read(request);
  PendingRelease pending(request, table, PlanRelease(request, table));
  EXPECT_GT(pending.plan().summary().expected_sd, 0);
  EXPECT_FALSE(pending.Price("x").has_value());
  const Release release = pending.Make(NotedRandomness(), NotedDestination());
  EXPECT_THAT(events_, testing::ElementsAre("drawn", "written"));
  EXPECT_EQ(written_, ReleaseToJson(release));
  EXPECT_EQ(release.content().output, "height");
  EXPECT_FALSE(pending.bill().has_value());
}

TEST_F(PendingReleaseTest, IsChargedBeforeAnythingIsDrawn) {
  const LedgerName ledger = NewLedger();
  const Request request = Heights();
  const Table table = Read(request, {.for_ledger = true});
  PendingRelease pending(request, table, PlanRelease(request, table));
  pending.ChargeTo(ledger);
  EXPECT_EQ(pending.Price("x")->refusal, "");
  EXPECT_EQ(Charges(ledger), 0U);
  pending.Make(
      [&] {
        EXPECT_EQ(Charges(ledger), 1U);
        return RandomnessForTesting::Seeded(1);
      },
      NotedDestination());
  ASSERT_TRUE(pending.bill().has_value());
  EXPECT_EQ(pending.bill()->dataset, "people");
  EXPECT_NEAR(pending.bill()->spent, 1, 1e-9);
  EXPECT_THAT(
      Ledger::Open(ledger.location).Dataset("people").charges[0].description,
      AllOf(HasSubstr("height given age; epsilon 1"),
            HasSubstr("to heights.cloak")));
}

TEST_F(PendingReleaseTest, ThatTheBudgetForbidsDrawsNothing) {
  const LedgerName ledger = NewLedger();
  const Request request = Heights(2);
  const Table table = Read(request, {.for_ledger = true});
  PendingRelease pending(request, table, PlanRelease(request, table));
  pending.ChargeTo(ledger);
  EXPECT_THAT(pending.Price("x")->refusal, HasSubstr("epsilon"));
  EXPECT_THROW(pending.Make(NotedRandomness(), NotedDestination()),
               PrivacyFailure);
  EXPECT_THAT(events_, testing::IsEmpty());
  EXPECT_EQ(Charges(ledger), 0U);
}

TEST_F(PendingReleaseTest, ThatFailsAfterTheChargeStaysSpent) {
  const LedgerName ledger = NewLedger();
  const Request request = Heights(0.5);
  const Table table = Read(request, {.for_ledger = true});
  PendingRelease pending(request, table, PlanRelease(request, table));
  pending.ChargeTo(ledger);
  EXPECT_THROW(pending.Make(RandomnessForTesting::WithFailingEntropy,
                            NotedDestination()),
               SpentInVain);
  EXPECT_THROW(
      pending.Make(NotedRandomness(), {"full",
                                       [](const std::string&) {
                                         throw InvalidInput("the disk is full");
                                       }}),
      SpentInVain);
  EXPECT_EQ(Charges(ledger), 2U);
}

TEST_F(PendingReleaseTest, OfATableThatIsClosedCanBePricedAlone) {
  const LedgerName ledger = NewLedger();
  const Request request = Heights();
  const Table table = Read(request, {.closed = true});
  EXPECT_THROW(table.Private("height"), InvalidInput);
  PendingRelease pending(request, table, PlanRelease(request, table));
  pending.ChargeTo(LedgerCharge(ledger, request, table, /*closed=*/true));
  EXPECT_NEAR(pending.Price("x")->spent, 1, 1e-9);
  // The ledger does not know the table, as it has not seen it.
  EXPECT_ANY_THROW(pending.Make(NotedRandomness(), NotedDestination()));
  EXPECT_THAT(events_, testing::IsEmpty());
}

TEST_F(PendingReleaseTest, GoesToAFileThatIsNotThereYet) {
  const Request request = Heights();
  const Table table = Read(request);
  PendingRelease pending(request, table, PlanRelease(request, table));
  const std::string path = Path("heights.cloak");
  const Destination file = Destination::File(path);
  EXPECT_FALSE(fs::exists(path));
  const Release release = pending.Make(NotedRandomness(), file);
  std::ifstream written(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(written), {}),
            ReleaseToJson(release));
  EXPECT_THROW(Destination::File(path), InvalidInput);
  EXPECT_NO_THROW(Destination::File(path, /*overwrite=*/true));
  EXPECT_THROW(Destination::File(Path("none/x.cloak")), InvalidInput);
  EXPECT_THROW(Destination::File(""), InvalidInput);
}

TEST_F(PendingReleaseTest, NumbersOutOfProportionAreWrongInput) {
  const auto fails = [] { throw Error("a matrix is not positive definite"); };
  try {
    PlanSafely(fails);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("Nothing was spent"));
  }
  EXPECT_THROW(PlanSafely([] { throw PrivacyFailure("no entropy"); }),
               PrivacyFailure);
}

TEST_F(PendingReleaseTest, APublicColumnThatTheLedgerHoldsPrivateIsRefused) {
  const LedgerName ledger = NewLedger();
  Request request = Heights();
  request.inputs = {"height"};
  request.output = NumberOutput{"age", OutputBounds(0, 100)};
  const Table table = Read(request, {.for_ledger = true});
  EXPECT_THROW(LedgerCharge({ledger.location, "people"}, request, table,
                            /*closed=*/true),
               PrivacyFailure);
}

TEST_F(PendingReleaseTest, AColumnThatIsNotThereIsNamedWithItsNearest) {
  Request request = Heights();
  const Table table = Read(request);
  request.output = NumberOutput{"hight", OutputBounds(60, 200)};
  try {
    RequireColumns(request, table);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'height'?"));
  }
}

TEST(RequestTest, SaysWhatIsPrivateOfAnyTask) {
  Request rows{.inputs = {"age", "sex"},
               .private_inputs = InputRanges(),
               .task = HistogramTask{.budget = {.epsilon = 1},
                                     .axes = {{"age", {0, 50, 100}, {}},
                                              {"sex", {}, {"f", "other"}}}}};
  EXPECT_THAT(rows.PrivateColumns(), testing::ElementsAre("age", "sex"));
  const CsvOptions csv = ColumnsOf(rows, {});
  EXPECT_THAT(csv.secret, testing::ElementsAre("age"));
  ASSERT_EQ(csv.categories.size(), 1U);
  EXPECT_EQ(csv.categories[0].column, "sex");
  const CsvOptions closed = ColumnsOf(rows, {.closed = true});
  EXPECT_TRUE(closed.secret.empty() && closed.categories.empty());
  EXPECT_THROW(SetQueryPoints(Matrix{{1}}, rows.task), InvalidInput);
  EXPECT_EQ(QueryPointsOf(rows.task), nullptr);
}

}  // namespace
}  // namespace cloak
