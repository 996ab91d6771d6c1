#ifndef CLOAK_AUDIT_FILE_AUDIT_H_
#define CLOAK_AUDIT_FILE_AUDIT_H_

#include <string>
#include <vector>

#include "cloak/release/release.h"

namespace cloak {

// What can be checked of a release from its public file alone.
struct FileAudit {
  double claimed_epsilon = 0;
  double delta = 0;
  // The smallest epsilon, at delta, that the noise stated keeps for the
  // sensitivity stated (Balle and Wang 2018, Theorem 8); infinite when none.
  double stated_epsilon = 0;
  // How many low bits are zero in all published numbers.
  int common_zero_bits = 0;
  // In words, one for each part of the statement that is refuted.
  std::vector<std::string> accusations;

  bool accused() const { return !accusations.empty(); }
};

// - The noise stated suffices for the sensitivity stated. Both are rounded in
//   the file, so that a part in 10^12 is forgiven.
// - The numbers are whole multiples of a unit that is the width of the bounds
//   times a power of two and far finer than the noise, and they are not all on
//   a coarser grid, as noise made of doubles is: r numbers that all end in k
//   zero bits have a probability of 2^-rk, and 40 bits are too many.
//
// It cannot see whether the statistic has the sensitivity stated (that needs
// R, which is not in the file), nor whether the noise was drawn as stated: one
// draw of it says little.
//
// Throws InvalidInput for a budget that no mechanism takes.
FileAudit AuditFile(const Release& release);

}  // namespace cloak

#endif  // CLOAK_AUDIT_FILE_AUDIT_H_
