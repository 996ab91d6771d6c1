#ifndef CLOAK_RELEASE_DENSITY_H_
#define CLOAK_RELEASE_DENSITY_H_

#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

struct DensityPredictions;
struct Posterior;
struct ReleaseContent;

// A density over the box of the inputs, computed from the posterior of f. It is
// e^f (link "log") or the positive part of f ("identity"), divided by its
// integral, which is found once, by the midpoint rule on a fine grid.
//
// Under the link "log" a constant added to f changes nothing, so what is known
// of the density is what is known of f − f̄, f̄ the mean of f under the density:
// to first order the logarithm of the integral. With φ̄ the mean of φ,
//   var(f(x) − f̄) = k(x,x) − |φ|² + (φ − φ̄)ᵀS(φ − φ̄),
// S the covariance of the weights. Under the link "identity" it is the privacy
// noise alone, Σ t_k (d_kᵀφ)² (release.h).
class DensityPart {
 public:
  // Takes `folded` as Release has it, the rows [mean; directions] times L_Z⁻¹,
  // and L_Z⁻¹ itself as `whiten`.
  DensityPart(const ReleaseContent& content, const Posterior& posterior,
              const Matrix& folded, const Matrix& whiten,
              const Threads& threads);

  // The answer to a block of queries: by the link "log" the logarithm of the
  // density, and its standard deviation; by the link "identity" f and its
  // standard deviation, both divided by the integral.
  struct Marginals {
    Vector value;
    Vector sd;
  };
  Marginals At(const Posterior& posterior, const Matrix& Z,
               const Matrix& folded, const Matrix& X) const;

 private:
  bool is_log_ = true;
  double scale_ = 0;  // log of the integral, or the integral
  double uniform_ = 0;
  Vector mean_values_;    // folded · k_Z, in the mean under the density
  Vector mean_fold_;      // applied to k_Z(x): φ̄ᵀφ(x)
  double mean_norm_ = 0;  // |φ̄|²
};

}  // namespace cloak

#endif  // CLOAK_RELEASE_DENSITY_H_
