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

// Replaces each row of `features` by the integers nearest to scale times it.
// Whatever the row is (infinite, not a number), |p|^2 <= K^2 holds for the
// integers: that is what the sensitivity rests on, and it is enforced on them.
// A row that is too long is shrunk towards 0.
void QuantizeFeatures(double scale, Matrix& features);

// The exact sums over rows of p q and of p pᵀ. In memory of the size of the
// sums, whatever the number of rows is.
//
// Rows come in blocks of at most kBlockRows, whose sums are exact in doubles
// however BLAS orders the terms: |p_j p_k| <= K^2 = 2^44 and |p_j q| <= 2^42,
// so that every partial sum of 2^9 terms is an integer of at most 2^53.
class IntegerMoments {
 public:
  static constexpr Index kBlockRows = Index{1} << 9;
  // |sum| <= 2^44 kMostRows = 2^59 fits 64 bits.
  static constexpr Index kMostRows = Index{1} << 15;

  explicit IntegerMoments(Index features);

  // Adds rows: what QuantizeFeatures left, and q, integers too. Throws
  // PrivacyFailure beyond kBlockRows at once or kMostRows in all.
  void Add(const Matrix& features, const Vector& q);

  Index features() const { return features_; }
  // Entry j of the sum of p q.
  int64_t first(Index j) { return first_[j]; }
  // Entry (j, k) of the sum of p pᵀ, k <= j.
  int64_t second(Index j, Index k) { return second_[k * features_ + j]; }

 private:
  Index features_;
  Index rows_ = 0;
  Scratch<int64_t> first_;
  Scratch<int64_t> second_;  // both triangles, the upper one not used
  Scratch<double> block_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_INTEGER_MOMENTS_H_
