#ifndef CLOAK_LEDGER_POSTGRES_CONNECTION_H_
#define CLOAK_LEDGER_POSTGRES_CONNECTION_H_

#include <memory>
#include <string>

#include "cloak/ledger/sql_connection.h"

namespace cloak {

// A PostgreSQL database, with whatever libpq takes in a URL; what the URL
// leaves out comes from libpq's own places (PGPASSWORD, ~/.pgpass, …).
std::unique_ptr<SqlConnection> ConnectPostgres(const std::string& url);

// The URL as messages show it: user, host, port and database, nothing else.
// Throws InvalidInput, without quoting any of it, when it cannot be read.
std::string UrlWithoutPassword(const std::string& url);

}  // namespace cloak

#endif  // CLOAK_LEDGER_POSTGRES_CONNECTION_H_
