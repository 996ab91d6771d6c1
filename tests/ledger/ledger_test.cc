// The contract of a ledger, the same on both backends.

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <optional>
#include <set>

#include "cloak/ledger/price.h"
#include "cloak/ledger/store.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "tests/ledger/ledger_contract.h"

namespace cloak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::Values;

INSTANTIATE_TEST_SUITE_P(Backends, LedgerContract,
                         Values(Backend::kSqlite, Backend::kPostgres),
                         BackendName);

TEST_P(LedgerContract, RemembersWhatWasCharged) {
  {
    Ledger ledger = WithHeights();
    Charge(ledger, {0.5, 1e-3}, "Größe given 'age'; to a.cloak");
  }
  Ledger ledger = Opened();
  const DatasetAccount account = ledger.Dataset("heights");
  EXPECT_EQ(account.total.epsilon(), 2);
  EXPECT_EQ(account.total.delta(), 1e-3);
  ASSERT_THAT(account.charges, SizeIs(1));
  EXPECT_EQ(account.charges[0].event, EventOf({0.5, 1e-3}));
  EXPECT_EQ(account.charges[0].description, "Größe given 'age'; to a.cloak");
  EXPECT_NEAR(SpendingOf(account).spent, 0.5, 1e-6);
  EXPECT_EQ(ledger.Verify(std::nullopt).entries, 3U);
}

TEST_P(LedgerContract, AllowsExactlyTheTotalInOneRelease) {
  // Whatever the budget: rounding must not take away what was promised.
  int k = 0;
  for (const Budget& total :
       {Budget(1, 1e-3), Budget(0.1, 1e-5), Budget(2, 1e-6), Budget(10, 0.01),
        Budget(0.37, 3e-7), Budget(1.0 / 3, 1e-5), Budget(5, 1e-9)}) {
    Ledger ledger = Ledger::OpenOrCreate(place_.location());
    const Fingerprint column = ledger.FingerprintOf("", Column({1.0 * ++k, 2}));
    ledger.AddDataset({Text("data ", k), Neighbours::kOutput, total}, {column},
                      "");
    const ChargeRequest request = {
        {column}, Neighbours::kOutput, EventOf(total), ""};
    EXPECT_NO_THROW(ledger.Charge(request))
        << total.epsilon() << " " << total.delta();
    EXPECT_THROW(ledger.Charge(request), PrivacyFailure);
    EXPECT_EQ(SpendingOf(ledger.Dataset(Text("data ", k))).left, 0);
  }
}

TEST_P(LedgerContract, RefusesToOverspendAndSaysWhatIsLeft) {
  Ledger ledger = WithHeights();
  Charge(ledger, {1, 1e-3});
  const std::string message = MessageOf<PrivacyFailure>([&] {
    Charge(ledger, {1.9, 1e-3});
  });
  EXPECT_THAT(message, AllOf(HasSubstr("'heights'"),
                             HasSubstr("total  epsilon 2 at delta 0.001"),
                             HasSubstr("spent  epsilon 1 in 1 release"),
                             HasSubstr("asked  epsilon 1.9\n"),
                             HasSubstr("left   "), HasSubstr("still fits")));
  EXPECT_THAT(ledger.Dataset("heights").charges, SizeIs(1));
  // What it offers instead is allowed, and little more would be.
  const double left = SpendingOf(ledger.Dataset("heights")).left;
  EXPECT_THAT(message, HasSubstr(Text("epsilon ", left, " and delta 0.001")));
  EXPECT_THROW(Charge(ledger, {1.002 * left, 1e-3}), PrivacyFailure);
  EXPECT_NO_THROW(Charge(ledger, {left, 1e-3}));
  EXPECT_THAT(ledger.Dataset("heights").charges, SizeIs(2));
}

TEST_P(LedgerContract, KnowsAColumnByItsValuesAlone) {
  Ledger ledger = WithHeights();
  const auto known = [&](const Secret<Vector>& column) {
    try {
      return ledger.DatasetWith({ledger.FingerprintOf("", column)}).name ==
             "heights";
    } catch (const PrivacyFailure&) {
      return false;
    }
  };
  EXPECT_TRUE(known(Column({150, 160, 170.5})));
  EXPECT_TRUE(known(Column({170.5, 150, 160})));  // in another order
  EXPECT_FALSE(known(Column({150, 160, 170.5, 180})));
  EXPECT_FALSE(known(Column({150, 160})));
  EXPECT_FALSE(known(Column({150, 160, 170.50000000000003})));
  EXPECT_FALSE(known(Column({})));
  const Secret<Vector> zeros = Column({0, -1, 1});
  ledger.AddVersion("heights", {ledger.FingerprintOf("", zeros)}, "");
  EXPECT_TRUE(known(Column({-0.0, 1, -1})));
}

