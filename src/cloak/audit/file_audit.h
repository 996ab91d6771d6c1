#ifndef CLOAK_AUDIT_FILE_AUDIT_H_
#define CLOAK_AUDIT_FILE_AUDIT_H_

#include <string>
#include <vector>

#include "cloak/release/release.h"

namespace cloak {

// The cost, by the file, of numbers that were published together.
struct StatedCost {
  std::vector<std::string> of;  // in a few words, for each statistic
  size_t numbers = 0;
  NoiseKind noise = NoiseKind::kGaussian;
  // mu of Gaussian differential privacy, or the epsilon of Laplace noise.
  double price = 0;
};

// Everything that can be checked of a release from its public file alone.
struct FileAudit {
  double claimed_epsilon = 0;
  double delta = 0;
  // The smallest epsilon, at delta, that is kept by what the file states:
  // sensitivity and noise of all statistics together, or, in older files, of
  // the last alone. Infinite when none is.
  double stated_epsilon = 0;
  // All statistics, in the order they were published; none in older files.
  std::vector<StatedCost> costs;
  // The root of the sum of all mu^2, where all noise is Gaussian; else 0.
  double total_mu = 0;
  // The cost of the whole where that is not the sum (privacy/event.h).
  std::string event;
  // How many low bits are zero in all numbers of the last statistic.
  int common_zero_bits = 0;
  // In words, one for each part of the statement that is refuted.
  std::vector<std::string> accusations;

  bool accused() const { return !accusations.empty(); }
};

// - What all statistics cost together is not more than what is claimed. mu^2
//   adds up, and so does the epsilon of Laplace noise; an Accountant adds up
//   both kinds. Where the best of several candidates was released, its
//   statistics cost no more than a candidate may, and the selection no more
//   than is claimed.
// - The sensitivity, the noise and the price of each statistic fit each other
//   and those of the privacy statement. All are rounded in the file, so that a
//   part in 10^9 is forgiven.
// - The numbers are whole multiples of a unit that is far finer than Gaussian
//   noise (and the width of the bounds times a power of two, where they are
//   sums of outputs), and they are not all on a coarser grid, as noise made of
//   doubles is: r numbers that all end in k zero bits have a probability of
//   2^-rk, and 40 bits are too many.
//
// It cannot see whether the statistics have the sensitivity stated (that needs
// R, which is not in the file), nor whether the noise was drawn as stated: one
// draw of it says little.
//
// Throws InvalidInput for a budget or a price that no mechanism has.
FileAudit AuditFile(const Release& release);

}  // namespace cloak

#endif  // CLOAK_AUDIT_FILE_AUDIT_H_
