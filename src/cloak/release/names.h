#ifndef CLOAK_RELEASE_NAMES_H_
#define CLOAK_RELEASE_NAMES_H_

#include <string>
#include <vector>

namespace cloak {

// The kinds of questions that a release answers. Each has one place of its own:
// kind.h.
enum class TaskKind {
  kRegression,      // a number
  kClassification,  // the probability of each of two labels
  kSvm,             // on which side of a margin an input is: two labels
  kHistogram,       // how many rows there are in each bin of the inputs
  kDensity,         // how rows are spread over the inputs
};

// The part of a row that could have been another without anybody being able to
// tell.
enum class Protection { kOutputs, kRows };

// The ways in which a function f becomes a density: in proportion to e^f, or to
// f where that is positive.
enum class DensityLink { kLog, kIdentity };

enum class NoiseKind { kGaussian, kLaplace };

// Return the name in files, on the page and on the command line.
std::string NameOf(TaskKind task);
std::string NameOf(Protection protection);
std::string NameOf(DensityLink link);
std::string NameOf(NoiseKind noise);
// Returns what its price is called: "mu" or "epsilon".
std::string PriceName(NoiseKind noise);

// Returns all values of one of these enumerations, in their order.
template <typename Kind>
std::vector<Kind> AllOf() {
  std::vector<Kind> all;
  // Only values of the enumeration have names.
  for (int i = 0; !NameOf(static_cast<Kind>(i)).empty(); ++i) {
    all.push_back(static_cast<Kind>(i));
  }
  return all;
}

template <typename Kind>
std::vector<std::string> NamesOfAll() {
  std::vector<std::string> names;
  for (const Kind kind : AllOf<Kind>()) names.push_back(NameOf(kind));
  return names;
}

}  // namespace cloak

#endif  // CLOAK_RELEASE_NAMES_H_
