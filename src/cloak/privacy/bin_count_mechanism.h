#ifndef CLOAK_PRIVACY_BIN_COUNT_MECHANISM_H_
#define CLOAK_PRIVACY_BIN_COUNT_MECHANISM_H_

#include <functional>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/count_mechanism.h"
#include "cloak/privacy/event.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// (ε, δ) where δ may be 0.
struct CountBudget {
  double epsilon = 0;
  double delta = 0;
  // Gaussian noise even where other noise would be smaller, with a δ: of
  // several releases together, that promises more.
  bool gaussian = false;
};

// How one private column is cut into bins.
struct BinnedColumn {
  Index bins = 0;
  // Returns the bin of one value: a public function of that value alone, which
  // must not throw. What it returns is moved into [0, bins).
  std::function<Index(double)> bin_of;
};

// The result of a BinCountMechanism, in steps of step(). Public.
struct NoisyBinCounts {
  std::vector<Int128> counts;  // of the bins, those of the last column fastest
  Int128 missing = 0;          // rows with a cell that is missing
};

// The exact release of how many private rows are in each bin, and how many in
// none because a cell of theirs is missing (not a number). Neighbours differ by
// substituting one row, and the number of rows is public.
//
// Sensitivity. Every row is in one bin or missing, whatever its cells are,
// which is enforced on integers. Substituting one row by another takes 1 from
// one count and adds 1 to another, or changes nothing: the counts move by at
// most 2 in the sum of absolute values, and by at most 2 in the sum of squares,
// all of them integers. (Dandekar et al. 2019, section 3.3, take 2 for the
// latter's root.)
//
// Noise. Discrete Laplace of scale 2/ε, which is (ε, 0)-differentially private,
// or, where a δ is allowed, Gaussian, whichever has the smaller standard
// deviation: that depends on ε and δ alone. Laplace noise has it unless δ is
// large: above 0.002 at ε = 0.4, 0.007 at ε = 1.
class BinCountMechanism {
 public:
  static constexpr Index kMostBins = 10000;

  // Throws InvalidInput when there are no rows or more than 2^40, no columns,
  // no bins or more than kMostBins, or the budget is not one.
  BinCountMechanism(std::vector<BinnedColumn> columns, Index rows,
                    const CountBudget& budget);

  Index bins() const { return bins_; }
  Index rows() const { return rows_; }
  // Whether the noise is Laplace's, and no δ is needed.
  bool pure() const;
  // The largest change of the counts, rounded up: the sum of absolute values
  // where the mechanism is pure, and Euclidean otherwise.
  double sensitivity() const;
  double noise_sd() const { return noise_.noise_sd(); }
  // The number of rows that a published 1 is worth.
  double step() const { return noise_.step(); }
  // The epsilon of Laplace noise, or the mu of Gaussian noise.
  double price() const { return pure() ? noise_.epsilon() : noise_.mu(); }
  PrivacyEvent event() const;

  // Publishes. Each call spends again. Throws InvalidInput if there are not as
  // many columns as the mechanism cuts, with as many cells as rows (both are
  // public), and PrivacyFailure if random numbers fail, before any row is read.
  NoisyBinCounts Release(const std::vector<Secret<Vector>>& inputs,
                         Randomness& random) const;

 private:
  // The bin of row i, or bins() if it is missing.
  Index BinOf(const std::vector<const Vector*>& cells, Index i) const;

  std::vector<BinnedColumn> columns_;
  Index rows_;
  Index bins_ = 1;
  CountMechanism noise_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_BIN_COUNT_MECHANISM_H_
