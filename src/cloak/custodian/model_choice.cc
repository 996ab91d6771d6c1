#include "cloak/custodian/model_choice.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/custodian/pending_release.h"
#include "cloak/models/make_plan.h"
#include "cloak/models/outputs/linear_prediction.h"
#include "cloak/models/rows/selected_plan.h"
#include "cloak/selection/cross_validation.h"

namespace cloak {
namespace {

std::vector<size_t> RequireWorth(const std::vector<CandidateFigures>& figures,
                                 double width) {
  std::vector<size_t> worth = WorthChoosing(figures, width);
  RequireInput(!worth.empty(),
               "no candidate is worth choosing: the privacy noise of each "
               "has a standard deviation above ",
               RoundedText(width / std::sqrt(12.0)),
               ", as if nothing were known but the bounds\n"
               "Try longer lengthscales, fewer inducing points or a larger "
               "epsilon of the release.");
  return worth;
}

}  // namespace

ModelChoice::ModelChoice(const Request& request,
                         const std::vector<Regression>& candidates,
                         double epsilon, Index folds, const Table& table,
                         bool closed, const RandomnessSource& randomness,
                         const Progress& progress)
    : columns_(request.inputs), output_(request.OutputName()) {
  // Folds must not depend on the order that the table is in.
  const SortedSetting sorted = SortRows(*SettingOf(request, table));
  const Setting& setting = sorted.setting;
  if (!closed) {
    Randomness random = randomness();
    utilities_.emplace(sorted.order.Sorted(table.Private(output_), random));
  }
  PlanSafely([&] { Compare(setting, candidates, folds, progress); });
  worth_ = RequireWorth(figures_, setting.bounds().width());
  privacy_ = StatementOf(setting, epsilon, 0);
  privacy_.mechanism = "exponential mechanism";
  for (const size_t number : worth_) {
    privacy_.sensitivity =
        std::max(privacy_.sensitivity, figures_[number].sensitivity);
  }
  // Throws when it cannot be made, before anything is spent.
  mechanism_.emplace(privacy_.sensitivity, epsilon);
}

void ModelChoice::Compare(const Setting& setting,
                          const std::vector<Regression>& candidates,
                          Index folds, const Progress& progress) {
  const PrivacyUnits units = setting.UnitsOrRows();
  const std::vector<Fold> parts = DealFolds(units, folds);
  for (const Regression& candidate : candidates) {
    const auto done = static_cast<double>(figures_.size());
    const ResidualNorm norm(
        CrossValidate(setting, candidate, parts,
                      [&](std::string_view, double fraction) {
                        progress("comparing candidates",
                                 (done + fraction) /
                                     static_cast<double>(candidates.size()));
                      }),
        units, setting.bounds(), setting.PriorMean());
    figures_.push_back({norm.noise_sd(), norm.sensitivity()});
    if (utilities_) utilities_->Add(norm);
  }
}

// An exponential mechanism has a bounded range, which is charged half as much
// as any other mechanism of the same epsilon: at the same charge it has twice
// the epsilon.
Cost ModelChoice::cost() const {
  return {privacy_.unit.empty() ? Neighbours::kOutput : Neighbours::kUnit,
          BoundedRangeEvent(privacy_.epsilon),
          Text("choice of hyperparameters for ", output_, " given ",
               Join(columns_, ", "), "; epsilon ", privacy_.epsilon,
               ", bounds ", privacy_.lower, ":", privacy_.upper, ", ",
               figures_.size(), " candidates",
               privacy_.unit.empty() ? "" : Text(", unit ", privacy_.unit))};
}

std::optional<Bill> ModelChoice::Price() const {
  if (!ledger_) return {};
  return ledger_->Price(cost());
}

void ModelChoice::Choose(
    const RandomnessSource& randomness,
    const std::function<void(size_t, const std::optional<Bill>&)>& report) {
  if (!utilities_) throw Error("the outputs are closed: no choice can be made");
  RequireInput(worth_.size() > 1,
               "only one candidate is worth choosing, so that no choice need "
               "be paid for");
  ChargeThen(
      ledger_, [&] { return cost(); },
      [&](const std::optional<Bill>& bill) {
        Randomness random = randomness();
        const Index chosen = mechanism_->Select(utilities_->Of(worth_), random);
        report(worth_[static_cast<size_t>(chosen)], bill);
      });
}

void ModelChoice::ShowProbabilities(
    const CustodianView& view, const std::vector<std::string>& names) const {
  std::vector<std::string> worth_names;
  worth_names.reserve(worth_.size());
  for (const size_t number : worth_) worth_names.push_back(names[number]);
  view.ShowProbabilities(*mechanism_, utilities_->Of(worth_), worth_names);
}

std::unique_ptr<Plan> PlanChoice(const Request& request,
                                 const std::vector<Regression>& candidates,
                                 const Budget& budget, Index tries,
                                 const Table& table) {
  std::vector<PlanFactory> factories;
  factories.reserve(candidates.size());
  for (const Regression& candidate : candidates) {
    factories.emplace_back(
        [candidate](const SharedSetting& setting, const Budget& share) {
          Regression task = candidate;
          task.budget = share;
          return MakePlan(setting, task);
        });
  }
  SelectedPlanOptions options;
  options.repeats = NegativeBinomialRepeats(1, 1 / static_cast<double>(tries));
  std::unique_ptr<Plan> plan;
  PlanSafely([&] {
    plan = std::make_unique<SelectedPlan>(SettingOf(request, table), budget,
                                          factories, options);
  });
  return plan;
}

}  // namespace cloak
