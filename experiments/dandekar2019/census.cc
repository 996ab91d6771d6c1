#include "experiments/dandekar2019/census.h"

#include <algorithm>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "experiments/dice.h"

namespace cloak {
namespace {

// 1 where a column says so.
Vector Where(const Table& table, const std::string& column,
             const std::string& value) {
  const std::vector<std::string>& cells = table.TextColumn(column);
  Vector is(static_cast<Index>(cells.size()));
  for (Index i = 0; i < is.size(); ++i) {
    is(i) = cells[static_cast<size_t>(i)] == value ? 1 : 0;
  }
  return is;
}

Vector Signs(const Vector& is) { return 2 * is.array() - 1; }

OpenRows Those(const OpenRows& rows, const Vector& wanted) {
  std::vector<Index> kept;
  for (Index i = 0; i < wanted.size(); ++i) {
    if (wanted(i) != 0) kept.push_back(i);
  }
  return {rows.X(kept, Eigen::all), rows.y(kept)};
}

}  // namespace

Vector ReadAges(const std::string& adult) {
  return ReadCsv(adult, {.numeric = {"age"}}).Numeric({"age"}).col(0);
}

OpenRows ReadHours(const std::string& adult) {
  const std::vector<std::string> columns = {"age", "education_num",
                                            "hours_per_week"};
  const Matrix all = ReadCsv(adult, {.numeric = columns}).Numeric(columns);
  return {all.leftCols(2), all.col(2)};
}

OpenRows ReadIncomes(const std::string& adult) {
  const std::vector<std::string> numbers = {"age", "education_num"};
  const Table table =
      ReadCsv(adult, {.numeric = numbers,
                      .text = {"sex", "race", "marital_status", "income"}});
  Matrix X(table.rows(), 5);
  X << table.Numeric(numbers), Where(table, "sex", "Male"),
      Where(table, "race", "White"),
      Where(table, "marital_status", "Married-civ-spouse");
  return {X, Signs(Where(table, "income", ">50K"))};
}

OpenRows ReadIris(const std::string& iris, const std::string& positive,
                  const std::string& without) {
  const std::vector<std::string> lengths = {"sepal_length", "sepal_width",
                                            "petal_length", "petal_width"};
  const Table table = ReadCsv(iris, {.numeric = lengths, .text = {"species"}});
  const OpenRows all = {table.Numeric(lengths),
                        Signs(Where(table, "species", positive))};
  return Those(all, 1 - Where(table, "species", without).array());
}

OpenRows ReadHeights(const std::string& howell) {
  const std::vector<std::string> columns = {"age", "height", "male"};
  const Matrix all = ReadCsv(howell, {.numeric = columns}).Numeric(columns);
  return Those({all.leftCols(1), all.col(1)}, 1 - all.col(2).array());
}

RowHalves Sample(const OpenRows& rows, Index train, Index test, uint64_t seed) {
  const Index size = rows.y.size();
  RequireInput(train < size, "there must be more than ", train,
               " rows, but there are ", size);
  const std::vector<Index> order = Dice(seed).Shuffled(size);
  const auto middle = order.begin() + train;
  const std::vector<Index> first(order.begin(), middle);
  const std::vector<Index> others(middle,
                                  middle + std::min(test, size - train));
  return {{rows.X(first, Eigen::all), rows.y(first)},
          {rows.X(others, Eigen::all), rows.y(others)}};
}

}  // namespace cloak
