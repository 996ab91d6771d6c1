#ifndef CLOAK_EXPERIMENTS_ROWS_DRAWS_H_
#define CLOAK_EXPERIMENTS_ROWS_DRAWS_H_

#include <functional>
#include <string>
#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/plan.h"

namespace cloak {

// Rows as a plan takes them. In these experiments they are not secret: they
// are what predictions are scored against.
struct OpenRows {
  Matrix X;
  Vector y;

  PrivateRows Keep() const;
};

struct RowHalves {
  OpenRows train;
  OpenRows test;
};

// Divides the rows by chance, the same way everywhere for the same seed.
RowHalves Halve(const OpenRows& rows, uint64_t seed);

// What every section is told on the command line.
struct DrawOptions {
  int draws = 100;
  bool csv = false;
  std::string only = {};  // of methods, those with this in their name
  Threads threads = {};

  bool Wants(const std::string& method) const {
    return method.find(only) != std::string::npos;
  }
};

// A command line: --draws N, --threads N, --csv and --only TEXT, and the words
// between them.
struct DrawCommand {
  std::vector<std::string> words = {};
  DrawOptions options = {};
};

// The `main` of an experiment, for a `run` that returns whether there is such a
// section, with what it needs; if not, `usage` is printed.
int RunDraws(int argc, char** argv, const std::string& usage,
             const std::function<bool(const DrawCommand&)>& run,
             const DrawOptions& defaults = {});

// The scores of draw 0, 1, …, a draw on each thread: one row for each draw, as
// `score` gave it. The number of a draw is the seed of its data; the noise of
// releases is the real thing.
Matrix ScoreDraws(
    const DrawOptions& options,
    const std::function<Vector(uint64_t seed, Randomness& randomness)>& score);

// Prints lines as they come: a method, where it was tried, and what came out,
// mean and standard error over draws.
class ScoreTable {
 public:
  ScoreTable(std::string section, bool csv);

  // `scores` has one column for each of `measures`.
  void Print(const std::string& method, const std::string& scenario,
             double epsilon, const std::vector<std::string>& measures,
             const Matrix& scores) const;

 private:
  std::string section_;
  bool csv_;
};

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_ROWS_DRAWS_H_
