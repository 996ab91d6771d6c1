#include "cloak/server/answer.h"

#include <algorithm>
#include <array>
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

constexpr char kPrivacySd[] = "privacy_sd";

std::vector<AnswerColumn> ClassColumns(const Release& release, const Matrix& X,
                                       const Threads& threads) {
  const ClassPredictions predictions = release.PredictClasses(X, threads);
  const Predictions log_odds = release.Predict(X, {.latent = true}, threads);
  std::vector<std::string> names;
  for (const size_t place : predictions.most_probable) {
    names.push_back(release.content().classes[place]);
  }
  return {{"probability", predictions.probability.col(1)},
          {"class", {}, names},
          {release.content().task == "svm" ? "margin" : "mean", log_odds.mean},
          {"sd", log_odds.sd},
          {kPrivacySd, log_odds.privacy_sd}};
}

std::vector<AnswerColumn> CountColumns(const Release& release, const Matrix& X,
                                       const PredictOptions& options) {
  RequireInput(options.interval == PredictOptions().interval,
               "the intervals of a histogram are 95 % intervals; ask for no "
               "other interval");
  const CountPredictions predictions = release.PredictCounts(X);
  return {{"count", predictions.count},
          {"sd", predictions.sd},
          {"lower", predictions.lower},
          {"upper", predictions.upper},
          {"fraction", predictions.fraction}};
}

std::vector<AnswerColumn> DensityColumns(const Release& release,
                                         const Matrix& X,
                                         const PredictOptions& options,
                                         const Threads& threads) {
  const DensityPredictions predictions =
      release.PredictDensity(X, options.interval, threads);
  return {{"density", predictions.density},
          {"lower", predictions.lower},
          {"upper", predictions.upper}};
}

// The categories of an input, or none.
std::vector<std::string> CategoriesOf(const ReleaseContent& content, size_t j) {
  if (!content.histogram) return {};
  return content.histogram->axes[j].categories;
}

// The inputs of the queries as numbers: of categories, the place of each.
Matrix InputsOf(const Table& queries, const ReleaseContent& content) {
  Matrix X(queries.rows(), static_cast<Index>(content.inputs.size()));
  for (size_t j = 0; j < content.inputs.size(); ++j) {
    const std::string& name = content.inputs[j].name;
    const auto column = static_cast<Index>(j);
    const std::vector<std::string> categories = CategoriesOf(content, j);
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

// Two columns of one name would leave the reader to guess which is which.
void CheckNoClash(const Table& queries, const std::string& added) {
  const auto& header = queries.header();
  RequireInput(std::count(header.begin(), header.end(), added) == 0,
               Text("'", queries.name(), "' already has a column '", added,
                    "', which predict adds; rename it first"));
}

// What is far outside of everything can be beyond all numbers.
void CheckFinite(const Table& queries, const AnswerColumn& column) {
  for (Index i = 0; i < column.numbers.size(); ++i) {
    RequireInput(std::isfinite(column.numbers(i)),
                 Text("row ", i + 1, " of '", queries.name(),
                      "' lies so far from the inputs of the release that its ",
                      column.name,
                      " is not a number; correct the row, or leave it out"));
  }
}

// Numbers [begin, end) with commas between them.
void AppendNumbers(const Vector& numbers, Index begin, Index end,
                   std::string& json) {
  constexpr size_t kLongest = 32;
  std::array<char, 1024> text = {};
  char* at = text.data();
  for (Index i = begin; i < end; ++i) {
    if (text.data() + text.size() - at <
        static_cast<std::ptrdiff_t>(kLongest)) {
      json.append(text.data(), at);
      at = text.data();
    }
    if (i > begin) *at++ = ',';
    if (std::isfinite(numbers[i])) {
      at = std::to_chars(at, text.data() + text.size(), numbers[i]).ptr;
    } else {
      at = std::copy_n("null", 4, at);
    }
  }
  json.append(text.data(), at);
}

void AppendText(const std::vector<std::string>& text, std::string& json) {
  json += '[';
  for (const std::string& value : text) {
    if (&value != &text.front()) json += ',';
    json += JsonString(value);
  }
  json += ']';
}

}  // namespace

std::vector<AnswerColumn> AnswerColumns(const Release& release, const Matrix& X,
                                        const PredictOptions& options,
                                        const Threads& threads) {
  if (release.content().histogram) return CountColumns(release, X, options);
  if (release.content().task == "density") {
    return DensityColumns(release, X, options, threads);
  }
  if (!release.content().classes.empty()) {
    return ClassColumns(release, X, threads);
  }
  Predictions predictions = release.Predict(X, options, threads);
  // A list in braces would copy them all.
  std::vector<AnswerColumn> columns(5);
  columns[0] = {"mean", std::move(predictions.mean)};
  columns[1] = {"sd", std::move(predictions.sd)};
  columns[2] = {"lower", std::move(predictions.lower)};
  columns[3] = {"upper", std::move(predictions.upper)};
  columns[4] = {kPrivacySd, std::move(predictions.privacy_sd)};
  return columns;
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
  const std::vector<AnswerColumn> added =
      AnswerColumns(release, X, options, threads);
  std::vector<CsvColumn> columns;
  for (const std::string& name : queries.header()) {
    columns.emplace_back(name, queries.TextColumn(name));
  }
  for (const AnswerColumn& column : added) {
    if (column.name == kPrivacySd) continue;
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
  AppendNumbers(numbers, 0, numbers.size(), json);
  json += ']';
}

void AppendJson(const std::vector<AnswerColumn>& columns, std::string& json,
                const Threads& threads) {
  // Digits are written by all threads, in pieces: after a prediction they are
  // what takes longest.
  constexpr Index kPerPiece = 2048;
  Index rows = 0;
  for (const AnswerColumn& column : columns) {
    rows = std::max(rows, column.numbers.size());
  }
  const Index pieces = (rows + kPerPiece - 1) / kPerPiece;
  std::vector<std::string> text(columns.size() * static_cast<size_t>(pieces));
  if (pieces > 1) {
    threads.ForBlocks(
        static_cast<Index>(text.size()), 1, [&](Index piece, Index) {
          const Vector& numbers =
              columns[static_cast<size_t>(piece / pieces)].numbers;
          const Index begin = piece % pieces * kPerPiece;
          AppendNumbers(numbers, begin,
                        std::min(begin + kPerPiece, numbers.size()),
                        text[static_cast<size_t>(piece)]);
        });
  }
  size_t bytes = json.size();
  for (const std::string& piece : text) bytes += piece.size() + 32;
  json.reserve(bytes);
  for (size_t c = 0; c < columns.size(); ++c) {
    if (c > 0) json += ',';
    ((json += '"') += columns[c].name) += "\":";
    if (!columns[c].text.empty()) {
      AppendText(columns[c].text, json);
    } else if (pieces <= 1) {
      AppendJson(columns[c].numbers, json);
    } else {
      for (Index piece = 0; piece < pieces; ++piece) {
        json += piece == 0 ? '[' : ',';
        json +=
            text[c * static_cast<size_t>(pieces) + static_cast<size_t>(piece)];
      }
      json += ']';
    }
  }
}

std::string JsonString(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

}  // namespace cloak
