#include "cloak/ledger/postgres_connection.h"

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// How long a custodian waits while others write. A charge takes milliseconds.
constexpr char kPatience[] = "60s";
constexpr char kConnectSeconds[] = "10";

// The number of our advisory lock on the server: "CloakLdg".
constexpr char kAdvisoryLock[] = "4858380562228601959";

struct ResultDeleter {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ResultDeleter>;

struct OptionsDeleter {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

// libpq's messages end in a newline, and some have several lines.
std::string OneLine(std::string_view message) {
  std::string line(message);
  while (!line.empty() && line.back() == '\n') line.pop_back();
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

class PostgresConnection : public SqlConnection {
 public:
  explicit PostgresConnection(const std::string& url);
  ~PostgresConnection() override { PQfinish(connection_); }
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  std::vector<Row> Run(const std::string& sql,
                       const std::vector<std::string>& values) override;
  bool HasTable(const std::string& table) override {
    return !Run("SELECT 1 WHERE to_regclass($1) IS NOT NULL", {table}).empty();
  }
  void BeginWriting() override;
  void BeginReading() override {
    Run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", {});
  }
  void Commit() override;
  void Rollback() noexcept override {
    // When the connection is lost, the server has rolled back already.
    const Result result(PQexec(connection_, "ROLLBACK"));
  }

 private:
  void Require(bool condition, const char* message) const {
    RequireInput(condition, "cannot use the ledger '", name(),
                 "': ", OneLine(message));
  }
  Result Execute(const std::string& sql,
                 const std::vector<std::string>& values);

  PGconn* connection_ = nullptr;
};

PostgresConnection::PostgresConnection(const std::string& url)
    : SqlConnection(UrlWithoutPassword(url)) {
  // A later value replaces an earlier one, so the URL has the last word.
  const std::array<const char*, 4> keys = {
      "connect_timeout", "application_name", "dbname", nullptr};
  const std::array<const char*, 4> values = {kConnectSeconds, "cloak",
                                             url.c_str(), nullptr};
  connection_ = PQconnectdbParams(keys.data(), values.data(), 1);
  try {
    Require(PQstatus(connection_) == CONNECTION_OK,
            PQerrorMessage(connection_));
    // The details of an error may quote the row, and with it the key.
    PQsetErrorVerbosity(connection_, PQERRORS_TERSE);
    PQsetNoticeProcessor(
        connection_, [](void*, const char*) {}, nullptr);
    Run("SET client_encoding = 'UTF8'", {});
    Run("SET synchronous_commit = on", {});
    RequirePrivacy(
        Run("SHOW fsync", {})[0][0] == "on", "the server of the ledger '",
        name(),
        "' runs with fsync off: it may forget a charge in a crash, after "
        "its release was published; switch fsync on");
  } catch (...) {
    // The destructor of an object that was not finished is not called.
    PQfinish(connection_);
    throw;
  }
}

Result PostgresConnection::Execute(const std::string& sql,
                                   const std::vector<std::string>& values) {
  std::vector<const char*> pointers;
  for (const std::string& value : values) {
    // libpq takes texts that end at the first zero byte.
    RequireInput(value.find('\0') == std::string::npos,
                 "a text for the ledger contains a zero byte");
    pointers.push_back(value.c_str());
  }
  Result result(PQexecParams(connection_, sql.c_str(),
                             static_cast<int>(pointers.size()), nullptr,
                             pointers.data(), nullptr, nullptr, 0));
  const ExecStatusType status = PQresultStatus(result.get());
  Require(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK,
          PQerrorMessage(connection_));
  return result;
}

std::vector<SqlConnection::Row> PostgresConnection::Run(
    const std::string& sql, const std::vector<std::string>& values) {
  const Result result = Execute(sql, values);
  std::vector<Row> rows(static_cast<size_t>(PQntuples(result.get())));
  for (int i = 0; i < PQntuples(result.get()); ++i) {
    for (int k = 0; k < PQnfields(result.get()); ++k) {
      rows[static_cast<size_t>(i)].emplace_back(
          PQgetvalue(result.get(), i, k),
          static_cast<size_t>(PQgetlength(result.get(), i, k)));
    }
  }
  return rows;
}

// READ COMMITTED: each statement after the lock sees what others committed
// before they let go of it. A snapshot taken earlier would not.
void PostgresConnection::BeginWriting() {
  Run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", {});
  Run(Text("SET LOCAL lock_timeout = '", kPatience, "'"), {});
  Run(Text("SELECT pg_advisory_xact_lock(", kAdvisoryLock, ")"), {});
}

void PostgresConnection::Commit() {
  const Result result = Execute("COMMIT", {});
  // A transaction that failed earlier is rolled back by COMMIT, which reports
  // success.
  Require(std::string_view(PQcmdStatus(result.get())) == "COMMIT",
          "the transaction was rolled back");
}

}  // namespace

std::string UrlWithoutPassword(const std::string& url) {
  // A password that is not escaped would end up in the name of the host, or
  // of the database, which messages show.
  const size_t begin = url.find("://") + 3;
  const size_t slash = std::min(url.find('/', begin), url.size());
  const auto ats = [&](size_t from, size_t to) {
    return std::count(url.begin() + static_cast<std::ptrdiff_t>(from),
                      url.begin() + static_cast<std::ptrdiff_t>(to), '@');
  };
  RequireInput(ats(begin, slash) <= 1 && ats(slash, url.size()) == 0,
               "the URL of the ledger has an '@' or '/' inside a name or a "
               "password: write it as %40 or %2F; or leave the password out "
               "and keep it in ~/.pgpass");
  char* why = nullptr;
  const std::unique_ptr<PQconninfoOption, OptionsDeleter> options(
      PQconninfoParse(url.c_str(), &why));
  // Not quoted: it would name the part that could not be read.
  PQfreemem(why);
  RequireInput(options != nullptr,
               "the URL of the ledger cannot be read; it must be "
               "postgresql://USER@HOST:PORT/DATABASE, with %XX for special "
               "characters");
  std::map<std::string, std::string> parts;
  for (const PQconninfoOption* option = options.get();
       option->keyword != nullptr; ++option) {
    if (option->val != nullptr) parts[option->keyword] = option->val;
  }
  const auto part = [&parts](const char* before, const char* key) {
    return parts[key].empty() ? "" : Text(before, parts[key]);
  };
  return Text("postgresql://", parts["user"], part("@", "host"),
              part(":", "port"), part("/", "dbname"));
}

std::unique_ptr<SqlConnection> ConnectPostgres(const std::string& url) {
  return std::make_unique<PostgresConnection>(url);
}

}  // namespace cloak
