#ifndef CLOAK_SERVER_QUERY_TABLE_H_
#define CLOAK_SERVER_QUERY_TABLE_H_

#include <string_view>

#include "cloak/data/table.h"
#include "cloak/release/release.h"
#include "cloak/server/api.h"

namespace cloak {

// The table that a client asks a release about: CSV, perhaps gzipped. A little
// gzip can unpack to a great deal, and a byte can be a cell, so its size is
// looked at before any of it is kept. Throws HttpError 413 when it has too many
// rows or cells, and InvalidInput as ParseCsv does.
Table ParseQueryTable(std::string_view body, const Release& release,
                      const ApiLimits& limits);

}  // namespace cloak

#endif  // CLOAK_SERVER_QUERY_TABLE_H_