TEST_P(LedgerContract, RefusesATableItDoesNotKnowAndAddsNothing) {
  Ledger ledger = WithHeights();
  const ChargeRequest request = {
      {ledger.FingerprintOf("", Column({150, 160, 170.5, 180}))},
      Neighbours::kOutput,
      EventOf({0.1, 1e-5}),
      ""};
  EXPECT_THAT(MessageOf<PrivacyFailure>([&] { ledger.Charge(request); }),
              AllOf(HasSubstr("does not know"), HasSubstr("to its data set")));
  EXPECT_EQ(ledger.Verify(std::nullopt).entries, 2U);
}

TEST_P(LedgerContract, VersionsOfADataSetShareItsBudget) {
  Ledger ledger = WithHeights();
  const Fingerprint more =
      ledger.FingerprintOf("", Column({150, 160, 170.5, 180}));
  ledger.AddVersion("heights", {more}, "4 rows");
  Charge(ledger, {1.5, 1e-3});
  EXPECT_THROW(
      ledger.Charge({{more}, Neighbours::kOutput, EventOf({1.5, 1e-3}), ""}),
      PrivacyFailure);
}

TEST_P(LedgerContract, GivesNoValuesTwoBudgets) {
  Ledger ledger = WithHeights();
  const NewDataset again = {"again", Neighbours::kOutput, kTotal};
  EXPECT_THAT(MessageOf<InvalidInput>([&] {
                ledger.AddDataset(again, {ledger.FingerprintOf("", heights_)},
                                  "");
              }),
              HasSubstr("'heights'"));
  const NewDataset same_name = {"heights", Neighbours::kOutput, {9, 0.1}};
  EXPECT_THAT(MessageOf<InvalidInput>([&] {
                ledger.AddDataset(same_name,
                                  {ledger.FingerprintOf("", Column({1}))}, "");
              }),
              HasSubstr("nor raised"));
  ledger.AddDataset(again, {ledger.FingerprintOf("", Column({1, 2}))}, "");
  EXPECT_THROW(
      ledger.AddVersion("again", {ledger.FingerprintOf("", heights_)}, ""),
      InvalidInput);
  EXPECT_EQ(ledger.Dataset("heights").total.epsilon(), 2);
}

TEST_P(LedgerContract, ReservesDeltaForWhatIsNotGaussian) {
  Ledger ledger = Ledger::OpenOrCreate(place_.location());
  const Fingerprint column = ledger.FingerprintOf("", heights_);
  EXPECT_THROW(ledger.AddDataset({"heights", Neighbours::kOutput, kTotal, 1e-3},
                                 {column}, ""),
               InvalidInput);
  EXPECT_THAT(ledger.Datasets(), IsEmpty());
  ledger.AddDataset({"heights", Neighbours::kOutput, kTotal, 1e-4}, {column},
                    "");
  const auto charge = [&](const PrivacyEvent& event) {
    ledger.Charge({{column}, Neighbours::kOutput, event, ""});
  };
  charge(ApproximateEvent(0.1, 6e-5));
  EXPECT_THROW(charge(ApproximateEvent(0.1, 6e-5)), PrivacyFailure);
  charge(PureEvent(0.1));
  charge(GaussianEvent(0.1));
  EXPECT_EQ(ledger.Dataset("heights").reserved_delta, 1e-4);
  EXPECT_THAT(ledger.Dataset("heights").charges, SizeIs(3));
}

TEST_P(LedgerContract, DoesNotAddUpDifferentNeighbours) {
  Ledger ledger = WithHeights();
  EXPECT_THAT(MessageOf<PrivacyFailure>([&] {
                ledger.Charge({{ledger.FingerprintOf("", heights_)},
                               Neighbours::kRow,
                               EventOf({0.1, 1e-5}),
                               ""});
              }),
              HasSubstr("does not add up"));
  EXPECT_THAT(ledger.Dataset("heights").charges, IsEmpty());
}

