#ifndef CLOAK_EXPERIMENTS_PROMISES_ERRORS_OF_PROMISES_H_
#define CLOAK_EXPERIMENTS_PROMISES_ERRORS_OF_PROMISES_H_

#include <optional>

#include "cloak/linalg/matrix.h"
#include "experiments/promises/problems.h"

namespace cloak {

// The errors (judgement.h) of all draws, where they were measured.
struct ErrorsOfPromises {
  std::optional<Vector> outputs = {};
  std::optional<Vector> rows = {};
  std::optional<Vector> nothing = {};
};

// A mean over draws and its standard error.
struct MeanOfDraws {
  double mean = 0;
  double standard_error = 0;
};

MeanOfDraws MeanOf(const Vector& draws);

// Print a table, one line for a problem and an epsilon, of the mean errors and
// of what outputs private have above whole rows private, draw by draw.
void PrintMarkdownHeader();
void PrintMarkdownLine(const Problem& problem, double epsilon,
                       const ErrorsOfPromises& errors);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_PROMISES_ERRORS_OF_PROMISES_H_
