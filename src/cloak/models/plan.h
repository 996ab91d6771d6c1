#ifndef CLOAK_MODELS_PLAN_H_
#define CLOAK_MODELS_PLAN_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/gp/basis.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/models/observed_release.h"
#include "cloak/models/row_order.h"
#include "cloak/models/setting.h"
#include "cloak/privacy/event.h"
#include "cloak/privacy/randomness.h"
#include "cloak/release/release.h"

namespace cloak {

// All that a release says of itself before anything is spent.
struct PlanSummary {
  TaskKind task = TaskKind::kRegression;
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
  // How a density follows from what is released, of that task alone.
  std::optional<DensityLink> link = {};
  // How far from the best possible the design is at most; negative when
  // nothing was certified.
  double certified_gap = -1;
  // Root mean square over the places that matter of the posterior sd of f
  // under the prior mean hyperparameters, with privacy and without.
  double expected_sd = 0;
  double expected_sd_without_privacy = 0;
  // From how many sites of inputs others can infer anew, with what the file
  // holds; or the words for why they cannot, where they could have.
  Index sites = 0;
  std::string no_sites = {};
  // How much less error one release could leave at most, as a part of it, that
  // weighed each group of equal or nearly equal inputs by itself; absent where
  // it does.
  std::optional<double> cost_of_sites = {};
};

// How predictions follow from what is released, where that is linear: at points
// with features Φ*, the mean of f is the prior mean + Φ*ᵀW (R (y − prior mean)
// + noise), with the R and the noise of the mechanism.
struct LinearDecoder {
  Basis basis;
  Matrix W;  // M x r
};

// Returns the parts of a release that a plan says of itself.
ReleaseContent ContentOf(const PlanSummary& summary);
// Returns all parts that do not depend on private cells.
ReleaseContent ContentOf(const Setting& setting, const PlanSummary& summary);

// A release decided in every respect and not made: it is made from public
// things only, so it can be shown, priced and thrown away freely. Execute is
// the one place where private cells are touched; each call of it spends the
// whole budget again.
class Plan {
 public:
  virtual ~Plan() = default;
  Plan(const Plan&) = delete;
  Plan(Plan&&) = delete;
  Plan& operator=(const Plan&) = delete;
  Plan& operator=(Plan&&) = delete;

  const PlanSummary& summary() const { return summary_; }
  const PrivacyStatement& privacy() const { return summary_.privacy; }
  // Returns what Execute costs, each time, and to whom.
  PrivacyEvent event() const { return event_(); }
  Neighbours neighbours() const;
  // Returns what is protected all at once: the outputs of some rows, or each
  // row. Rows are in the order of the plan, as in mechanism().
  const PrivacyUnits& privacy_units() const { return privacy_units_; }
  // Returns what will touch the outputs, the first time of several, for
  // auditors, who run it on outputs of their own; null where its noise is not
  // Gaussian, or it is not known beforehand.
  const GaussianMechanism* mechanism() const { return mechanism_; }
  // Returns nothing where predictions are not linear in what is released:
  // something is learned from it, or it is about labels.
  virtual std::optional<LinearDecoder> decoder() const { return {}; }

  // Makes the release of rows as they are in the table. An auditor executes a
  // plan on rows that are made up: each round is shown to its observer, which
  // may try it out, before it is made. A plan whose noise is of another kind
  // shows nothing.
  Release Execute(const PrivateRows& rows, Randomness& randomness,
                  const ReleaseObserver& observer = NoObserver) const;

  // Makes the plan, which is for sorted rows, take rows in the order of the
  // table. To be called at most once.
  void TakeRowsOf(RowOrder order) { order_ = std::move(order); }
  // Returns the order of the rows in mechanism() and privacy_units(); absent
  // where it is that of the table.
  const std::optional<RowOrder>& order() const { return order_; }

 protected:
  explicit Plan(SharedSetting setting)
      : setting_(std::move(setting)), privacy_units_(setting_->UnitsOrRows()) {}

  const Setting& setting() const { return *setting_; }
  const SharedSetting& shared_setting() const { return setting_; }
  // Returns the parts of a release that do not depend on private cells.
  ReleaseContent Content() const { return ContentOf(*setting_, summary_); }

  // To be filled in by whoever derives from it.
  // NOLINTBEGIN(*-non-private-member-variables-in-classes)
  PlanSummary summary_;
  // Called when the price is asked for: what costs more than can be counted may
  // be planned, though not priced.
  std::function<PrivacyEvent()> event_;
  const GaussianMechanism* mechanism_ = nullptr;  // theirs
  // NOLINTEND(*-non-private-member-variables-in-classes)

 private:
  virtual Release Run(const PrivateRows& rows, Randomness& randomness,
                      const ReleaseObserver& observer) const = 0;

  SharedSetting setting_;
  PrivacyUnits privacy_units_;
  std::optional<RowOrder> order_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_PLAN_H_
