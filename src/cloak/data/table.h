#ifndef CLOAK_DATA_TABLE_H_
#define CLOAK_DATA_TABLE_H_

#include <map>
#include <string>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// An immutable set of named columns of the same length. The number of rows and
// the names are public; a column is public or private (kept as a Secret), and
// never both; either kind can be numbers, text, or both.
class Table {
 public:
  // The columns as they are read. What is secret is wrapped when the table is
  // made, after which nothing but a mechanism can look inside.
  struct Columns {
    std::map<std::string, Vector> numeric;
    std::map<std::string, std::vector<std::string>> text;
    std::map<std::string, Vector> secret;
    std::map<std::string, std::vector<std::string>> secret_text;
  };

  // `name` says in messages where the table comes from, such as a file name.
  // `header` has the names of all columns of the source, in order, also of
  // those that were not kept. Throws InvalidInput when a column does not have
  // `rows` rows, or is both public and private.
  Table(std::string name, Index rows, std::vector<std::string> header,
        Columns columns);

  const std::string& name() const { return name_; }
  Index rows() const { return rows_; }
  const std::vector<std::string>& header() const { return header_; }

  // The four ways to ask for columns throw InvalidInput when one is not there
  // in that form; above all, when a private column is asked for as public.

  // rows() by names.size(), the columns in the order of `names`.
  Matrix Numeric(const std::vector<std::string>& names) const;
  const std::vector<std::string>& TextColumn(const std::string& name) const;
  const Secret<Vector>& Private(const std::string& name) const;
  const Secret<std::vector<std::string>>& PrivateText(
      const std::string& name) const;

 private:
  [[noreturn]] void Refuse(const std::string& column,
                           const std::string& form) const;

  std::string name_;
  Index rows_;
  std::vector<std::string> header_;
  std::map<std::string, Vector> numeric_;
  std::map<std::string, std::vector<std::string>> text_;
  std::map<std::string, Secret<Vector>> secret_;
  std::map<std::string, Secret<std::vector<std::string>>> secret_text_;
};

}  // namespace cloak

#endif  // CLOAK_DATA_TABLE_H_
