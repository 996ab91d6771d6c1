#include "cloak/ledger/sql_connection.h"

#include "cloak/base/error.h"
#include "cloak/ledger/postgres_connection.h"
#include "cloak/ledger/sqlite_connection.h"

namespace cloak {

std::unique_ptr<SqlConnection> ConnectSql(const std::string& location,
                                          IfAbsent if_absent) {
  RequireInput(!location.empty(),
               "the ledger must be the path of a file or a postgresql:// URL, "
               "but is empty");
  if (location.starts_with("postgresql://") ||
      location.starts_with("postgres://")) {
    return ConnectPostgres(location);
  }
  return ConnectSqlite(location, if_absent);
}

}  // namespace cloak
