#include "cloak/ledger/sqlite_connection.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// "Clk1": what file(1) and we know a ledger by.
constexpr int kApplicationId = 0x436c6b31;

// How long a custodian waits while others write. A charge takes milliseconds.
constexpr int kPatienceMilliseconds = 60'000;

// A file that only its owner can read: it will hold the ledger's key.
void CreateFile(const std::string& path) {
  const int descriptor =
      open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  // Somebody else may have been faster, which is as good.
  RequireInput(descriptor >= 0 || errno == EEXIST, "cannot create the ledger '",
               path, "': ", std::generic_category().message(errno));
  if (descriptor >= 0) close(descriptor);
}

class Statement {
 public:
  Statement(sqlite3* database, const std::string& sql) {
    sqlite3_prepare_v2(database, sql.c_str(), -1, &statement_, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Null when the SQL could not be compiled.
  sqlite3_stmt* get() const { return statement_; }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

class SqliteConnection : public SqlConnection {
 public:
  SqliteConnection(const std::string& path, IfAbsent if_absent);
  ~SqliteConnection() override { sqlite3_close(database_); }
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  std::vector<Row> Run(const std::string& sql,
                       const std::vector<std::string>& values) override;
  bool HasTable(const std::string& table) override {
    return !Run("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND "
                "name = $1",
                {table})
                .empty();
  }
  void BeginWriting() override { Run("BEGIN IMMEDIATE", {}); }
  void BeginReading() override { Run("BEGIN", {}); }
  void Commit() override { Run("COMMIT", {}); }
  void Rollback() noexcept override {
    // Fails when SQLite has rolled back already, which is as good.
    sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  }

 private:
  // After a call that did not succeed.
  [[noreturn]] void Fail() const;
  // A ledger never is an empty file, but for the moment in which it is made.
  void RequireContent(const std::string& path) const;
  void Open(const std::string& path);
  void Configure();
  void RequireOurs(IfAbsent if_absent);

  sqlite3* database_ = nullptr;
};

SqliteConnection::SqliteConnection(const std::string& path, IfAbsent if_absent)
    : SqlConnection(path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    RequireInput(if_absent == IfAbsent::kCreate, "there is no ledger '", path,
                 "'; initialise one first");
    CreateFile(path);
  } else {
    RequireInput(!std::filesystem::is_directory(status), "the ledger '", path,
                 "' is a directory");
    RequireContent(path);
  }
  try {
    Open(path);
    Configure();
    RequireOurs(if_absent);
  } catch (...) {
    // The destructor of an object that was not finished is not called.
    sqlite3_close(database_);
    throw;
  }
}

void SqliteConnection::RequireContent(const std::string& path) const {
  // Somebody else may be making it at this moment.
  constexpr int kTries = 40;
  constexpr auto kPause = std::chrono::milliseconds(50);
  std::error_code error;
  for (int i = 0; i < kTries; ++i) {
    if (std::filesystem::file_size(path, error) != 0) return;
    std::this_thread::sleep_for(kPause);
  }
  throw InvalidInput(
      Text("the ledger '", name(),
           "' is an empty file, and what was spent is not known\n"
           "If it was a ledger, restore a backup. If it never was one, delete "
           "it first."));
}

void SqliteConnection::Open(const std::string& path) {
  // From the root, ":memory:" and "file:x?mode=memory" are files like any
  // other, and not ledgers that are forgotten.
  const std::string file = std::filesystem::absolute(path).string();
  const int code =
      sqlite3_open_v2(file.c_str(), &database_, SQLITE_OPEN_READWRITE, nullptr);
  if (code != SQLITE_OK) Fail();
  sqlite3_extended_result_codes(database_, 1);
  sqlite3_busy_timeout(database_, kPatienceMilliseconds);
}

void SqliteConnection::Configure() {
  // A ledger has neither triggers nor views; one that somebody put in must not
  // run.
  sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  Run("PRAGMA trusted_schema = OFF", {});
  // EXTRA, not FULL: a transaction is committed when its rollback journal is
  // deleted, and with FULL a power failure may bring a deleted journal back,
  // which takes a charge back after its release was published.
  Run("PRAGMA synchronous = EXTRA", {});
  const std::vector<Row> mode = Run("PRAGMA journal_mode = DELETE", {});
  RequirePrivacy(!mode.empty() && mode[0][0] == "delete", "the ledger '",
                 name(),
                 "' cannot be written durably: its journal mode cannot "
                 "be set");
}

// A new, empty file becomes ours; a database of somebody else's stays as it
// is.
void SqliteConnection::RequireOurs(IfAbsent if_absent) {
  const auto application = [this] {
    return Run("PRAGMA application_id", {})[0][0];
  };
  if (application() == Text(kApplicationId)) return;
  RequireInput(if_absent == IfAbsent::kCreate, "'", name(),
               "' is not a Cloak ledger; initialise one first");
  SqlTransaction transaction(*this, SqlTransaction::kWriting);
  if (application() == Text(kApplicationId)) return;
  const bool empty = Run("SELECT 1 FROM sqlite_schema", {}).empty();
  RequireInput(empty && application() == "0", "'", name(),
               "' is a database, but not a Cloak ledger");
  Run(Text("PRAGMA application_id = ", kApplicationId), {});
  transaction.Commit();
}

void SqliteConnection::Fail() const {
  const int code = sqlite3_errcode(database_) & 0xff;
  std::string reason = sqlite3_errmsg(database_);
  if (code == SQLITE_NOTADB) reason = "it is not a Cloak ledger";
  if (code == SQLITE_READONLY) reason += " (it, or its directory)";
  if (code == SQLITE_CORRUPT) reason += "; restore a backup";
  if (code == SQLITE_BUSY) {
    reason = Text("somebody else has been writing to it for ",
                  kPatienceMilliseconds / 1000, " s");
  }
  const int system_error = sqlite3_system_errno(database_);
  const bool from_system = code == SQLITE_IOERR || code == SQLITE_CANTOPEN;
  if (from_system && system_error != 0) {
    reason += Text(" (", std::generic_category().message(system_error), ")");
  }
  throw InvalidInput(Text("cannot use the ledger '", name(), "': ", reason));
}

std::vector<SqlConnection::Row> SqliteConnection::Run(
    const std::string& sql, const std::vector<std::string>& values) {
  const Statement statement(database_, sql);
  if (statement.get() == nullptr) Fail();
  for (size_t i = 0; i < values.size(); ++i) {
    const int code = sqlite3_bind_text64(
        statement.get(), static_cast<int>(i + 1), values[i].data(),
        values[i].size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    if (code != SQLITE_OK) Fail();
  }
  std::vector<Row> rows;
  int code = sqlite3_step(statement.get());
  for (; code == SQLITE_ROW; code = sqlite3_step(statement.get())) {
    Row row;
    for (int k = 0; k < sqlite3_column_count(statement.get()); ++k) {
      const unsigned char* text = sqlite3_column_text(statement.get(), k);
      const int size = sqlite3_column_bytes(statement.get(), k);
      row.emplace_back(reinterpret_cast<const char*>(text),
                       text == nullptr ? 0 : static_cast<size_t>(size));
    }
    rows.push_back(std::move(row));
  }
  if (code != SQLITE_DONE) Fail();
  return rows;
}

}  // namespace

std::unique_ptr<SqlConnection> ConnectSqlite(const std::string& path,
                                             IfAbsent if_absent) {
  return std::make_unique<SqliteConnection>(path, if_absent);
}

}  // namespace cloak