TEST_P(LedgerContract, KnowsAPrivateColumnThatIsAboutToBePublished) {
  Ledger ledger = WithHeights();
  EXPECT_THROW(
      ledger.RequirePublic("heights", ledger.FingerprintOf("size", heights_)),
      PrivacyFailure);
  EXPECT_NO_THROW(ledger.RequirePublic(
      "heights", ledger.FingerprintOf("age", Column({1, 2, 3}))));
}

TEST_P(LedgerContract, KnowsAPrivateColumnByItsNameInAllVersions) {
  Ledger ledger = WithHeights();
  const std::string strange = "blood pressure: 50 % é_1";
  ledger.AddVersion("heights",
                    {ledger.FingerprintOf("height", Column({150, 160})),
                     ledger.FingerprintOf(strange, Column({7, 8}))},
                    "2 rows");
  const Secret<Vector> others = Column({1, 2, 3});
  for (const std::string& name : {std::string("height"), strange}) {
    EXPECT_THAT(MessageOf<PrivacyFailure>([&] {
                  ledger.RequirePublic("heights",
                                       ledger.FingerprintOf(name, others));
                }),
                HasSubstr(name));
  }
  EXPECT_NO_THROW(
      ledger.RequirePublic("heights", ledger.FingerprintOf("age", others)));
  // In another data set, another column may have that name.
  ledger.AddDataset({"others", Neighbours::kOutput, kTotal},
                    {ledger.FingerprintOf("", Column({9}))}, "");
  EXPECT_NO_THROW(
      ledger.RequirePublic("others", ledger.FingerprintOf("height", others)));
}

TEST_P(LedgerContract, KnowsCellsAsTheyAreWritten) {
  Ledger ledger = WithHeights();
  const auto known = [&](const std::vector<std::string>& cells) {
    try {
      return ledger.DatasetWith({ledger.FingerprintOf("", Secret(cells))})
                 .name == "heights";
    } catch (const PrivacyFailure&) {
      return false;
    }
  };
  // The numbers of the table, written in another way and another order.
  EXPECT_TRUE(known({" 1.6e2", "150", "170.50 "}));
  EXPECT_FALSE(known({"160", "150", "170.5", ""}));
  ledger.AddVersion("heights",
                    {ledger.FingerprintOf("", Secret(std::vector<std::string>{
                                                  "yes", "no", "1"}))},
                    "");
  EXPECT_TRUE(known({"1.0", " no", "yes"}));
  EXPECT_FALSE(known({"1", "no", "no"}));
  EXPECT_FALSE(known({"1", "noyes", ""}));
  EXPECT_FALSE(known({"no", "yes"}));
}

TEST_P(LedgerContract, RefusesTextsThatADatabaseMightAlter) {
  Ledger ledger = WithHeights();
  for (const std::string& text :
       {std::string("a\0b", 3), std::string("\xff"), std::string("a\nb")}) {
    EXPECT_THROW(Charge(ledger, {0.1, 1e-5}, text), InvalidInput);
    EXPECT_THROW(ledger.AddDataset({text, Neighbours::kOutput, kTotal},
                                   {ledger.FingerprintOf("", Column({1}))}, ""),
                 InvalidInput);
  }
  EXPECT_NO_THROW(Charge(ledger, {0.1, 1e-5}, "'); DROP TABLE x; -- é\\ $1"));
  EXPECT_EQ(ledger.Dataset("heights").charges[0].description,
            "'); DROP TABLE x; -- é\\ $1");
}

