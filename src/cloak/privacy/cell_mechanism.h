#ifndef CLOAK_PRIVACY_CELL_MECHANISM_H_
#define CLOAK_PRIVACY_CELL_MECHANISM_H_

#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/cell_tree.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/exact_gaussian.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/integer_weights.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// The result of a CellMechanism. Public. With n_c the number of rows in cell c
// that have no missing cell, and z the output of a row as the cell sees it, (y
// − middle_c)/h_c, h_c half the width of the cell's bounds, clipped to [−1, 1]:
struct NoisyCells {
  // The release itself: integers, in steps of noise().step(): the sums,
  // the counts, the squares, the rows that are present.
  std::vector<Int128> integers;
  Vector sums;          // features · (Σ z over each cell) + noise
  Vector counts;        // count_weight · features · n + noise
  double squares = 0;   // square_weight · Σ z² over all rows + noise
  double present = 0;   // present_weight · Σ n_c + noise
  double noise_sd = 0;  // of each number
};

// The factors of a CellMechanism for counts, squares and the rows that are
// present, and how far a row can move all numbers together (see below).
struct CellFactors {
  Uint128 count = 0;    // G
  Uint128 square = 0;   // W
  Uint128 present = 0;  // T
  Uint128 sensitivity_squared = 0;
};

// The exact Gaussian release of what private rows, inputs and outputs, add up
// to in the cells of a public box: neighbours differ by substituting one row,
// and the number of rows is public. Each cell has bounds of its own, public
// too: where more is known about outputs than that they lie somewhere in the
// custodian's bounds, the noise need not hide more than that.
//
// Cells may be of any shape and size, and others in each release: the proof
// needs nothing of them but that each row is in exactly one, c(i), which is a
// function of the row and of public numbers alone (cell_tree.h). Where they
// were chosen by what earlier releases published, they are public in this one.
//
// Integers only, from a row to published numbers. P are the features as
// integers (integer_weights.h), r x C, of which P_c is a column; Q = 2^19;
//   q_i = the output as QuantizeOutput has it in the bounds of its cell,
//         |q_i| <= Q,
//   t   = (Σ_i P_c(i) q_i,  G Σ_i P_c(i),  W Σ_i floor(q_i²/Q),  T Σ_i 1),
//   published: t_k + round(s N_k), N_k exact standard normals.
// The sums are over the rows in which no cell is missing (not a number): the
// others add nothing.
//
// Sensitivity. Substituting one row by another moves t by v(c, q) − v(c', q'),
// v what one row adds. Let K² be the largest |P_c|², g = P_c · P_c', and
// 2 W² <= K². With x = |q|/Q and y = |q'|/Q, both in [0, 1],
//   |P_c q − P_c' q'|²      <= Q² (K² (x² + y²) + 2 |g| x y),
//   W² (floor(q²/Q) − floor(q'²/Q))²
//                           <= W² (Q |x² − y²| + 1)²
//                           <= Q² (K²/2) (x² − y²)² + W² (2 Q + 1),
// and x² + y² + (x² − y²)²/2, which is convex in x² and y², is at most 2, at
// x = y = 1, where 2 |g| x y is largest too. So
//   |v(c, q) − v(c', q')|² <= 2 Q² (K² + |g|) + G² |P_c − P_c'|²
//                             + W² (2 Q + 1),
// and Delta² is the largest of these over all pairs of cells (c = c' too,
// which is at most 4 Q² K² and attained by an output that goes from one bound
// to the other, if |P_c|² = K²). All are exact integers. It holds whatever
// floating point did before, and whatever the cells of the row are: infinite,
// or outside the box. If one of the two rows is missing, t moves by v(c, q),
// and
//   |v(c, q)|² <= Q² K² + G² K² + W² Q² + T² <= Delta²,
// as T is the largest integer for which that holds: it is free, and above Q K,
// since Delta² >= 4 Q² K², G <= Q and 2 W² <= K². If both are, t does not move.
//
// Counting rows and squares is free as long as Delta² is what outputs alone
// would make it: 4 Q² K². G is the largest integer, up to Q, that raises it by
// less than kCountShare.
class CellMechanism {
 public:
  static constexpr double kCountShare = 0.04;
  static constexpr Index kMostCells = 8192;

  // `bounds`: of the outputs in each cell. `sigma`: the noise, in
  // sensitivities. Throws PrivacyFailure and InvalidInput as QuantizeWeights
  // does, and InvalidInput unless there is a column of features and a pair of
  // bounds for each cell, at most kMostCells cells, and from 1 to 2^40 rows.
  CellMechanism(const CellTree& cells, const Matrix& features,
                const std::vector<OutputBounds>& bounds, Index rows,
                double sigma);

  const CellTree& cells() const { return cells_; }
  // The features that are really released, exactly.
  const Matrix& features() const { return features_; }
  double count_weight() const;
  double square_weight() const;
  double present_weight() const;
  // The noise on each number, and the largest change of all of them.
  const ExactGaussian& noise() const { return noise_; }

  // Publishes. Each call spends again. Throws InvalidInput if there are not as
  // many columns as inputs, or not `rows` rows in each (both are public), and
  // PrivacyFailure if random numbers fail, before anything private is read.
  NoisyCells Release(const std::vector<Secret<Vector>>& inputs,
                     const Secret<Vector>& outputs, Randomness& random) const;

 private:
  CellTree cells_;
  std::vector<OutputBounds> bounds_;
  Index rows_;
  IntegerWeights weights_;
  Matrix features_;
  CellFactors factors_;
  ExactGaussian noise_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_CELL_MECHANISM_H_
