#include "cloak/audit/plan_audit.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "cloak/audit/row_neighbours.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/cell_mechanism.h"
#include "cloak/privacy/feature_mechanism.h"

namespace cloak {
namespace {

// Each attack has so many releases of each table, or all that were asked for.
constexpr Index kLeastReleases = 20000;
// The relative rounding error of a sum of squares of doubles.
constexpr double kSumRounding = 1e-9;
// Pairs of neighbours that one release is attacked with, at most.
constexpr int kMostPairs = 2;

// Everything that an attack needs to know of a release.
struct Target {
  std::vector<NeighbouringTables> neighbours;
  AuditClaim claim;
  double unit = 0;
};

template <typename Mechanism>
AuditClaim ClaimBy(const Mechanism& mechanism, double delta) {
  return {mechanism.noise().mu(), mechanism.noise().sensitivity_squared(),
          delta};
}

Target TargetOf(const ObservedRelease& release, const Plan& plan) {
  const double delta = plan.privacy().delta;
  const Index rows = plan.privacy().rows;
  if (const auto* outputs = std::get_if<ObservedOutputs>(&release.mechanism)) {
    return {OutputNeighbours(*outputs, plan.privacy_units()),
            ClaimBy(*outputs->mechanism, delta),
            outputs->mechanism->noise().step()};
  }
  if (const auto* cells = std::get_if<ObservedCells>(&release.mechanism)) {
    return {CellNeighbours(*cells, rows), ClaimBy(*cells->mechanism, delta),
            cells->mechanism->noise().step()};
  }
  const auto& features = std::get<ObservedFeatures>(release.mechanism);
  return {FeatureNeighbours(features, rows),
          ClaimBy(*features.mechanism, delta),
          features.mechanism->noise().step()};
}

// Keeps the sharper bounds of two attacks on one release in `report`.
void Merge(const AuditReport& other, AuditReport& report) {
  report.epsilon_lower = std::max(report.epsilon_lower, other.epsilon_lower);
  report.gaussian_epsilon_lower =
      std::max(report.gaussian_epsilon_lower, other.gaussian_epsilon_lower);
  report.mu_lower = std::max(report.mu_lower, other.mu_lower);
  report.measured_sensitivity_squared = std::max(
      report.measured_sensitivity_squared, other.measured_sensitivity_squared);
  report.grid_p_value = std::min(report.grid_p_value, other.grid_p_value);
  for (const std::string& accusation : other.accusations) {
    if (std::find(report.accusations.begin(), report.accusations.end(),
                  accusation) == report.accusations.end()) {
      report.accusations.push_back(accusation);
    }
  }
}

RoundAudit AttackRelease(const ObservedRelease& release, const Plan& plan,
                         const AuditOptions& each, const Threads& threads,
                         const RandomnessSource& randomness,
                         const Progress& progress) {
  const Target target = TargetOf(release, plan);
  const AuditedRelease publish = [&](const MadeUpRows& rows,
                                     Randomness& random) {
    return release.publish(rows.AsPrivate(), random);
  };
  RoundAudit round{release.name, target.unit, {}};
  for (size_t j = 0; j < target.neighbours.size(); ++j) {
    const auto pairs = static_cast<double>(target.neighbours.size());
    const AuditReport report =
        AuditRelease(publish, target.neighbours[j], target.claim, each, threads,
                     randomness, [&](std::string_view stage, double done) {
                       progress(stage, (static_cast<double>(j) + done) / pairs);
                     });
    if (j == 0) {
      round.report = report;
    } else {
      Merge(report, round.report);
    }
  }
  return round;
}

// Adds up what the releases cost.
void AddUp(PlanAudit& audit) {
  double declared = 0;
  double lower = 0;
  for (const RoundAudit& round : audit.rounds) {
    declared += round.report.claimed_mu * round.report.claimed_mu;
    lower += round.report.mu_lower * round.report.mu_lower;
    for (const std::string& accusation : round.report.accusations) {
      audit.accusations.push_back(Text(round.name, ": ", accusation));
    }
  }
  audit.declared_mu = std::sqrt(declared);
  audit.mu_lower = std::sqrt(lower);
  const double most = audit.claimed_mu * (1 + kSumRounding);
  if (audit.declared_mu > most) {
    audit.accusations.push_back(
        Text("all releases together cost mu = ", RoundedText(audit.declared_mu),
             ", which is more than the claim allows: ",
             RoundedText(audit.claimed_mu)));
  }
  if (audit.mu_lower > most) {
    audit.accusations.push_back(Text(
        "all releases together have less noise than the claim needs: mu "
        "is at least ",
        RoundedText(audit.mu_lower), ", not ", RoundedText(audit.claimed_mu)));
  }
}

// Whether everything that was published was attacked.
void CheckCoverage(const PlanSummary& summary, const ReleaseContent& content,
                   PlanAudit& audit) {
  if (static_cast<int>(audit.rounds.size()) != summary.rounds) {
    audit.accusations.push_back(Text("the plan announced ", summary.rounds,
                                     " releases, but made ",
                                     audit.rounds.size()));
  }
  Index attacked = 0;
  for (const RoundAudit& round : audit.rounds) attacked += round.report.numbers;
  const auto published = static_cast<Index>(NumbersReleased(content));
  if (attacked != published) {
    audit.accusations.push_back(Text("the file has ", published,
                                     " released numbers, but its releases ",
                                     attacked));
  }
}

}  // namespace

PlanAudit AuditPlan(const Plan& plan, const MadeUpRows& rows,
                    const AuditOptions& options, const Threads& threads,
                    const RandomnessSource& randomness,
                    const Progress& progress) {
  options.Validate();
  const PrivacyStatement& claim = plan.privacy();
  RequireInput(claim.delta > 0,
               "an audit attacks Gaussian releases, and the method '",
               plan.summary().method,
               "', as asked for, adds Laplace noise; the file that it "
               "writes can be audited");
  const int attacks = plan.summary().rounds * kMostPairs;
  const AuditOptions each{
      .releases = std::max(options.releases / attacks,
                           std::min(options.releases, kLeastReleases)),
      .confidence = 1 - (1 - options.confidence) / attacks};
  PlanAudit audit;
  audit.claimed_epsilon = claim.epsilon;
  audit.delta = claim.delta;
  audit.claimed_mu = GaussianMu(Budget(claim.epsilon, claim.delta));
  audit.confidence = options.confidence;
  Randomness random = randomness();
  const auto release =
      plan.Execute(rows.AsPrivate(), random, [&](const ObservedRelease& shown) {
        const auto behind = static_cast<double>(audit.rounds.size());
        audit.rounds.push_back(AttackRelease(
            shown, plan, each, threads, randomness,
            [&](std::string_view stage, double done) {
              progress(stage, (behind + done) / plan.summary().rounds);
            }));
      });
  RequireInput(!audit.rounds.empty(),
               "an audit attacks Gaussian releases of sums, and the "
               "method '",
               plan.summary().method,
               "', as asked for, releases something else; the file that "
               "it writes can be audited");
  AddUp(audit);
  CheckCoverage(plan.summary(), release.content(), audit);
  return audit;
}

}  // namespace cloak
