#ifndef CLOAK_BENCHMARKS_MEASURED_CHILD_H_
#define CLOAK_BENCHMARKS_MEASURED_CHILD_H_

#include <filesystem>
#include <string>
#include <vector>

namespace cloak {

// The time and the memory that a process took, from its beginning to its end.
struct ProcessUse {
  double seconds = 0;
  double cpu_seconds = 0;  // of all its threads, user and system
  double peak_mb = 0;      // resident; not below that of this process
};

// Runs a program with its arguments, whose output goes to a file. Throws
// InvalidInput with what it wrote when it does not end well.
ProcessUse RunMeasured(std::vector<std::string> command,
                       const std::filesystem::path& output);

}  // namespace cloak

#endif  // CLOAK_BENCHMARKS_MEASURED_CHILD_H_
