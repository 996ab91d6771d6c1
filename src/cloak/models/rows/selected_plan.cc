#include "cloak/models/rows/selected_plan.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/row_order.h"
#include "cloak/models/rows/validation_score.h"

namespace cloak {
namespace {

void ValidateSelection(const Setting& setting, size_t candidates) {
  setting.Validate();
  RequireInput(!setting.HasLabels(),
               "private selection is for numbers, not for labels");
  RequireInput(setting.rows() >= 4,
               "private selection needs at least 4 rows, to train on one "
               "half and to score on the other, but there are ",
               setting.rows());
  RequireInput(candidates >= 1, "there must be at least one candidate");
}

SharedSetting SettingOf(const Setting& setting, Index rows) {
  Setting part = setting;
  std::get<PrivateInputs>(part.inputs).rows = rows;
  part.progress = NoProgress;
  return std::make_shared<const Setting>(std::move(part));
}

// How many rows there are is public.
Secret<Vector> Part(const Secret<Vector>& column,
                    const std::vector<Index>& rows, Index count) {
  return column.Map(
      [](const Vector& all, const std::vector<Index>& part,
         Index expected) -> Vector {
        RequireInput(all.size() == expected, "the plan is for ", expected,
                     " rows, but a column has ", all.size());
        return all(part);
      },
      rows, count);
}

PrivateRows Part(const PrivateRows& all, const std::vector<Index>& rows,
                 Index count) {
  std::vector<Secret<Vector>> inputs;
  for (const Secret<Vector>& column : all.inputs()) {
    inputs.push_back(Part(column, rows, count));
  }
  return {std::move(inputs), Part(all.outputs(), rows, count)};
}

void RequireCost(const Plan& plan, double most) {
  const PrivacyEvent event = plan.event();
  const auto* gaussian = std::get_if<GaussianEvent>(&event);
  RequirePrivacy(gaussian != nullptr && gaussian->mu() <= most &&
                     plan.neighbours() == Neighbours::kRow,
                 "a candidate costs ", ToString(event),
                 ", which is not within gaussian(mu=", most,
                 ") for whole rows; nothing was released");
}

// Copies the statement of the winning candidate into that of the selection.
void DescribeBest(const PrivacyStatement& candidate, PrivacyStatement& best) {
  best.mechanism =
      Text("the best of a random number of private candidates, this one by ",
           candidate.mechanism);
  best.sensitivity = candidate.sensitivity;
  best.noise_sd = candidate.noise_sd;
  best.in_half_widths = candidate.in_half_widths;
}

// One draw; the worst there is when it fails, in whatever way. Whether it does
// depends on what was released, also where a mechanism of a later round refuses
// what an earlier one led to, and that must not be seen of a candidate which is
// not the best. (When random numbers fail, so does all that follows.)
template <typename F>
ScoredRelease Quietly(const F& draw) {
  try {
    return draw();
  } catch (const std::exception&) {
    return {{}, -std::numeric_limits<double>::infinity()};
  }
}

}  // namespace

SelectedPlan::SelectedPlan(const SharedSetting& setting, const Budget& budget,
                           const std::vector<PlanFactory>& candidates,
                           const SelectedPlanOptions& options)
    : Plan(setting),
      options_(options),
      cost_(CostOfSelection(budget, options.repeats, options.accounting)),
      training_rows_((setting->rows() + 1) / 2) {
  ValidateSelection(*setting, candidates.size());
  const SharedSetting training = SettingOf(*setting, training_rows_);
  for (const PlanFactory& make : candidates) {
    plans_.push_back(make(training, cost_.candidate));
    RequireCost(*plans_.back(), cost_.candidate_mu);
  }
  // Of the candidate that expects most of itself.
  const auto best = std::min_element(
      plans_.begin(), plans_.end(), [](const auto& a, const auto& b) {
        return a->summary().expected_sd < b->summary().expected_sd;
      });
  summary_ = (*best)->summary();
  const PrivacyStatement candidate = summary_.privacy;
  summary_.privacy = StatementOf(*setting, budget);
  DescribeBest(candidate, summary_.privacy);
  summary_.privacy.event = ToString(cost_.event);
  event_ = [this] { return cost_.event; };
}

Release SelectedPlan::Run(const PrivateRows& rows, Randomness& randomness,
                          const ReleaseObserver& /*observer*/) const {
  const Index count = setting().rows();
  const Index inputs = setting().lower().size();
  RequireInput(static_cast<Index>(rows.inputs().size()) == inputs,
               "the plan is for ", inputs, " inputs, but there are ",
               rows.inputs().size());
  const std::vector<Index> order = RandomPermutation(count, randomness);
  const auto middle = order.begin() + training_rows_;
  const PrivateRows training = Part(rows, {order.begin(), middle}, count);
  const PrivateRows validation = Part(rows, {middle, order.end()}, count);
  const SharedSetting scoring = SettingOf(setting(), count - training_rows_);
  const auto draw = [&](size_t candidate, Randomness& random) {
    return Quietly([&]() -> ScoredRelease {
      Release release = plans_[candidate]->Execute(training, random);
      const double score =
          ValidationScore(release, validation, *scoring, cost_.candidate,
                          options_.score, random);
      return {std::move(release), score};
    });
  };
  const std::optional<ScoredRelease> best =
      SelectPrivately(plans_.size(), options_.repeats, draw, randomness);
  if (!best) {
    throw Error(
        "the number of candidates that was drawn is 0, whatever the data are; "
        "nothing was released");
  }
  if (!best->release) {
    throw Error("no candidate could be computed; nothing was released");
  }
  ReleaseContent content = best->release->content();
  const PrivacyStatement candidate = content.privacy;
  content.privacy = summary_.privacy;
  DescribeBest(candidate, content.privacy);
  return Release(std::move(content));
}

}  // namespace cloak
