#ifndef CLOAK_MODELS_ROWS_FUNCTIONAL_DENSITY_H_
#define CLOAK_MODELS_ROWS_FUNCTIONAL_DENSITY_H_

#include "cloak/gp/basis.h"
#include "cloak/linalg/grid.h"
#include "cloak/linalg/matrix.h"
#include "cloak/models/plan.h"
#include "cloak/models/rows/density.h"
#include "cloak/privacy/feature_mechanism.h"

namespace cloak {

// A kernel density estimate as a function released once (Dandekar et al. 2019,
// section 3.3, after Hall et al. 2013):
//   f(x) = 1/n Σ_i k(x, x_i),  k(x, x') = exp(−Σ_j (x_j − x'_j)²/(2 h_j²)),
// up to a constant, which the density divides out. Its projection on the
// functions k(·, z), z on a public grid, has the coordinates 1/n Σ_i φ(x_i),
// φ = L_Z⁻¹ k_Z, in an orthonormal basis of their span. Projecting brings
// functions nearer to each other, so the squared distance between two rows'
// contributions is at most
//   |φ(x) − φ(x')|² <= k(x, x) + k(x', x') − 2 k(x, x') <= 2,
// and the sensitivity √2/n however many functions there are. What is released
// is the coordinates with Gaussian noise, the same in each: the paper's
// Gaussian process, seen in that span. What the noise is calibrated to is the
// exact largest distance over all pairs of cells (feature_mechanism.h), rows
// counting at the middle of theirs.
//
// Without a given bandwidth, the release is made with a short one, h⁰, a
// quarter of what Silverman's rule gives for rows spread evenly. From its
// moments the rule gives the h to use, and convolving with a Gaussian of
// variance h² − h⁰² turns each k⁰(·, z) into a multiple of k(·, z): the same
// coefficients, no new release.
//
// The density is the positive part of f, divided by its integral. Its intervals
// are of the privacy noise alone.
class FunctionalDensityPlan : public Plan {
 public:
  // Throws InvalidInput when the setting or the bandwidth does not fit.
  FunctionalDensityPlan(const SharedSetting& setting, const Density& task);

 private:
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override;
  Posterior PosteriorOf(const NoisyFeatures& noisy) const;
  Vector SilvermanOf(const Vector& weights) const;

  Density task_;
  Grid cells_;
  Basis basis_;
  FeatureMechanism features_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_FUNCTIONAL_DENSITY_H_
