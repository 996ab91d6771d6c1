#include "cloak/server/query_table.h"

#include <string>

#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "cloak/data/gzip.h"
#include "cloak/server/answer.h"
#include "cloak/server/http_error.h"

namespace cloak {
namespace {

constexpr char kTable[] = "the body";

[[noreturn]] void RefuseSize(const std::string& code, Index most,
                             const std::string& what) {
  throw HttpError(413, code,
                  Text("the table has more than ", most, " ", what,
                       ", the most this answers at once"),
                  "send them in several requests");
}

// Lines and commas between quotes belong to a cell. Where quotes are malformed
// this counts something else, but then the table is refused for them.
void CheckSize(std::string_view csv, const ApiLimits& limits) {
  csv = csv.substr(0, csv.find_last_not_of("\r\n") + 1);
  bool quoted = false;
  Index lines = 0;
  Index rows = 0;
  Index columns = 1;
  for (const char c : csv) {
    if (c == '"') quoted = !quoted;
    if (c == '\n') ++lines;
    if (quoted) continue;
    if (c == ',' && rows == 0) ++columns;
    if (c == '\n') ++rows;
  }
  if (rows > limits.rows) RefuseSize("too_many_rows", limits.rows, "rows");
  // Every line may turn out to be a row, and room is made for it.
  if (lines * columns > limits.cells) {
    RefuseSize("too_many_cells", limits.cells, "cells");
  }
}

}  // namespace

Table ParseQueryTable(std::string_view body, const Release& release,
                      const ApiLimits& limits) {
  std::string plain;
  if (IsGzip(body)) {
    plain = Gunzip(body, kTable, limits.table_bytes);
    body = plain;
  }
  CheckSize(body, limits);
  return ParseCsv(body, kTable, QueryCsvOptions(release));
}

}  // namespace cloak
