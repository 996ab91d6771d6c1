#ifndef CLOAK_SERVER_ANSWER_H_
#define CLOAK_SERVER_ANSWER_H_

#include <string>
#include <string_view>
#include <vector>

#include "cloak/data/csv.h"
#include "cloak/linalg/threads.h"
#include "cloak/release/kind.h"
#include "cloak/release/release.h"

namespace cloak {

// Returns how to read a table that asks a release: its inputs as numbers (or
// names of categories), and every column as text, to be written again.
CsvOptions QueryCsvOptions(const Release& release);

// Returns, for each row of X, 1 where an input lies outside the range that the
// release has for it, else 0: an answer there is a guess beyond what it knows.
Vector OutsideRanges(const Release& release, const Matrix& X);

// Returns the table as it was, and the answer beside it (without privacy_sd,
// and with OutsideRanges as `outside`). What the release says in words, and
// names of columns, get a ' in front where a spreadsheet would take them for a
// formula. Throws InvalidInput when the table already has a column of that
// name.
std::string AnswerCsv(const Release& release, const Table& queries,
                      const PredictOptions& options, const Threads& threads);

// Appends `"name":[1,2,…]` for each column, separated by commas. A number that
// is not finite, which JSON does not have, is null.
void AppendJson(const std::vector<AnswerColumn>& columns, std::string& json);
void AppendJson(const Vector& numbers, std::string& json);

// Appends the answer and OutsideRanges as `outside` in the same way, by all
// threads: after a prediction, writing its digits is what takes longest.
void AppendAnswerJson(const Release& release, const Matrix& X,
                      const PredictOptions& options, const Threads& threads,
                      std::string& json);

// Returns `text` in quotes, escaped; bytes that are not UTF-8 are replaced.
std::string JsonString(std::string_view text);

}  // namespace cloak

#endif  // CLOAK_SERVER_ANSWER_H_
