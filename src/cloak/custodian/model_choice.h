#ifndef CLOAK_CUSTODIAN_MODEL_CHOICE_H_
#define CLOAK_CUSTODIAN_MODEL_CHOICE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/custodian/ledger_charge.h"
#include "cloak/custodian/request.h"
#include "cloak/data/table.h"
#include "cloak/models/plan.h"
#include "cloak/models/task.h"
#include "cloak/privacy/custodian_view.h"
#include "cloak/privacy/randomness.h"
#include "cloak/privacy/selection_mechanism.h"
#include "cloak/release/release.h"
#include "cloak/selection/residual_norm.h"
#include "cloak/selection/worth_choosing.h"

namespace cloak {

// A private choice among candidates for a regression that is yet to be
// released, with private outputs, by the error for rows held out (Smith et al.
// 2018 and 2021, with the sensitivity of residual_norm.h). Until Choose is
// called, nothing is spent, and all that can be asked is public.
class ModelChoice {
 public:
  // `request` has the columns, which are the same for all candidates. The table
  // is divided into `folds` parts, each held out in turn. Where it is closed,
  // the choice can be priced and not made.
  //
  // Throws InvalidInput when a candidate does not predict linearly or no
  // candidate is worth choosing.
  ModelChoice(const Request& request, const std::vector<Regression>& candidates,
              double epsilon, Index folds, const Table& table, bool closed,
              const RandomnessSource& randomness,
              const Progress& progress = NoProgress);

  // Returns the figures of each candidate.
  const std::vector<CandidateFigures>& figures() const { return figures_; }
  // Returns the numbers of those to choose from; the others are left out
  // (worth_choosing.h). Where it is one, there is nothing to choose.
  const std::vector<size_t>& worth() const { return worth_; }
  // Returns what is promised. The sensitivity is that of the utility, the
  // largest of all to choose from.
  const PrivacyStatement& privacy() const { return privacy_; }

  void ChargeTo(LedgerCharge ledger) { ledger_.emplace(std::move(ledger)); }
  // Returns what the ledger would say; nothing where none keeps count.
  std::optional<Bill> Price() const;

  // Charges the ledger, makes the choice and calls `report` with the number of
  // the candidate and what the ledger said. Each call spends again. Throws what
  // Ledger::Charge does, and then has spent nothing; SpentInVain for whatever
  // fails after the charge, `report` included.
  void Choose(
      const RandomnessSource& randomness,
      const std::function<void(size_t chosen, const std::optional<Bill>& bill)>&
          report);

  // Shows the custodian how probable each of those worth choosing was, which is
  // private; `names` has one for each candidate.
  void ShowProbabilities(const CustodianView& view,
                         const std::vector<std::string>& names) const;

 private:
  // Computes the figures of all candidates, and their utilities.
  void Compare(const Setting& setting,
               const std::vector<Regression>& candidates, Index folds,
               const Progress& progress);
  Cost cost() const;

  std::vector<std::string> columns_;
  std::string output_;
  std::vector<CandidateFigures> figures_;
  std::vector<size_t> worth_;
  PrivacyStatement privacy_;
  // Absent where the table is closed.
  std::optional<CandidateUtilities> utilities_;
  std::optional<SelectionMechanism> mechanism_;
  std::optional<LedgerCharge> ledger_;
};

// Plans a choice and the release of what is chosen as one, where whole rows are
// private: candidates are tried at random, about `tries` of them, each trained
// on one half of the rows and scored on the other, and the best is released
// (models/rows/selected_plan.h). `request` has the columns; `budget` is for all
// of it.
std::unique_ptr<Plan> PlanChoice(const Request& request,
                                 const std::vector<Regression>& candidates,
                                 const Budget& budget, Index tries,
                                 const Table& table);

}  // namespace cloak

#endif  // CLOAK_CUSTODIAN_MODEL_CHOICE_H_