// Each is done by somebody with a database client; each must be seen before
// anything more is charged, and by verify.
TEST_P(LedgerContract, SeesTampering) {
  const std::vector<std::vector<std::string>> ways = {
      // Edited: the price, the total, the description.
      {"UPDATE cloak_ledger_entry SET amount = 'gaussian(mu=0.001)' "
       "WHERE sequence = 4"},
      {"UPDATE cloak_ledger_entry SET amount = "
       "'epsilon=9 delta=0.001 reserved_delta=0' WHERE sequence = 1"},
      {"UPDATE cloak_ledger_entry SET description = 'x' WHERE sequence = 5"},
      {"UPDATE cloak_ledger_entry SET after = '' WHERE sequence = 5"},
      {"UPDATE cloak_ledger_entry SET time = '2020-01-01T00:00:00Z' "
       "WHERE sequence = 3"},
      // Removed: one in the middle, the last, all, and one with the numbers
      // closed up.
      {"DELETE FROM cloak_ledger_entry WHERE sequence = 4"},
      {"DELETE FROM cloak_ledger_entry WHERE sequence = 6"},
      {"DELETE FROM cloak_ledger_entry WHERE sequence > 3"},
      {"DELETE FROM cloak_ledger_entry"},
      {"DELETE FROM cloak_ledger_entry WHERE sequence = 4",
       "UPDATE cloak_ledger_entry SET sequence = 4 WHERE sequence = 5",
       "UPDATE cloak_ledger_entry SET sequence = 5 WHERE sequence = 6"},
      // Swapped: two rows change places.
      {"UPDATE cloak_ledger_entry SET sequence = 99 WHERE sequence = 4",
       "UPDATE cloak_ledger_entry SET sequence = 4 WHERE sequence = 5",
       "UPDATE cloak_ledger_entry SET sequence = 5 WHERE sequence = 99"},
      // Inserted: a copy.
      {"INSERT INTO cloak_ledger_entry SELECT 7, time, kind, dataset, "
       "neighbours, amount, description, after, tag FROM cloak_ledger_entry "
       "WHERE sequence = 6"},
      // The head.
      {"UPDATE cloak_ledger SET seal = ''"},
      {"DELETE FROM cloak_ledger_entry WHERE sequence = 6",
       "UPDATE cloak_ledger SET seal = (SELECT tag FROM cloak_ledger_entry "
       "WHERE sequence = 5)"},
      {"UPDATE cloak_ledger SET key = "
       "'00000000000000000000000000000000"
       "00000000000000000000000000000000'"},
      {"UPDATE cloak_ledger SET key = 'short'"},
      {"DELETE FROM cloak_ledger"},
  };
  Ledger ledger = WithHeights();
  for (int k = 0; k < 4; ++k) Charge(ledger, {0.1, 1e-3});
  place_.Tamper({"CREATE TABLE kept_head AS SELECT * FROM cloak_ledger",
                 "CREATE TABLE kept AS SELECT * FROM cloak_ledger_entry"});
  for (const std::vector<std::string>& way : ways) {
    ASSERT_EQ(Opened().Verify(std::nullopt).entries, 6U);
    place_.Tamper(way);
    EXPECT_THROW(Charge(ledger, {0.1, 1e-3}), PrivacyFailure) << way[0];
    EXPECT_THROW(Opened().Verify(std::nullopt), PrivacyFailure) << way[0];
    place_.Tamper({"DELETE FROM cloak_ledger", "DELETE FROM cloak_ledger_entry",
                   "INSERT INTO cloak_ledger SELECT * FROM kept_head",
                   "INSERT INTO cloak_ledger_entry SELECT * FROM kept"});
  }
  EXPECT_NO_THROW(Charge(ledger, {0.1, 1e-3}));
}

TEST_P(LedgerContract, SaysWhichEntryDoesNotFit) {
  Ledger ledger = WithHeights();
  for (int k = 0; k < 3; ++k) Charge(ledger, {0.1, 1e-3});
  place_.Tamper({"DELETE FROM cloak_ledger_entry WHERE sequence = 5"});
  EXPECT_THAT(MessageOf<PrivacyFailure>([&] { ledger.Verify(std::nullopt); }),
              HasSubstr("removed"));
  place_.Tamper({"DELETE FROM cloak_ledger_entry WHERE sequence = 3"});
  EXPECT_THAT(MessageOf<PrivacyFailure>([&] { ledger.Verify(std::nullopt); }),
              HasSubstr("entry 3 is not there"));
}

