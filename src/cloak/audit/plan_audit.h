#ifndef CLOAK_AUDIT_PLAN_AUDIT_H_
#define CLOAK_AUDIT_PLAN_AUDIT_H_

#include <string>
#include <vector>

#include "cloak/audit/neighbours.h"
#include "cloak/audit/release_audit.h"
#include "cloak/base/progress.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/plan.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// One release of a plan, attacked with one or more pairs of neighbours: of each
// bound, the sharpest.
struct RoundAudit {
  std::string name;  // "round 2 of 5"
  double unit = 0;   // what one is worth in what sensitivities are measured in
  AuditReport report;
};

struct PlanAudit {
  double claimed_epsilon = 0;
  double delta = 0;
  // The largest mu that keeps the claim.
  double claimed_mu = 0;
  // The roots of the sums of mu^2: as the releases declare it, and, with the
  // confidence below, at least, if their noise is Gaussian.
  double declared_mu = 0;
  double mu_lower = 0;
  double confidence = 0;
  std::vector<RoundAudit> rounds;
  // In words, one for each part of the claim that is refuted.
  std::vector<std::string> accusations;

  bool accused() const { return !accusations.empty(); }
};

// Executes the plan on made-up rows and tries to refute what is claimed of each
// of its releases, given what the ones before it published: AuditRelease, with
// the neighbours that this release keeps farthest apart (neighbours.h,
// row_neighbours.h), and with what it declares to cost. Then whether
//   - all of them together cost what the plan claims: mu^2 adds up, also where
//     a release is chosen by looking at others (Dong, Roth and Su 2022,
//     Corollary 2), and so do the lower bounds of mu^2 that the attacks found;
//   - there are as many releases as the plan announced, and as many numbers in
//     what it published as were attacked.
//
// options.releases is for all attacks together, of which each gets at least
// 20,000 of them if there are. Nothing is known of another transcript than the
// one that the made-up rows lead to.
//
// Throws InvalidInput when the plan shows none of its releases: its noise is
// not Gaussian, or it chooses between candidates.
PlanAudit AuditPlan(const Plan& plan, const MadeUpRows& rows,
                    const AuditOptions& options, const Threads& threads,
                    const RandomnessSource& randomness,
                    const Progress& progress = NoProgress);

}  // namespace cloak

#endif  // CLOAK_AUDIT_PLAN_AUDIT_H_
