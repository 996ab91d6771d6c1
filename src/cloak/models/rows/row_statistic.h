#ifndef CLOAK_MODELS_ROWS_ROW_STATISTIC_H_
#define CLOAK_MODELS_ROWS_ROW_STATISTIC_H_

#include <optional>
#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/gp/count_posterior.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// The numbers that a CellMechanism published in one round, and how. All of it
// is public.
struct PublishedSums {
  Matrix features;    // r x C
  Vector centre;      // C: of the bounds of outputs, less the prior mean
  Vector half_width;  // C: of these bounds
  double count_weight = 0;
  double square_weight = 0;
  double noise_sd = 0;
  Vector sums;    // r
  Vector counts;  // r
  double squares = 0;
  // How many rows are not missing, times present_weight, plus noise.
  double present_weight = 0;
  double present = 0;
};

// Returns what a round published as sums over the cells that its own were cut
// into since: ancestors[c] is the cell of the round that cell c is a part of.
// The sum over a cell is the sum over its parts, so that each part has the
// features and the bounds of the whole, and nothing is approximated.
PublishedSums OverParts(const PublishedSums& round,
                        const std::vector<Index>& ancestors);

// How many of `rows` are not missing, as far as the rounds tell.
double PresentRows(const std::vector<PublishedSums>& rounds, double rows);

// The belief about f everywhere: of its weights in a basis.
struct FunctionBelief {
  Basis basis;
  LinearPosterior weights;
};

// The belief about the mean output (less the prior mean) at each cell, about
// the noise of an observation around it and about how rows are spread.
struct RowBelief {
  Vector mean;      // C
  Matrix features;  // M x C: the covariance is featuresᵀ · features, and
  Vector residual;  // C: this on its diagonal
  Vector slope;     // C: by how much the mean output changes with f
  double noise_variance = 0;
  Vector expected_rows;  // C: positive
  // Where what is believed of other cells follows from. Absent before anything
  // was published.
  std::optional<FunctionBelief> f = {};

  Vector Variances() const;
  Matrix Covariance() const;
};

// All rounds as one linear statistic of the mean outputs g at the cells. With n
// the numbers of rows, A_j = features_j/(noise_sd half_width) and o_j the
// centres, round j published, in units of its noise,
//   w_j = A_j (n ∘ (g − o_j) + e) + z_j,   z_j ~ N(0, I),
// e_c ~ N(0, σ² n_c) the noise of the observations in cell c, the same in all
// rounds. n is known from the counts (count_posterior.h) up to an error ν, so
//   w_j + A_j (n̂ ∘ o_j) = A_j (n̂ ∘ g) + A_j (ν ∘ (g − o_j)) + A_j e + z_j:
// linear in g, with noise whose covariance, given what is believed of g, is
// known. (Clipping is neglected: bounds are wide enough to clip few rows.)
struct RowStatistic {
  Matrix A;        // R x C
  Matrix offsets;  // R x C: o_j, the same in all rows of a round
  Vector w;        // R: with A_j (n̂ ∘ o_j) added
  Matrix weights;  // R x C: A diag(n̂)
  CountPosterior counts;

  RowStatistic(const std::vector<PublishedSums>& rounds,
               const std::vector<DensityPrior>& densities, double rows);

  // Returns the covariance of z + A (ν ∘ (g − o)), which for independent
  // g ~ N(m, K) and ν ~ N(0, N) is
  //   I + A (N ∘ K) Aᵀ + D N Dᵀ,  D = A ∘ (m − o).
  Matrix CountNoise(const RowBelief& belief) const;
  // Returns the covariance of A e.
  Matrix ObservationNoise(double variance) const;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_ROW_STATISTIC_H_
