#ifndef CLOAK_EXPERIMENTS_SMITH2021_LABEL_SETS_H_
#define CLOAK_EXPERIMENTS_SMITH2021_LABEL_SETS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// Rows to learn from and rows to be judged by; labels are −1 and 1. In these
// experiments they are not secret: predictions are scored against them.
struct LabelSplit {
  Matrix X;
  Vector y;
  Matrix test_inputs;
  Vector test_y;
};

// A data set of Smith et al. 2021, sections 6.4 to 6.6, the same for the same
// seed everywhere.
using SplitMaker = std::function<LabelSplit(uint64_t seed)>;

struct LabelSet {
  std::string name;
  std::vector<std::string> inputs;
  SplitMaker split;
};

// Digits 0 to 4 against 5 to 9, reduced to 15 x 15 pixels by averaging areas;
// 256 to learn from and 100 others. `path` has the columns label, p0, …, p783.
LabelSet Digits(const std::filesystem::path& path);

// Loans that failed (BAD) by the number of delinquent credit lines (DELINQ).
// 200 rows, each drawn with a chance in proportion to 1/(rows with its DELINQ
// times rows with its BAD), so that both are about balanced; 400 of the others,
// drawn in the same way with replacement.
LabelSet Loans(const std::filesystem::path& path);

// Two classes in diagonal stripes, five wide in x + y, on a square of side 10:
// 200 points, fewer and fewer towards the top, a tenth of them with the wrong
// label; judged on a grid of 100, 50 of each class, with the right ones.
LabelSet Stripes();

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_SMITH2021_LABEL_SETS_H_
