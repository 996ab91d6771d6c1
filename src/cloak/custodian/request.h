#ifndef CLOAK_CUSTODIAN_REQUEST_H_
#define CLOAK_CUSTODIAN_REQUEST_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/data/csv.h"
#include "cloak/data/table.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/plan.h"
#include "cloak/models/setting.h"
#include "cloak/models/task.h"

namespace cloak {

// Where private inputs lie, from public knowledge.
struct InputRanges {
  Vector lower = {};
  Vector upper = {};
};

// What a custodian asks for: which columns of a table take which part, what of
// them is private, and what is to be released.
struct Request {
  std::vector<std::string> inputs;
  // None where rows are counted.
  std::variant<std::monostate, NumberOutput, LabelOutput> output = {};
  // Present where whole rows are private. A histogram has no ranges here: its
  // axes say where its inputs lie.
  std::optional<InputRanges> private_inputs = {};
  // Public columns, empty for none: the one that says whose row it is, and the
  // one with the noise variance of each row.
  std::string unit = {};
  std::string noise = {};
  Task task;
  Threads threads = {};

  bool ProtectsRows() const { return private_inputs.has_value(); }
  // Returns the empty text where there is no output.
  std::string OutputName() const;
  // Returns the names of the private columns that the release uses.
  std::vector<std::string> PrivateColumns() const;
};

// How the private columns of a table are read.
struct PrivateReading {
  // Leave them closed, for a release that is planned and not made.
  bool closed = false;
  // Keep cells as they are written too: a ledger knows columns by that.
  bool for_ledger = false;
  // See CsvOptions.
  bool refuse_missing = false;
  std::vector<std::string> missing_values = {};
};

// Returns which columns of a file the request needs, and how they are read.
CsvOptions ColumnsOf(const Request& request, const PrivateReading& reading);

// Throws InvalidInput, which names the nearest column there is, unless the
// table has every column that the request names.
void RequireColumns(const Request& request, const Table& table);

// Returns all that is public of the table, for MakePlan.
SharedSetting SettingOf(const Request& request, const Table& table,
                        const Progress& progress = NoProgress);

// Returns what Plan::Execute opens. The table must have its private columns.
PrivateRows PrivateRowsOf(const Request& request, const Table& table);

// Returns the places that matter; null where there are none, or where the task
// has no use for them.
const Matrix* QueryPointsOf(const Task& task);
// Throws InvalidInput where the task has no use for them.
void SetQueryPoints(const Matrix& points, Task& task);

}  // namespace cloak

#endif  // CLOAK_CUSTODIAN_REQUEST_H_
