#ifndef CLOAK_PRIVACY_INTEGER_MOMENTS_H_
#define CLOAK_PRIVACY_INTEGER_MOMENTS_H_

#include <cstdint>

#include "cloak/linalg/matrix.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/scratch.h"

namespace cloak {

// Features become integers of this many bits: the vector p of one row has
// |p| <= K = kLargestFeatures.
inline constexpr int kFeatureBits = 22;
inline constexpr int64_t kLargestFeatures = int64_t{1} << kFeatureBits;
// Outputs are integers q with |q| <= 2^20.
inline constexpr int64_t kLargestMomentOutput = int64_t{1} << 20;

// Returns what the integer 1 is worth in features whose norm is at most `norm`:
// norm/K, less room for rounding, as rounding each of M numbers moves a vector
// by at most √M/2.
double FeatureStep(double norm, Index features);

// Replaces each row of `features` by the integers nearest to scale times it.
// Whatever the row is (infinite, not a number), |p|^2 <= K^2 holds for the
// integers: that is what the sensitivity rests on, and it is enforced on them.
// A row that is too long is shrunk towards 0.
void QuantizeFeatures(double scale, Matrix& features);

// The exact sums over rows of p q and of p pᵀ. In memory of the size of the
// sums, whatever the number of rows is.
//
// BLAS adds rows in doubles, kExactRows of them at most before the sums move on
// to integers: |p_j p_k| <= K^2 = 2^44 and |p_j q| <= 2^42, so that every
// partial sum of 2^9 terms is an integer of at most 2^53, exact in whichever
// order BLAS adds.
class IntegerMoments {
 public:
  static constexpr Index kExactRows = Index{1} << 9;
  // |sum| <= 2^44 kMostRows = 2^59 fits 64 bits.
  static constexpr Index kMostRows = Index{1} << 15;

  explicit IntegerMoments(Index features);

  // Adds rows: what QuantizeFeatures left, and q, integers too. Throws
  // PrivacyFailure beyond kExactRows at once or kMostRows in all.
  void Add(const Matrix& features, const Vector& q);

  Index features() const { return features_; }
  // Entry j of the sum of p q.
  int64_t first(Index j) { return Settled(features_ * features_ + j); }
  // Entry (j, k) of the sum of p pᵀ, k <= j.
  int64_t second(Index j, Index k) { return Settled(k * features_ + j); }

 private:
  // Moves the sums in doubles on to integers.
  void Settle();
  int64_t Settled(Index entry) {
    if (pending_ > 0) Settle();
    return sums_[entry];
  }

  Index features_;
  Index rows_ = 0;
  Index pending_ = 0;  // rows in exact_
  // The matrix by its lower triangle, the upper one not used, then the vector.
  Scratch<double> exact_;
  Scratch<int64_t> sums_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_INTEGER_MOMENTS_H_
