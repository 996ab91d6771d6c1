#ifndef CLOAK_LEDGER_SQLITE_CONNECTION_H_
#define CLOAK_LEDGER_SQLITE_CONNECTION_H_

#include <memory>
#include <string>

#include "cloak/ledger/sql_connection.h"

namespace cloak {

// An SQLite file of the ledger's own, readable and writable by its owner
// alone when it is made here.
std::unique_ptr<SqlConnection> ConnectSqlite(const std::string& path,
                                             IfAbsent if_absent);

}  // namespace cloak

#endif  // CLOAK_LEDGER_SQLITE_CONNECTION_H_
