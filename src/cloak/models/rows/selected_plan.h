#ifndef CLOAK_MODELS_ROWS_SELECTED_PLAN_H_
#define CLOAK_MODELS_ROWS_SELECTED_PLAN_H_

#include <functional>
#include <memory>
#include <vector>

#include "cloak/models/plan.h"
#include "cloak/models/setting.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/coinpress_mean.h"
#include "cloak/selection/private_selection.h"

namespace cloak {

// Returns what a release is worth on rows that it was not trained on: the mean
// of their log densities under its predictions (Honkela and Melkas 2021,
// equation 21), estimated privately by COINPRESS from the interval
//   centre −½ log 2π − log σ − R_y²/σ²,  radius R_y²/σ²
// (their equations 34 and 35), σ² being the noise variance of the release and
// R_y the farthest that an output can be from its offset. An estimate outside
// the interval counts as minus infinity, that is as worse than all others: the
// paper compares the sum over rows with the bounds of one, a misprint.
//
// The cost is that of `budget`, towards the rows given. `setting` is of those
// rows.
double ValidationScore(const Release& release, const PrivateRows& rows,
                       const Setting& setting, const Budget& budget,
                       const CoinpressOptions& options, Randomness& random);

// A plan for some hyperparameters, given the public setting of the rows it is
// to be trained on and what it may cost.
using PlanFactory = std::function<std::unique_ptr<Plan>(
    const SharedSetting& setting, const Budget& budget)>;

struct SelectedPlanOptions {
  Repeats repeats = NegativeBinomialRepeats(1, 0.01);
  SelectionAccounting accounting = SelectionAccounting::kRenyi;
  // Honkela and Melkas's. The deviation is that of the log densities of new
  // observations, 0.7 where the model is right.
  CoinpressOptions score = {.steps = 12, .last_share = 0.75, .deviation = 1};
};

// Regression on private rows whose hyperparameters are chosen by private
// selection (private_selection.h; Honkela and Melkas 2021, Algorithm 2): each
// draw trains one of the candidates on one half of the rows and scores it by
// the mean log density of the outputs of the other half, estimated by
// COINPRESS. What is released is the best model, trained on its half.
//
// The halves are drawn afresh for each release, before any row is read: they
// depend neither on the rows nor on the order they come in. The promise holds
// for each way to halve them, and so for all of them.
class SelectedPlan : public Plan {
 public:
  // Throws InvalidInput when the setting is not valid, there is no candidate,
  // there are fewer than four rows or the budget is too small; PrivacyFailure
  // when a plan costs more than a candidate may.
  SelectedPlan(const SharedSetting& setting, const Budget& budget,
               const std::vector<PlanFactory>& candidates,
               const SelectedPlanOptions& options);

  // Returns what training and scoring cost, each.
  const SelectionCost& cost() const { return cost_; }

 private:
  // Throws Error when the number of candidates drawn was 0, which depends on
  // no data and happens with Poisson repeats only.
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override;

  SelectedPlanOptions options_;
  SelectionCost cost_;
  Index training_rows_;
  std::vector<std::unique_ptr<Plan>> plans_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_SELECTED_PLAN_H_
