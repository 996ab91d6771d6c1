// What is particular to each backend of a ledger.

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

// What is particular to a file.

class SqliteLedger : public LedgerContract {};
INSTANTIATE_TEST_SUITE_P(Backends, SqliteLedger, Values(Backend::kSqlite),
                         BackendName);

TEST_P(SqliteLedger, IsReadableByItsOwnerAlone) {
  WithHeights();
  struct stat status {};
  ASSERT_EQ(stat(place_.location().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

// Runs `body` as somebody who is not root, to whom permissions apply.
int ExitCodeAsNobody(const std::function<int()>& body) {
  return ExitCodeOf(Fork([&] {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setresuid(kNobody, kNobody, kNobody) != 0) return 99;
    return body();
  }));
}

TEST_P(SqliteLedger, ThatCannotBeWrittenChargesNothingAndSaysWhy) {
  namespace fs = std::filesystem;
  WithHeights();
  // Readable by all, writable by none: first the directory, then the file.
  fs::permissions(place_.location(), fs::perms(0666));
  for (const auto& [directory, file] :
       {std::pair(0555, 0666), std::pair(0777, 0444)}) {
    fs::permissions(place_.directory(), fs::perms(directory));
    fs::permissions(place_.location(), fs::perms(file));
    EXPECT_EQ(ExitCodeAsNobody([&] {
                Ledger ledger = Opened();  // can be read
                if (ledger.Datasets().size() != 1) return 1;
                const std::string message = MessageOf<InvalidInput>([&] {
                  Charge(ledger, {0.1, 1e-3});
                });
                std::cerr << message << "\n";
                return message.find("cannot use the ledger") == 0 ? 0 : 2;
              }),
              0);
  }
  fs::permissions(place_.directory(), fs::perms(0700));
  EXPECT_THAT(Opened().Dataset("heights").charges, IsEmpty());
}

TEST_P(SqliteLedger, OnAFullDiskChargesNothingAndSaysWhy) {
  WithHeights();
  const auto size = std::filesystem::file_size(place_.location());
  // No file of this process may grow, as on a disk without room.
  const int code = ExitCodeOf(Fork([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {size, size};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 99;
    Ledger ledger = Opened();
    const std::string large(50'000, 'x');
    const std::string message = MessageOf<InvalidInput>([&] {
      Charge(ledger, {0.1, 1e-3}, large);
    });
    std::cerr << message << "\n";
    return message.find("cannot use the ledger") == 0 ? 0 : 1;
  }));
  EXPECT_EQ(code, 0);
  Ledger ledger = Opened();
  EXPECT_THAT(ledger.Dataset("heights").charges, IsEmpty());
  EXPECT_EQ(ledger.Verify(std::nullopt).entries, 2U);
  EXPECT_NO_THROW(Charge(ledger, {0.1, 1e-3}));
}

TEST_P(SqliteLedger, IsNoOtherFile) {
  std::ofstream(place_.location()) << "age,height\n1,2\n";
  EXPECT_THAT(MessageOf<InvalidInput>([&] { Opened(); }),
              HasSubstr("not a Cloak ledger"));
  EXPECT_THAT(
      MessageOf<InvalidInput>([&] { Ledger::OpenOrCreate(place_.location()); }),
      HasSubstr("not a Cloak ledger"));
  // Nobody knows what was spent from it, so it gets no fresh budget.
  std::ofstream(place_.location()).close();
  EXPECT_THAT(MessageOf<InvalidInput>([&] { Opened(); }),
              HasSubstr("restore a backup"));
  EXPECT_THAT(
      MessageOf<InvalidInput>([&] { Ledger::OpenOrCreate(place_.location()); }),
      HasSubstr("restore a backup"));
  EXPECT_THAT(MessageOf<InvalidInput>(
                  [&] { Ledger::Open(place_.directory().string()); }),
              HasSubstr("is a directory"));
}

TEST_P(SqliteLedger, IsAFileWhateverItsName) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(place_.directory());
  for (const std::string name : {":memory:", "file:x?mode=memory"}) {
    Ledger::OpenOrCreate(name).AddDataset(
        {"data", Neighbours::kOutput, kTotal},
        {Ledger::Open(name).FingerprintOf("", heights_)}, "");
    EXPECT_THAT(Ledger::Open(name).Datasets(), SizeIs(1));
  }
  std::filesystem::current_path(before);
}

TEST_P(SqliteLedger, RunsNoTriggerThatSomebodyPutIn) {
  Ledger ledger = WithHeights();
  place_.Tamper(
      {"CREATE TRIGGER quiet AFTER INSERT ON cloak_ledger_entry BEGIN "
       "DELETE FROM cloak_ledger_entry WHERE sequence = NEW.sequence; END"});
  Charge(ledger, {0.1, 1e-3});
  EXPECT_EQ(Opened().Verify(std::nullopt).entries, 3U);
}

// What is particular to a server.

TEST(PostgresLedger, SaysWhyItCannotConnectAndNeverThePassword) {
  const std::string url = PostgresUrl();
  ASSERT_FALSE(url.empty()) << "ctest starts a server; see LedgerPlace";
  const size_t begin = url.find("cloak:") + 6;
  const std::string password = url.substr(begin, url.find('@') - begin);
  std::string wrong = url;
  wrong.replace(begin, password.size(), "wr0ng-secret");
  std::string nowhere = url;
  nowhere.replace(nowhere.find("host="), std::string::npos,
                  "host=/nonexistent-directory");
  const auto message = [](const std::string& location) {
    return MessageOf<InvalidInput>([&] { Ledger::Open(location); });
  };
  EXPECT_THAT(message(wrong), AllOf(HasSubstr("password authentication failed"),
                                    Not(HasSubstr("wr0ng"))));
  EXPECT_THAT(message(nowhere),
              AllOf(HasSubstr("nonexistent"), Not(HasSubstr(password))));
  EXPECT_THAT(message("postgresql://u:s3cret@127.0.0.1:1/x"),
              AllOf(HasSubstr("postgresql://u@127.0.0.1:1/x"),
                    HasSubstr("refused"), Not(HasSubstr("s3cret"))));
  // Passwords that were not escaped, which libpq reads as something else.
  for (const std::string bad :
       {"postgresql://u:s3@cret@h/x", "postgresql://u:s3/cret@h/x",
        "postgresql://u@h/x?password=s3@cret",
        "postgresql://u@h/x?pasword=s3cret"}) {
    EXPECT_THAT(message(bad),
                AllOf(HasSubstr("the URL of the ledger"), Not(HasSubstr("s3")),
                      Not(HasSubstr("cret"))))
        << bad;
  }
  EXPECT_THAT(Ledger::OpenOrCreate(url).name(), Not(HasSubstr(password)));
  ConnectSql(url, IfAbsent::kRefuse)->Run("DROP TABLE cloak_ledger");
  ConnectSql(url, IfAbsent::kRefuse)->Run("DROP TABLE cloak_ledger_entry");
}

TEST(PostgresLedger, ATransactionThatFailedIsNotCommittedInSilence) {
  const LedgerPlace place(Backend::kPostgres);
  const auto connection = ConnectSql(place.location(), IfAbsent::kRefuse);
  connection->BeginWriting();
  connection->Run("CREATE TABLE x (y INTEGER PRIMARY KEY)");
  connection->Run("INSERT INTO x VALUES (1)");
  EXPECT_THROW(connection->Run("INSERT INTO x VALUES (1)"), InvalidInput);
  EXPECT_THROW(connection->Commit(), InvalidInput);
  EXPECT_FALSE(connection->HasTable("x"));
}

TEST(PostgresLedger, AConnectionLostBeforeCommitChargesNothing) {
  const LedgerPlace place(Backend::kPostgres);
  Ledger ledger =
      Ledger::OpenOrCreate(Text(place.location(), "&application_name=doomed"));
  const Fingerprint column = ledger.FingerprintOf("", Column({1, 2}));
  ledger.AddDataset({"data", Neighbours::kOutput, kTotal}, {column}, "");
  const auto killed = ConnectSql(PostgresUrl(), IfAbsent::kRefuse)
                          ->Run(
                              "SELECT pg_terminate_backend(pid) FROM "
                              "pg_stat_activity WHERE application_name = "
                              "'doomed'");
  ASSERT_THAT(killed, SizeIs(1));
  EXPECT_THROW(
      ledger.Charge({{column}, Neighbours::kOutput, EventOf({0.1, 1e-3}), ""}),
      InvalidInput);
  EXPECT_EQ(Ledger::Open(place.location()).Verify(std::nullopt).entries, 2U);
}

}  // namespace
}  // namespace cloak
