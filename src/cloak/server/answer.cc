#include "cloak/server/answer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/csv_writer.h"
#include "cloak/data/label_classes.h"

namespace cloak {
namespace {

constexpr char kOutside[] = "outside";

// An option without any effect was a misunderstanding.
void CheckOptions(const ReleaseContent& content,
                  const PredictOptions& options) {
  RequireInput(!options.latent || KindOf(content.task).has_observations,
               "a release of the task '", NameOf(content.task),
               "' has no noise of observations around its function, so "
               "'latent' would change nothing; leave it out");
}

// Returns the inputs of the queries as numbers: of categories, the place of
// each.
Matrix InputsOf(const Table& queries, const ReleaseContent& content) {
  Matrix X(queries.rows(), static_cast<Index>(content.inputs.size()));
  for (size_t j = 0; j < content.inputs.size(); ++j) {
    const std::string& name = content.inputs[j].name;
    const auto column = static_cast<Index>(j);
    const std::vector<std::string>& categories = CategoriesOf(content, j);
    if (categories.empty()) {
      X.col(column) = queries.Numeric({name}).col(0);
      continue;
    }
    const LabelClasses classes(categories);
    const std::vector<std::string>& text = queries.TextColumn(name);
    for (Index i = 0; i < X.rows(); ++i) {
      X(i, column) =
          static_cast<double>(classes.Find(text[static_cast<size_t>(i)])
                                  .value_or(categories.size() - 1));
    }
  }
  return X;
}

// Spreadsheets run what begins like a formula. A quote in front makes it text,
// and numbers stay as they are. (OWASP, CSV injection.)
std::string WithoutFormula(const std::string& text) {
  constexpr std::string_view kFirstOfFormula = "=+-@\t\r";
  if (text.empty() || kFirstOfFormula.find(text[0]) == std::string_view::npos) {
    return text;
  }
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end) return text;
  return "'" + text;
}

// Two columns of one name would leave the reader to guess which is which.
void CheckNoClash(const Table& queries, const std::string& added) {
  const auto& header = queries.header();
  RequireInput(std::count(header.begin(), header.end(), added) == 0, "'",
               queries.name(), "' already has a column '", added,
               "', which the answer adds; rename it first");
}

// Throws InvalidInput where an answer, far outside of everything, is beyond all
// numbers.
void CheckFinite(const Table& queries, const AnswerColumn& column) {
  for (Index i = 0; i < column.numbers.size(); ++i) {
    RequireInput(std::isfinite(column.numbers(i)), "row ", i + 1, " of '",
                 queries.name(),
                 "' lies so far from the inputs of the release that its ",
                 column.name,
                 " is not a number; correct the row, or leave it out");
  }
}

// Appends them with commas between them.
void AppendNumbers(const Vector& numbers, std::string& json) {
  // "-2.2250738585072014e-308,"
  constexpr Index kLongest = 25;
  const size_t begin = json.size();
  json.resize(begin + static_cast<size_t>(kLongest * numbers.size()));
  char* at = json.data() + begin;
  char* const end = json.data() + json.size();
  for (Index i = 0; i < numbers.size(); ++i) {
    if (i > 0) *at++ = ',';
    if (std::isfinite(numbers[i])) {
      at = std::to_chars(at, end, numbers[i]).ptr;
    } else {
      at = std::copy_n("null", 4, at);
    }
  }
  json.resize(static_cast<size_t>(at - json.data()));
}

void AppendCells(const AnswerColumn& column, std::string& json) {
  if (column.text.empty()) return AppendNumbers(column.numbers, json);
  for (const std::string& value : column.text) {
    if (&value != &column.text.front()) json += ',';
    json += JsonString(value);
  }
}

void AppendName(const AnswerColumn& column, std::string& json) {
  ((json += '"') += column.name) += "\":";
}

}  // namespace

Vector OutsideRanges(const Release& release, const Matrix& X) {
  const ReleaseContent& content = release.content();
  Vector outside = Vector::Zero(X.rows());
  for (size_t j = 0; j < content.inputs.size(); ++j) {
    // A category that the release does not have counts as its last.
    if (!CategoriesOf(content, j).empty()) continue;
    const InputColumn& input = content.inputs[j];
    const auto column = X.col(static_cast<Index>(j)).array();
    outside.array() = (column < input.lower || column > input.upper)
                          .select(1.0, outside.array());
  }
  return outside;
}

