#include "experiments/promises/problems.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "experiments/dice.h"

namespace cloak {
namespace {

constexpr Index kMostToLearnFrom = 5000;
constexpr Index kMostToBeJudgedBy = 2500;

// Where people may be, without a look at who is in a table.
const ProblemColumn kAge{"age", 0, 90};
const ProblemColumn kWeight{"weight", 0, 80};
const ProblemColumn kHeight{"height", 40, 190};
const ProblemColumn kYoungAge{"age", 0, 22};
const ProblemColumn kYoungWeight{"weight", 0, 120};
const ProblemColumn kYoungHeight{"height", 40, 210};
const ProblemColumn kWorkingAge{"age", 15, 95};
const ProblemColumn kSchooling{"education_num", 1, 16};
// Greater London.
const ProblemColumn kLongitude{"lon", -0.55, 0.35};
const ProblemColumn kLatitude{"lat", 51.28, 51.7};

// sin(3x) e^(-y) on the unit square, with noise.
OpenRows SimulateRows() {
  constexpr Index kRows = 1000;
  Dice dice(1);
  OpenRows rows{Matrix(kRows, 2), Vector(kRows)};
  for (Index i = 0; i < kRows; ++i) {
    const double x = dice.Uniform();
    const double y = dice.Uniform();
    rows.X.row(i) << x, y;
    rows.y(i) = std::sin(3 * x) * std::exp(-y) + 0.1 * dice.Normal();
  }
  return rows;
}

class ProblemCells {
 public:
  ProblemCells(const Table& table, const ProblemColumn& column)
      : column_(column), cells_(table.TextColumn(column.name)) {}

  bool Has(size_t row) const {
    return !cells_[row].empty() && cells_[row] != "?";
  }
  double At(size_t row) const {
    if (column_.is.empty()) return ParseNumber(cells_[row], column_.name);
    return cells_[row] == column_.is ? 1 : 0;
  }

 private:
  const ProblemColumn& column_;
  const std::vector<std::string>& cells_;
};

}  // namespace

const std::vector<Problem>& PromiseProblems() {
  static const std::vector<Problem> problems = {
      {"simulated", "", {{"x"}, {"y"}}, {"z", -1, 2}},
      {"women, age",
       "howell1.csv",
       {kAge},
       kHeight,
       ProblemColumn{.name = "male", .is = "0"}},
      {"women, age and weight",
       "howell1.csv",
       {kAge, kWeight},
       kHeight,
       ProblemColumn{.name = "male", .is = "0"}},
      {"!Kung, age, weight, sex",
       "howell1.csv",
       {kAge, kWeight, {"male", 0, 1}},
       kHeight},
      {"iris, sepals",
       "iris.csv",
       {{"sepal_length", 4, 8}, {"sepal_width", 2, 5}},
       {"petal_length", 0, 8}},
      {"children, age", "dutch_growth_fdgs.csv.gz", {kYoungAge}, kYoungHeight},
      {"girls, age and weight",
       "dutch_growth_fdgs.csv.gz",
       {kYoungAge, kYoungWeight},
       kYoungHeight,
       ProblemColumn{.name = "sex", .is = "girl"}},
      // In thousands of dollars; CLAGE is in months.
      {.name = "home values",
       .file = "hmeq.csv",
       .inputs = {{"LOAN", 0, 90000},
                  {"MORTDUE", 0, 400000},
                  {"CLAGE", 0, 480}},
       .output = {"VALUE", 0, 500},
       .unit = 1000},
      {"hours of work",
       "adult_train.csv.gz",
       {kWorkingAge, kSchooling},
       {"hours_per_week", 0, 100}},
      // Seconds, between places where the scheme has stations.
      {"journeys",
       "citibike_nyc_2017_06_subscribers_20000.csv.gz",
       {{"start_lat", 40.64, 40.82},
        {"start_lon", -74.1, -73.9},
        {"end_lat", 40.64, 40.82},
        {"end_lon", -74.1, -73.9}},
       {"tripduration", 0, 2000}},
      // Powers of ten of pounds.
      {.name = "London, place",
       .file = "london_price_paid_2015_2018.csv.gz",
       .inputs = {kLongitude, kLatitude},
       .output = {"price", 4.5, 7},
       .log10 = true},
      {.name = "London, place and year",
       .file = "london_price_paid_2015_2018.csv.gz",
       .inputs = {kLongitude, kLatitude, {"year", 2015, 2018}},
       .output = {"price", 4.5, 7},
       .log10 = true},
      {"incomes, five columns",
       "adult_train.csv.gz",
       {kWorkingAge,
        kSchooling,
        {.name = "sex", .is = "Male"},
        {.name = "race", .is = "White"},
        {.name = "marital_status", .is = "Married-civ-spouse"}},
       {.name = "income", .is = ">50K"}},
      {"loans, three columns",
       "hmeq.csv",
       {{"DELINQ", 0, 10}, {"DEROG", 0, 10}, {"CLAGE", 0, 480}},
       {.name = "BAD", .is = "1"}},
  };
  return problems;
}

OpenRows ReadProblem(const Problem& problem,
                     const std::filesystem::path& folder) {
  if (problem.file.empty()) return SimulateRows();
  CsvOptions csv;
  for (const ProblemColumn& input : problem.inputs) {
    csv.text.push_back(input.name);
  }
  csv.text.push_back(problem.output.name);
  if (problem.only) csv.text.push_back(problem.only->name);
  const Table table = ReadCsv(folder / problem.file, csv);

  std::vector<ProblemCells> columns;
  for (const ProblemColumn& input : problem.inputs) {
    columns.emplace_back(table, input);
  }
  columns.emplace_back(table, problem.output);
  std::vector<size_t> complete;
  for (size_t row = 0; row < static_cast<size_t>(table.rows()); ++row) {
    if (problem.only && ProblemCells(table, *problem.only).At(row) == 0) {
      continue;
    }
    if (std::all_of(columns.begin(), columns.end(),
                    [&](const auto& cells) { return cells.Has(row); })) {
      complete.push_back(row);
    }
  }

  OpenRows rows{Matrix(complete.size(), problem.inputs.size()),
                Vector(complete.size())};
  for (Index i = 0; i < rows.y.size(); ++i) {
    const size_t row = complete[static_cast<size_t>(i)];
    for (Index j = 0; j < rows.X.cols(); ++j) {
      rows.X(i, j) = columns[static_cast<size_t>(j)].At(row);
    }
    rows.y(i) = columns.back().At(row) / problem.unit;
  }
  if (problem.log10) rows.y = rows.y.array().log10().matrix();
  if (problem.HasLabels()) rows.y = 2 * rows.y.array() - 1;
  return rows;
}

RowHalves SplitProblem(const OpenRows& rows, uint64_t seed) {
  const Index count = rows.y.size();
  const Index train = std::min(kMostToLearnFrom, count * 3 / 4);
  const Index test = std::min(kMostToBeJudgedBy, count - train);
  const std::vector<Index> order = Dice(seed).Shuffled(count);
  const auto first = order.begin();
  const std::vector<Index> learned(first, first + train);
  const std::vector<Index> judged(first + train, first + train + test);
  return {{rows.X(learned, Eigen::all), rows.y(learned)},
          {rows.X(judged, Eigen::all), rows.y(judged)}};
}

}  // namespace cloak
