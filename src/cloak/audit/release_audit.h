#ifndef CLOAK_AUDIT_RELEASE_AUDIT_H_
#define CLOAK_AUDIT_RELEASE_AUDIT_H_

#include <functional>
#include <string>
#include <vector>

#include "cloak/audit/neighbours.h"
#include "cloak/base/progress.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// The release that is audited publishes integers computed from made-up rows. It
// is called from several threads at once, each with its own randomness.
using AuditedRelease =
    std::function<std::vector<Int128>(const MadeUpRows&, Randomness&)>;

// The mechanism itself.
AuditedRelease ReleaseOf(const GaussianMechanism& mechanism);

// The claim about it is that it is mu-Gaussian-DP, as its noise has a standard
// deviation of sensitivity/mu on each number.
struct AuditClaim {
  double mu = 0;
  Uint128 sensitivity_squared = 0;  // in units of the statistic
  // Where claims are stated in epsilon.
  double delta = 0;
};
AuditClaim ClaimOf(const GaussianMechanism& mechanism);

struct AuditOptions {
  // From each of the two neighbours; at least 10^4.
  Index releases = 100000;
  // The probability that a release which keeps its claim is not accused, at
  // least.
  double confidence = 0.999;

  // Throws InvalidInput.
  void Validate() const;
};

struct AuditReport {
  Index releases = 0;
  Index numbers = 0;  // in each
  double confidence = 0;
  double claimed_mu = 0;
  double claimed_epsilon = 0;
  double delta = 0;
  // With the confidence above, no claim (epsilon, delta) with a smaller epsilon
  // is true: whatever the noise is, and if it is Gaussian.
  double epsilon_lower = 0;
  double gaussian_epsilon_lower = 0;
  // The same in mu, if the noise is Gaussian.
  double mu_lower = 0;
  // Squared, in units: how far the neighbours really are apart.
  Uint128 declared_sensitivity_squared = 0;
  Uint128 measured_sensitivity_squared = 0;
  double grid_p_value = 1;
  // In words, one for each part of the claim that is refuted.
  std::vector<std::string> accusations;

  bool accused() const { return !accusations.empty(); }
};

// Tries to refute the claim from what the release publishes of two neighbouring
// tables: all numbers, also those that the neighbours know nothing of.
//
// 1. Sensitivity. The neighbours' statistics are a known distance apart, in
//    exact integers. It must not be above what is declared.
// 2. The attack. With m = t' - t, each published v becomes the score
//    z = m.(v - t)/|m|^2: the log likelihood ratio of Gaussian noise, up to
//    scale and shift, with mean 0 for one table and 1 for the other. For the
//    sets S = {z > c} and {z < 1 - c}, Clopper and Pearson (1934) bound
//    P(S | D) below and P(S | D') above, and
//      epsilon >= log((P_low - delta)/Q_high),
//    whatever the release does. The c are fixed in advance: 1/2, the set
//    c = 1/2 + epsilon/mu^2 that is the best attack on what is claimed, and
//    half way. z is of the numbers that the neighbours know.
// 3. The noise. The claim is kept by Gaussian noise because it makes the
//    release mu-Gaussian-DP. Two lower bounds of mu, and the epsilon at delta
//    that belongs to the larger: from the errors of the test z > 1/2, since
//    mu >= -Phi^-1(P(z > 1/2 | D)) - Phi^-1(P(z <= 1/2 | D')) (Dong, Roth and
//    Su 2022, definition 2.6; Nasr et al. 2023); and from the variance of the
//    scores, 1/mu^2 for Gaussian noise, by its chi-square confidence bound.
// 4. Every number by itself (number_evidence.h): its mean in both tables, its
//    noise, and how far the tables are apart in it. It sees a number that is
//    not what the sensitivity was computed of.
// 5. The grid of the noise, of all numbers together: noise_grid.h.
//
// All bounds hold together with the confidence of the options (Bonferroni). An
// audit that accuses nobody proves nothing; the proofs are with the mechanism.
//
// The result depends on the randomness, never on the number of threads.
AuditReport AuditRelease(const AuditedRelease& release,
                         const NeighbouringTables& neighbours,
                         const AuditClaim& claim, const AuditOptions& options,
                         const Threads& threads,
                         const RandomnessSource& randomness,
                         const Progress& progress = NoProgress);

}  // namespace cloak

#endif  // CLOAK_AUDIT_RELEASE_AUDIT_H_
