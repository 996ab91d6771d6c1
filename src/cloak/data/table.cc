#include "cloak/data/table.h"

#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

template <typename Map>
void CheckLengths(const std::string& table, Index rows, const Map& columns) {
  for (const auto& [name, column] : columns) {
    RequireInput(static_cast<Index>(column.size()) == rows, "column '", name,
                 "' of '", table, "' must have ", rows,
                 " rows like the table, but has ", column.size());
  }
}

}  // namespace

Table::Table(std::string name, Index rows, std::vector<std::string> header,
             Columns columns)
    : name_(std::move(name)),
      rows_(rows),
      header_(std::move(header)),
      numeric_(std::move(columns.numeric)),
      text_(std::move(columns.text)) {
  CheckLengths(name_, rows_, numeric_);
  CheckLengths(name_, rows_, text_);
  CheckLengths(name_, rows_, columns.secret);
  CheckLengths(name_, rows_, columns.secret_text);
  const auto keep = [this](auto& read, auto& kept) {
    for (auto& [column, values] : read) {
      RequireInput(!numeric_.contains(column) && !text_.contains(column),
                   "column '", column, "' of '", name_,
                   "' is asked for both as private and as public; decide "
                   "which it is");
      kept.emplace(column, Secret(std::move(values)));
    }
  };
  keep(columns.secret, secret_);
  keep(columns.secret_text, secret_text_);
}

Matrix Table::Numeric(const std::vector<std::string>& names) const {
  Matrix columns(rows_, static_cast<Index>(names.size()));
  for (Index j = 0; j < columns.cols(); ++j) {
    const auto found = numeric_.find(names[j]);
    if (found == numeric_.end()) Refuse(names[j], "public numbers");
    columns.col(j) = found->second;
  }
  return columns;
}

const std::vector<std::string>& Table::TextColumn(
    const std::string& name) const {
  const auto found = text_.find(name);
  if (found == text_.end()) Refuse(name, "public text");
  return found->second;
}

const Secret<Vector>& Table::Private(const std::string& name) const {
  const auto found = secret_.find(name);
  if (found == secret_.end()) Refuse(name, "private numbers");
  return found->second;
}

const Secret<std::vector<std::string>>& Table::PrivateText(
    const std::string& name) const {
  const auto found = secret_text_.find(name);
  if (found == secret_text_.end()) Refuse(name, "private text");
  return found->second;
}

void Table::Refuse(const std::string& column, const std::string& form) const {
  std::vector<std::string> forms;
  if (numeric_.contains(column)) forms.emplace_back("public numbers");
  if (text_.contains(column)) forms.emplace_back("public text");
  if (secret_.contains(column)) forms.emplace_back("private numbers");
  if (secret_text_.contains(column)) forms.emplace_back("private text");
  throw InvalidInput(Text(
      "column '", column, "' of '", name_, "' is asked for as ", form, ", but ",
      forms.empty() ? "was not read" : "was read as " + Join(forms, " and "),
      "; name it when the table is read"));
}

}  // namespace cloak
