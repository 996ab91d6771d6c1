#ifndef CLOAK_KERNELS_DISTANCE_H_
#define CLOAK_KERNELS_DISTANCE_H_

#include <vector>

#include "cloak/kernels/tile.h"

namespace cloak {

// Distances between the rows and columns of a tile, from differences of the
// inputs and never by |x|² + |x'|² − 2 xᵀx', which cancels: equal rows are at
// distance exactly 0, and time stamps of 10⁹ with lengthscale 1 are safe.
//
// `inverse[d]` multiplies the difference in input d; a single entry is shared
// by all inputs. Everything is capped at 1e300, so that 0 · distance is 0.

// out = Σ_d (inverse_d (x_d − y_d))².
void SquaredDistances(const Tile& tile, const std::vector<double>& inverse,
                      double* out);

// Σ_ij weights_ij (inverse (x_d − y_d))² for the one input d.
double WeightedSquares(const Tile& tile, Index d, double inverse,
                       const double* weights);

// out = inverse (x_d − y_d): how many periods the difference is.
void Periods(const Tile& tile, Index d, double inverse, double* out);

// The same minus the nearest integer, in [−1/2, 1/2]: where in its period the
// difference stands.
void Phases(const Tile& tile, Index d, double inverse, double* out);

// out = Σ_d variance_d x_d y_d.
void WeightedProducts(const Tile& tile, const std::vector<double>& variance,
                      double* out);

// Σ_ij weights_ij x_d y_d for the one input d.
double WeightedProductSum(const Tile& tile, Index d, const double* weights);

// Σ_i a_i b_i.
double Dot(const double* a, const double* b, Index n);

}  // namespace cloak

#endif  // CLOAK_KERNELS_DISTANCE_H_
