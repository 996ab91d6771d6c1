#include <algorithm>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/printable.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/file_bytes.h"
#include "cloak/data/table_check.h"

namespace cloak {
namespace {

// How many cells or stretches of rows of a column are listed.
constexpr size_t kMostListed = 50;
constexpr size_t kLongestContent = 40;

constexpr char kForYouAlone[] =
    "For you alone: this tells of private cells, and no privacy promise covers "
    "it.\n"
    "A release needs none of them mended: a private cell that is missing or\n"
    "malformed adds nothing to it, and nobody learns which it is. Do not "
    "remove\n"
    "rows because of one: where inputs are public, that tells whose it was.\n";

// "3, 17-20, 44".
std::string RowRanges(const std::vector<Index>& rows) {
  std::vector<std::string> ranges;
  size_t left = 0;
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
    if (ranges.size() < kMostListed) {
      ranges.push_back(end - begin == 1
                           ? Text(rows[begin])
                           : Text(rows[begin], "-", rows[end - 1]));
    } else {
      left += end - begin;
    }
    begin = end;
  }
  return Text(Join(ranges, ", "), left > 0 ? Text(" and ", left, " more") : "");
}

std::string MalformedLine(const MalformedCell& cell) {
  const bool cut = cell.content.size() > kLongestContent;
  return Text("    row ", cell.row, " (line ", cell.line, "): '",
              cell.content.substr(0, kLongestContent), cut ? "…" : "", "' ",
              cell.fault, "\n");
}

std::string ColumnText(const ColumnCheck& column) {
  std::string text = Text("  ", column.name, ": ", column.values, " ",
                          column.is_numeric ? "numbers" : "texts");
  if (!column.missing_rows.empty()) {
    text += Text(", ", column.missing_rows.size(), " missing");
  }
  if (!column.malformed.empty()) {
    text += Text(", ", column.malformed.size(), " malformed");
  }
  text += "\n";
  if (!column.missing_rows.empty()) {
    text += Text("    missing in rows ", RowRanges(column.missing_rows), "\n");
  }
  const size_t listed = std::min(column.malformed.size(), kMostListed);
  for (size_t i = 0; i < listed; ++i) {
    text += MalformedLine(column.malformed[i]);
  }
  if (listed < column.malformed.size()) {
    text += Text("    and ", column.malformed.size() - listed, " more\n");
  }
  return text;
}

}  // namespace

void RunCheck(const CheckArguments& arguments, const Streams& streams) {
  RequireInput(!arguments.data.empty(),
               "check needs a table: cloak check DATA.csv");
  const MissingValues missing(arguments.missing_values
                                  ? Split(*arguments.missing_values, ',')
                                  : std::vector<std::string>());
  const TableCheck check = CheckTable(ReadTableBytes(arguments.data, streams),
                                      FileTitle(arguments.data), missing);
  std::string text =
      Text(kForYouAlone, "\n", FileTitle(arguments.data), ": ", check.rows,
           " rows, ", check.columns.size(), " columns\n");
  for (const ColumnCheck& column : check.columns) text += ColumnText(column);
  streams.out << Printable(text);
}

}  // namespace cloak
