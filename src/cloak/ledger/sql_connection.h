#ifndef CLOAK_LEDGER_SQL_CONNECTION_H_
#define CLOAK_LEDGER_SQL_CONNECTION_H_

#include <memory>
#include <string>
#include <vector>

namespace cloak {

// A connection to the database that holds a ledger. The SQL is written once,
// for both backends: text and integers only, parameters $1, $2, … in the order
// of their first use.
//
// Everything throws InvalidInput, with the name of the ledger and the reason,
// when the database cannot do it: it cannot be reached, is read-only, its disk
// is full. Then nothing is committed, or, when a server is lost while it
// commits, nobody can know; the caller must act as if it were not.
class SqlConnection {
 public:
  using Row = std::vector<std::string>;

  virtual ~SqlConnection() = default;
  SqlConnection(const SqlConnection&) = delete;
  SqlConnection& operator=(const SqlConnection&) = delete;

  // Returns what messages call it: the path, or the URL without its password.
  const std::string& name() const { return name_; }

  // One statement; NULL is read as an empty text.
  virtual std::vector<Row> Run(const std::string& sql,
                               const std::vector<std::string>& values = {}) = 0;

  virtual bool HasTable(const std::string& table) = 0;

  // All writers, of all processes, one after the other: from here to Commit
  // nobody else writes, and what is read is what they have committed.
  virtual void BeginWriting() = 0;
  // A state of the database between two commits.
  virtual void BeginReading() = 0;
  // When it returns, what was written survives a crash of this process, of
  // the server, and of the machine.
  virtual void Commit() = 0;
  virtual void Rollback() noexcept = 0;

 protected:
  explicit SqlConnection(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

// Rolls back unless it was committed.
class SqlTransaction {
 public:
  enum Mode { kReading, kWriting };

  SqlTransaction(SqlConnection& connection, Mode mode)
      : connection_(connection) {
    if (mode == kWriting) {
      connection_.BeginWriting();
    } else {
      connection_.BeginReading();
    }
  }
  ~SqlTransaction() {
    if (!committed_) connection_.Rollback();
  }
  SqlTransaction(const SqlTransaction&) = delete;
  SqlTransaction& operator=(const SqlTransaction&) = delete;

  void Commit() {
    connection_.Commit();
    committed_ = true;
  }

 private:
  SqlConnection& connection_;
  bool committed_ = false;
};

// Whether a file that is not there is made. (A PostgreSQL database is there
// or is not: its administrator makes it.)
enum class IfAbsent { kRefuse, kCreate };

// `location` is a URL that begins with postgresql:// or postgres://, or else
// the path of an SQLite file.
std::unique_ptr<SqlConnection> ConnectSql(const std::string& location,
                                          IfAbsent if_absent);

}  // namespace cloak

#endif  // CLOAK_LEDGER_SQL_CONNECTION_H_
