#ifndef CLOAK_MODELS_PLAN_H_
#define CLOAK_MODELS_PLAN_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/data/secret.h"
#include "cloak/gp/basis.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/observed_release.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/event.h"
#include "cloak/privacy/randomness.h"
#include "cloak/release/release.h"

namespace cloak {

// How the noise is shaped: docs/designs.md.
enum class PlanDesign { kBayes, kVolume, kTrace };

// "bayes", "volume", "trace": as on the command line and in a release.
std::string NameOf(PlanDesign design);
// Throws InvalidInput when there is no design of that name.
PlanDesign DesignNamed(const std::string& name);

// What a release says of itself before anything is spent.
struct PlanSummary {
  std::string task = "regression";
  std::string method = {};
  std::string design = {};
  PrivacyStatement privacy = {};
  // How many numbers will be released; about, where that is found out as they
  // are.
  Index rank = 0;
  bool rank_is_a_guess = false;
  // How often something is released, each time after looking at what was
  // before; the noise and sensitivity stated are those of the last time.
  int rounds = 1;
  // How far from the best possible the design is at most; negative when
  // nothing was certified.
  double certified_gap = -1;
  // Root mean square over the places that matter of the posterior sd of f
  // under the prior mean hyperparameters, with privacy and without.
  double expected_sd = 0;
  double expected_sd_without_privacy = 0;
};

// How predictions follow from what is released, where that is linear: at points
// with features Φ*, the mean of f is the prior mean + Φ*ᵀW (R (y − prior mean)
// + noise), with the R and the noise of the mechanism.
struct LinearDecoder {
  Basis basis;
  Matrix W;  // M x r
};

// A release decided in every respect and not made: it is made from public
// things only, so it can be shown, priced and thrown away freely. Execute is
// the one place where private cells are touched; each call of it spends the
// whole budget again.
class Plan {
 public:
  virtual ~Plan() = default;

  virtual const PlanSummary& summary() const = 0;
  // What Execute costs, each time, and to whom.
  virtual PrivacyEvent event() const = 0;
  // What is protected all at once: the outputs of some rows, or each row.
  virtual const PrivacyUnits& units() const = 0;
  // What will touch the outputs, the first time of several, for auditors, who
  // run it on outputs of their own; null where its noise is not Gaussian, or
  // it is not known beforehand.
  virtual const GaussianMechanism* mechanism() const = 0;
  // Absent where predictions are not linear in what is released: something is
  // learned from it, or it is about labels.
  virtual std::optional<LinearDecoder> decoder() const { return {}; }

  virtual Release Execute(const PrivateRows& rows,
                          Randomness& randomness) const = 0;
  // The same on rows that are made up, for auditors: each release is shown to
  // the observer, which may try it out, before it is made. A plan that has
  // nothing to show (its noise is of another kind) shows nothing.
  virtual Release ExecuteObserved(const PrivateRows& rows,
                                  Randomness& randomness,
                                  const ReleaseObserver& observer) const;

  Neighbours neighbours() const;
  const PrivacyStatement& privacy() const { return summary().privacy; }

 protected:
  Plan() = default;
  Plan(const Plan&) = default;
  Plan(Plan&&) = default;
  Plan& operator=(const Plan&) = default;
  Plan& operator=(Plan&&) = default;
};

// What every plan is made from. None of its parts can be left out.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
struct PlanSetting {
  Matrix X;
  OutputBounds bounds;
  Budget budget;
  std::vector<std::string> input_names;
  std::string output_name;
  // Absent: each row is a unit of its own, and has no name.
  std::optional<PrivacyUnits> units = {};
  std::string unit_name = {};
  // Where f is believed to lie far from all data, from public knowledge; the
  // middle of the bounds when absent.
  std::optional<double> prior_mean = {};
  Threads threads = {};
  Progress progress = NoProgress;
  // Of labels, which are −1 and 1; none where outputs are numbers.
  std::vector<std::string> classes = {};

  // Throws InvalidInput when something does not fit or is not finite.
  void Validate() const;
  PrivacyUnits UnitsOrRows() const;
  double PriorMean() const { return prior_mean.value_or(bounds.middle()); }
};

// The parts of the privacy statement that do not depend on the mechanism.
PrivacyStatement StatementOf(const PlanSetting& setting);
// The parts of a release that a plan says of itself.
ReleaseContent ContentOf(const PlanSummary& summary);
// All that do not depend on the outputs.
ReleaseContent ContentOf(const PlanSetting& setting,
                         const PlanSummary& summary);

}  // namespace cloak

#endif  // CLOAK_MODELS_PLAN_H_
