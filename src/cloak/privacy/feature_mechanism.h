#ifndef CLOAK_PRIVACY_FEATURE_MECHANISM_H_
#define CLOAK_PRIVACY_FEATURE_MECHANISM_H_

#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/grid.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/exact_gaussian.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/integer_weights.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// The result of a FeatureMechanism. Public.
struct NoisyFeatures {
  // Integers, in steps of noise().step().
  std::vector<Int128> integers;
  Vector sums;  // Σ over the rows of the features of their cell + noise
  double noise_sd = 0;  // of each number
};

// The exact Gaussian release of the sum of features of private rows that have
// no output: neighbours differ by substituting one row, and the number of rows
// is public.
//
// Integers only, from a row to published numbers. Row i is in cell c(i)
// (grid.h); P are the features as integers (integer_weights.h), r x C;
//   t = Σ_i P_c(i),   published: t_k + round(s N_k), N_k exact standard
//   normals.
// A row of which a cell is missing (not a number) adds nothing. Substituting
// one row by another moves t by P_c − P_c', or, if one of them is missing, by
// P_c, so that Delta² is the largest |P_c − P_c'|² over all pairs of cells and
// |P_c|² over all cells, an exact integer. It holds whatever floating point did
// before, and whatever the cells of the row are: infinite, or outside the box.
class FeatureMechanism {
 public:
  static constexpr Index kMostCells = 8192;

  // `sigma`: the noise, in sensitivities. Throws PrivacyFailure and
  // InvalidInput as QuantizeWeights does, and InvalidInput unless there is a
  // column of features for each cell, at most kMostCells cells, and from 1 to
  // 2^40 rows.
  FeatureMechanism(const Grid& cells, const Matrix& features, Index rows,
                   double sigma);

  const Grid& cells() const { return cells_; }
  // The features that are really released, exactly.
  const Matrix& features() const { return features_; }
  // The noise on each number, and the largest change of all of them.
  const ExactGaussian& noise() const { return noise_; }

  // Publishes. Each call spends again. Throws InvalidInput if there are not as
  // many columns as inputs, or not `rows` rows in each (both are public), and
  // PrivacyFailure if random numbers fail, before anything private is read.
  NoisyFeatures Release(const std::vector<Secret<Vector>>& inputs,
                        Randomness& random) const;

 private:
  Grid cells_;
  Index rows_;
  IntegerWeights weights_;
  Matrix features_;
  ExactGaussian noise_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_FEATURE_MECHANISM_H_
