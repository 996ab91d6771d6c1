#ifndef CLOAK_DESIGN_BAYES_H_
#define CLOAK_DESIGN_BAYES_H_

#include <limits>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/design/noise_design.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// One prior over the outputs, in a basis (gp/basis.h):
//   y_i = φ(x_i)ᵀu + e_i,  u ~ N(0, I),  e_i ~ N(0, D_i) independent,
// and Q = Σ φ(x)φ(x)ᵀ over the places x that matter.
struct DesignPrior {
  double weight = 1;  // of these hyperparameters
  Matrix Phi;         // M x N
  Vector D;           // N: residual plus noise variance
  Matrix Q;           // M x M, positive semi-definite
};

struct BayesOptions {
  // Stop when no Gaussian release is certified to leave less posterior
  // variance by more than this fraction of it.
  double tolerance = 0.01;
  Index max_rank = 500;
  int max_iterations = 1000;
  // A design that is not certified within this in the end is refused, where
  // every row is a unit. For units of several rows the certificate may be
  // loose, and says so.
  double largest_gap = 0.2;
  // Whether priors with fewer weights, those that are worth a share of R, are
  // taken for the ones that are given: for a guess that need not be certified.
  bool condensed = false;
};

// For one of several releases, which is designed for what is only a guess: it
// need not be found as exactly as a statistic that is all there is.
inline constexpr BayesOptions kRoughDesign = {
    .tolerance = 0.03,
    .max_rank = 200,
    .largest_gap = std::numeric_limits<double>::infinity(),
    .condensed = true};

// R that leaves the least posterior variance. With s the privacy noise,
//   H = RΦᵀ,  A = HHᵀ + R D Rᵀ + s²I,  S = I − HᵀA⁻¹H,
// it minimises Σ weight · tr(Q S) over the R that the outputs of one unit move
// by at most 1 (unit_spheres.h), by L-BFGS, adding rows to R where the
// certificate (certificate.h) sees something to gain, until it says that no
// Gaussian release is better by more than the tolerance.
//
// objective: Σ weight · tr(Q S). gap: how much smaller it could be at most, as
// a fraction of it (or of a billionth of the prior variance, if less is left).
NoiseDesign BayesDesign(const std::vector<DesignPrior>& given,
                        const PrivacyUnits& units, double s,
                        const Threads& threads,
                        const Progress& progress = NoProgress,
                        const BayesOptions& options = {});

// Every row is a unit of its own: columns of norm at most 1.
NoiseDesign BayesDesign(const std::vector<DesignPrior>& priors, double s,
                        const Threads& threads,
                        const Progress& progress = NoProgress,
                        const BayesOptions& options = {});

}  // namespace cloak

#endif  // CLOAK_DESIGN_BAYES_H_