CsvOptions QueryCsvOptions(const Release& release) {
  CsvOptions csv;
  csv.all_text = true;
  const ReleaseContent& content = release.content();
  for (size_t j = 0; j < content.inputs.size(); ++j) {
    const bool is_text = !CategoriesOf(content, j).empty();
    (is_text ? csv.text : csv.numeric).push_back(content.inputs[j].name);
  }
  return csv;
}

std::string AnswerCsv(const Release& release, const Table& queries,
                      const PredictOptions& options, const Threads& threads) {
  const Matrix X = InputsOf(queries, release.content());
  CheckOptions(release.content(), options);
  std::vector<AnswerColumn> added =
      KindOf(release.content().task).columns(release, X, options, threads);
  added.push_back({kOutside, OutsideRanges(release, X)});
  std::vector<CsvColumn> columns;
  for (const std::string& name : queries.header()) {
    columns.emplace_back(WithoutFormula(name), queries.TextColumn(name));
  }
  for (AnswerColumn& column : added) {
    if (column.name == kPrivacySdColumn) continue;
    for (std::string& text : column.text) text = WithoutFormula(text);
    CheckNoClash(queries, column.name);
    CheckFinite(queries, column);
    if (column.text.empty()) {
      columns.emplace_back(column.name, column.numbers);
    } else {
      columns.emplace_back(column.name, column.text);
    }
  }
  std::ostringstream out;
  WriteCsv(out, columns);
  return out.str();
}

void AppendJson(const Vector& numbers, std::string& json) {
  json += '[';
  AppendNumbers(numbers, json);
  json += ']';
}

void AppendJson(const std::vector<AnswerColumn>& columns, std::string& json) {
  for (const AnswerColumn& column : columns) {
    if (&column != &columns.front()) json += ',';
    AppendName(column, json);
    json += '[';
    AppendCells(column, json);
    json += ']';
  }
}

void AppendAnswerJson(const Release& release, const Matrix& X,
                      const PredictOptions& options, const Threads& threads,
                      std::string& json) {
  // The blocks in which a release predicts: others could differ in the last
  // digit.
  constexpr Index kRowsPerBlock = 1024;
  CheckOptions(release.content(), options);
  const auto columns_of = [&release, &options](const Matrix& rows,
                                               const Threads& helpers) {
    std::vector<AnswerColumn> columns =
        KindOf(release.content().task).columns(release, rows, options, helpers);
    columns.push_back({kOutside, OutsideRanges(release, rows)});
    return columns;
  };
  if (X.rows() <= kRowsPerBlock) {
    return AppendJson(columns_of(X, threads), json);
  }
  struct Block {
    std::vector<AnswerColumn> columns;
    std::vector<std::string> cells;  // of each column
  };
  std::vector<Block> blocks((X.rows() + kRowsPerBlock - 1) / kRowsPerBlock);
  threads.ForBlocks(X.rows(), kRowsPerBlock, [&](Index begin, Index end) {
    Block& block = blocks[begin / kRowsPerBlock];
    block.columns = columns_of(X.middleRows(begin, end - begin), Threads(1));
    for (const AnswerColumn& column : block.columns) {
      AppendCells(column, block.cells.emplace_back());
    }
  });
  size_t bytes = json.size();
  for (const Block& block : blocks) {
    for (const std::string& cells : block.cells) bytes += cells.size() + 32;
  }
  json.reserve(bytes);
  for (size_t c = 0; c < blocks[0].columns.size(); ++c) {
    if (c > 0) json += ',';
    AppendName(blocks[0].columns[c], json);
    for (const Block& block : blocks) {
      json += &block == blocks.data() ? '[' : ',';
      json += block.cells[c];
    }
    json += ']';
  }
}

std::string JsonString(std::string_view text) {
  // Most texts need no escaping.
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
  });
  if (plain) return std::string(1, '"').append(text) += '"';
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

}  // namespace cloak
