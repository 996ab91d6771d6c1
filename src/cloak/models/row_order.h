#ifndef CLOAK_MODELS_ROW_ORDER_H_
#define CLOAK_MODELS_ROW_ORDER_H_

#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// The order in which a plan takes the rows of a table whose inputs are public.
//
// A table is a multiset. The order it comes in is nobody's, and may tell what
// is private: whoever has sorted it by an output has written ranks into it. So
// nothing that is published may depend on it. Rows are taken in the order of
// their first input, then of their second, …, then of their noise variances,
// then of all rows of their unit. Rows that are alike in all of that are
// exchangeable, and which of their outputs comes first is drawn afresh for each
// release.
//
// Claim 1: whatever the order of the table, the sorted inputs, noise variances
// and units are the same. Rows of one rank (equal inputs and noise variances)
// are ordered by the signature of their unit, the ascending list of the ranks
// of its rows; within units of one signature, by an arbitrary order of these
// units; within a unit, arbitrarily. Units of one signature have as many rows
// of each rank as each other, so that the k-th of them has the same places in
// whatever order they are: the partition of the places is the same.
//
// Claim 2: a mechanism that protects an output, or the outputs of a unit, for
// each order of the rows protects them with this one too. Given what is drawn
// here, which no output changes, outputs are only put into other places, the
// same for two neighbouring tables; and an average of mechanisms that keep a
// promise keeps it.
class RowOrder {
 public:
  // `noise_variances` has one for each row of X, or none. All numbers are
  // finite.
  RowOrder(const Matrix& X, const Vector& noise_variances,
           const PrivacyUnits& units);

  // The i-th of these is the row of the table that is in the place i.
  const std::vector<Index>& rows() const { return rows_; }

  // Public columns in this order. A zero loses its sign, which no number of a
  // table means.
  Matrix Sorted(const Matrix& columns) const;
  Vector Sorted(const Vector& column) const;
  PrivacyUnits Sorted(const PrivacyUnits& units) const;

  // Rows of the table in this order, with exchangeable ones in an order that is
  // drawn: rows(), where there are none.
  std::vector<Index> Draw(Randomness& randomness) const;
  // Private outputs in an order that is drawn. Throws InvalidInput when there
  // is not one output for each row.
  Secret<Vector> Sorted(const Secret<Vector>& outputs,
                        Randomness& randomness) const;

 private:
  std::vector<Index> SignaturesOf(const PrivacyUnits& units) const;
  // The order above, with arbitrary orders for what it leaves open.
  std::vector<Index> Arranged(const std::vector<Index>& place_of_unit,
                              const std::vector<Index>& place_of_row) const;

  std::vector<Index> rows_;
  // For each row of the table, the number of rows that come before it by its
  // inputs and noise variance; the same for rows that are alike in these.
  std::vector<Index> ranks_;
  std::vector<Index> unit_of_row_;
  // For each unit, the number of units with a smaller signature.
  std::vector<Index> signatures_;
  // Whether rows are alike: none are exchangeable otherwise.
  bool has_equal_rows_ = false;
};

// The numbers 0 … count − 1, each order with the same probability.
std::vector<Index> RandomPermutation(Index count, Randomness& randomness);

// Query points in an order that depends on nothing but themselves: they may be
// the rows of a table.
Matrix SortedPoints(const Matrix& points);

}  // namespace cloak

#endif  // CLOAK_MODELS_ROW_ORDER_H_
