#ifndef CLOAK_TESTS_LEDGER_LEDGER_FIXTURE_H_
#define CLOAK_TESTS_LEDGER_LEDGER_FIXTURE_H_

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/ledger/ledger.h"
#include "cloak/ledger/sql_connection.h"

namespace cloak {

// The one contract that a ledger keeps on every backend.
enum class Backend { kSqlite, kPostgres };

inline std::string BackendName(const testing::TestParamInfo<Backend>& info) {
  return info.param == Backend::kSqlite ? "Sqlite" : "Postgres";
}

// The server's URL; empty when it was not started.
inline std::string PostgresUrl() {
  std::ifstream file(CLOAK_POSTGRES_URL_FILE);
  std::string url;
  std::getline(file, url);
  return url;
}

// Where files are quick to synchronise: nothing here tests the disk.
inline std::filesystem::path Memory() {
  const std::filesystem::path memory = "/dev/shm";
  std::error_code error;
  const auto space = std::filesystem::space(memory, error);
  const bool usable = !error && space.available > (uintmax_t{1} << 25) &&
                      access(memory.c_str(), W_OK) == 0;
  return usable ? memory : std::filesystem::temp_directory_path();
}

// A place for one ledger, empty: a file in a directory of its own, or a schema
// of its own.
class LedgerPlace {
 public:
  explicit LedgerPlace(Backend backend) {
    std::string pattern = (Memory() / "cloak-ledger-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    if (backend == Backend::kSqlite) {
      location_ = (directory_ / "spent.ledger").string();
      return;
    }
    RequireInput(!PostgresUrl().empty(),
                 "no server: tests/ledger/postgres start DIR starts one, and "
                 "ctest does so by itself");
    schema_ = directory_.filename().string();
    ConnectSql(PostgresUrl(), IfAbsent::kRefuse)
        ->Run(Text("CREATE SCHEMA \"", schema_, "\""));
    location_ =
        Text(PostgresUrl(), "&options=-csearch_path%3D\"", schema_, "\"");
  }
  ~LedgerPlace() {
    try {
      if (!schema_.empty()) {
        ConnectSql(PostgresUrl(), IfAbsent::kRefuse)
            ->Run(Text("DROP SCHEMA \"", schema_, "\" CASCADE"));
      }
      std::filesystem::remove_all(directory_);
    } catch (const std::exception& error) {
      std::cerr << error.what() << "\n";
    }
  }
  LedgerPlace(const LedgerPlace&) = delete;
  LedgerPlace& operator=(const LedgerPlace&) = delete;

  const std::string& location() const { return location_; }
  const std::filesystem::path& directory() const { return directory_; }

  // What somebody who can write to the database may do behind our back.
  void Tamper(const std::vector<std::string>& statements) const {
    const auto connection = ConnectSql(location_, IfAbsent::kRefuse);
    SqlTransaction transaction(*connection, SqlTransaction::kWriting);
    for (const std::string& sql : statements) connection->Run(sql);
    transaction.Commit();
  }

 private:
  std::filesystem::path directory_;
  std::string schema_;
  std::string location_;
};

// Runs `body` in a process of its own and returns its exit code: what body
// returns, or 100 when it throws. No destructor of the parent's runs in it.
inline pid_t Fork(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child != 0) return child;
  int code = 100;
  try {
    code = body();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  }
  _exit(code);
}

inline int ExitCodeOf(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

inline Secret<Vector> Column(std::initializer_list<double> values) {
  Vector column(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), column.begin());
  return Secret<Vector>(column);
}

// The message of the E that `body` throws.
template <typename E, typename F>
std::string MessageOf(F body) {
  try {
    body();
  } catch (const E& error) {
    return error.what();
  } catch (const std::exception& error) {
    return Text("another kind of error: ", error.what());
  }
  return "no error";
}

}  // namespace cloak

#endif  // CLOAK_TESTS_LEDGER_LEDGER_FIXTURE_H_
