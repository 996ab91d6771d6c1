#ifndef CLOAK_BENCHMARKS_RELEASE_CASES_H_
#define CLOAK_BENCHMARKS_RELEASE_CASES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// A release on the command line, of a table that is in a file.
struct ReleaseCase {
  std::string name;
  Index rows = 0;
  std::vector<std::string> inputs;
  std::string output;
  bool protects_rows = false;
  std::filesystem::path table;
  // Whatever follows `cloak release TABLE --inputs … --output …`.
  std::vector<std::string> options;
};

// Writes the tables into a folder. Cases of one name follow one another with
// more and more rows. Rows are made up, but for journeys, which are those of
// experiments/README.md where CLOAK_DATA_DIR has them.
std::vector<ReleaseCase> WriteReleaseCases(const std::filesystem::path& folder);

}  // namespace cloak

#endif  // CLOAK_BENCHMARKS_RELEASE_CASES_H_
