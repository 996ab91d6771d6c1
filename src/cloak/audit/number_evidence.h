#ifndef CLOAK_AUDIT_NUMBER_EVIDENCE_H_
#define CLOAK_AUDIT_NUMBER_EVIDENCE_H_

#include <string>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// Sums over releases of each published number by itself, in declared standard
// deviations of the noise, counted from somewhere near its mean.
struct NumberSums {
  Index releases = 0;
  Vector sum = {};
  Vector squares = {};

  // Adds one release.
  void Add(const Vector& numbers);
  void Add(const NumberSums& other);
};

// The evidence of single numbers in releases of two neighbouring tables.
struct NumberEvidence {
  // A lower bound of mu, if the noise is Gaussian: the largest distance between
  // the two means of a number over its standard deviation.
  double mu_lower = 0;
  // A lower bound of the largest distance between two means, in declared
  // standard deviations.
  double distance_lower = 0;
  // In words, one for each number that is not what is declared of it.
  std::vector<std::string> accusations = {};
};

// `near`, `far`: of the two tables, counted from `near_origin` and
// `far_origin`, in the same declared standard deviations. Of the first `known`
// numbers these are what should be published without noise. Each of these
// statements is false of a true release with a probability of at most
// alpha/kNumberStatements/numbers:
// - a known number has another mean than it should, in either table;
// - a number has less noise than declared;
// - the distance between its means.
// Means are taken for normal, as those of 10^4 normals are, and more.
NumberEvidence WeighNumbers(const NumberSums& near, const Vector& near_origin,
                            const NumberSums& far, const Vector& far_origin,
                            Index known, double alpha);

inline constexpr int kNumberStatements = 5;

}  // namespace cloak

#endif  // CLOAK_AUDIT_NUMBER_EVIDENCE_H_