TEST_P(LedgerContract, AHeadNotedElsewhereGivesAnOldCopyAway) {
  Ledger ledger = WithHeights();
  const std::string old_head = Charge(ledger, {0.1, 1e-3}).head;
  const auto connection = ConnectSql(place_.location(), IfAbsent::kRefuse);
  const std::string old_seal =
      connection->Run("SELECT seal FROM cloak_ledger")[0][0];
  const std::string head = Charge(ledger, {0.1, 1e-3}).head;
  EXPECT_EQ(ledger.Verify(old_head).tag, head);
  EXPECT_EQ(ledger.Verify(head).tag, head);
  // The state before the last charge, put back: whole in itself.
  place_.Tamper({"DELETE FROM cloak_ledger_entry WHERE sequence = 4",
                 Text("UPDATE cloak_ledger SET seal = '", old_seal, "'")});
  EXPECT_EQ(ledger.Verify(std::nullopt).entries, 3U);
  EXPECT_EQ(ledger.Verify(old_head).entries, 3U);
  EXPECT_THAT(MessageOf<PrivacyFailure>([&] { ledger.Verify(head); }),
              HasSubstr("none of its 3 entries"));
}

TEST_P(LedgerContract, SixteenProcessesAtOnceSpendTheTotalAndNoMore) {
  // 25 releases of mu = M/5 fit exactly, but for rounding: 24 surely, 26 not.
  Ledger ledger = WithHeights();
  const double mu =
      std::get<GaussianEvent>(EventOf(kTotal)).mu() / 5 * (1 - 1e-9);
  const ChargeRequest request = {{ledger.FingerprintOf("", heights_)},
                                 Neighbours::kOutput,
                                 GaussianEvent(mu),
                                 "one of many"};
  std::vector<pid_t> children;
  for (int k = 0; k < 16; ++k) {
    children.push_back(Fork([&] {
      Ledger mine = Ledger::Open(place_.location());
      for (int charged = 0;; ++charged) {
        try {
          mine.Charge(request);
        } catch (const PrivacyFailure&) {
          return charged;
        }
      }
    }));
  }
  int charged = 0;
  for (const pid_t child : children) {
    const int code = ExitCodeOf(child);
    EXPECT_GE(code, 0);
    EXPECT_LE(code, 25);
    charged += code;
  }
  EXPECT_EQ(charged, 25);
  EXPECT_THAT(ledger.Dataset("heights").charges, SizeIs(25));
  EXPECT_EQ(ledger.Verify(std::nullopt).entries, 27U);
}

TEST_P(LedgerContract, ManyMayMakeItAtOnce) {
  std::vector<pid_t> children;
  for (int k = 0; k < 8; ++k) {
    children.push_back(Fork([&] {
      Ledger ledger = Ledger::OpenOrCreate(place_.location());
      ledger.AddDataset({Text("data ", k), Neighbours::kOutput, kTotal},
                        {ledger.FingerprintOf("", Column({1.0 * k}))}, "");
      return 0;
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(ExitCodeOf(child), 0);
  EXPECT_THAT(Opened().Datasets(), SizeIs(8));
}

TEST_P(LedgerContract, IsNotMadeByAccident) {
  EXPECT_THAT(MessageOf<InvalidInput>([&] { Opened(); }),
              HasSubstr("initialise one first"));
}

TEST_P(LedgerContract, RefusesAFormatItDoesNotKnow) {
  WithHeights();
  place_.Tamper({"UPDATE cloak_ledger SET format = '2'"});
  EXPECT_THAT(MessageOf<InvalidInput>([&] { Opened(); }),
              HasSubstr("format 2"));
}

TEST_P(LedgerContract, StoresNothingThatDependsOnTheValuesButTheFingerprint) {
  // Two ledgers with the same key and different values: every text but the
  // fingerprint and what is hashed from it is the same.
  WithHeights();
  const auto connection = ConnectSql(place_.location(), IfAbsent::kRefuse);
  const std::string stored = connection->Run(
      "SELECT amount FROM cloak_ledger_entry "
      "WHERE kind = 'version'")[0][0];
  EXPECT_THAT(stored, testing::MatchesRegex("[0-9a-f]{64}"));
  // Another ledger has another key, and so another fingerprint.
  const LedgerPlace other(GetParam());
  Ledger ledger = Ledger::OpenOrCreate(other.location());
  ledger.AddDataset({"heights", Neighbours::kOutput, kTotal},
                    {ledger.FingerprintOf("", heights_)}, "3 rows");
  EXPECT_NE(ConnectSql(other.location(), IfAbsent::kRefuse)
                ->Run("SELECT amount FROM cloak_ledger_entry "
                      "WHERE kind = 'version'")[0][0],
            stored);
}

}  // namespace
}  // namespace cloak
