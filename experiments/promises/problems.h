#ifndef CLOAK_EXPERIMENTS_PROMISES_PROBLEMS_H_
#define CLOAK_EXPERIMENTS_PROMISES_PROBLEMS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/rows_draws.h"

namespace cloak {

// A column of a table, and the range that it is known to have without a look at
// the table. With `is`, it is 1 where the cell has this text and 0 elsewhere.
struct ProblemColumn {
  std::string name;
  double lower = 0;
  double upper = 1;
  std::string is = {};
};

// A table, the column of it that is predicted, and those it is predicted from.
struct Problem {
  std::string name;
  // In the folder of data; empty where the rows are simulated.
  std::string file;
  std::vector<ProblemColumn> inputs;
  // Labels are -1 and 1 where it has an `is`: the class that is predicted.
  ProblemColumn output;
  // Rows count only where this column, whose range is not used, has that text.
  std::optional<ProblemColumn> only = {};
  // Divides the outputs, whose range is that of the quotient; with `log10`, the
  // logarithm is taken before.
  double unit = 1;
  bool log10 = false;

  bool HasLabels() const { return !output.is.empty(); }
};

// Returns every problem that both promises are compared on.
const std::vector<Problem>& PromiseProblems();

// Returns the rows that have all cells of the problem.
OpenRows ReadProblem(const Problem& problem,
                     const std::filesystem::path& folder);

// Divides the rows by chance, three quarters and at most 5000 to learn from and
// at most 2500 of the others to be judged by; the same way for the same seed.
RowHalves SplitProblem(const OpenRows& rows, uint64_t seed);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_PROMISES_PROBLEMS_H_
