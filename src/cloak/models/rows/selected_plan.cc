#include "cloak/models/rows/selected_plan.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/row_order.h"

namespace cloak {
namespace {

double ClipNumber(double value, double lower, double upper) {
  return std::isnan(value) ? lower + (upper - lower) / 2
                           : std::clamp(value, lower, upper);
}

// The log density of each output, for columns of inputs and, last, outputs. No
// error: every number is within its range. A row of which a cell is missing
// favours no candidate: its output counts as spread evenly over the bounds.
Matrix LogDensities(const std::vector<Vector>& columns, const Release& release,
                    const Setting& setting) {
  const auto inputs = static_cast<Index>(columns.size()) - 1;
  const Vector& outputs = columns.back();
  Matrix X(outputs.size(), inputs);
  for (Index j = 0; j < inputs; ++j) {
    X.col(j) = columns[static_cast<size_t>(j)].unaryExpr([&](double x) {
      return ClipNumber(x, setting.lower()(j), setting.upper()(j));
    });
  }
  const Predictions predictions = release.Predict(X, {}, setting.threads);
  Matrix densities(outputs.size(), 1);
  for (Index i = 0; i < outputs.size(); ++i) {
    const bool missing =
        std::any_of(columns.begin(), columns.end(),
                    [i](const Vector& cells) { return std::isnan(cells(i)); });
    if (missing) {
      densities(i, 0) = -std::log(setting.bounds().width());
      continue;
    }
    const double y = ClipNumber(outputs(i), setting.bounds().lower(),
                                setting.bounds().upper());
    const double z = (y - predictions.mean(i)) / predictions.sd(i);
    densities(i, 0) = -0.5 * std::log(2 * std::numbers::pi) -
                      std::log(predictions.sd(i)) - z * z / 2;
  }
  return densities;
}

double NoiseVariance(const Release& release, double scale) {
  double variance = 0;
  for (const Posterior& posterior : release.content().posteriors) {
    variance += posterior.weight * posterior.noise_variance;
  }
  // So that the interval below always exists: an error would tell of a release
  // that may never be shown.
  return std::isfinite(variance) ? std::max(variance, 1e-9 * scale * scale)
                                 : scale * scale;
}

void ValidateSelection(const Setting& setting, size_t candidates) {
  setting.Validate();
  RequireInput(setting.ProtectsRows(),
               "private selection protects whole rows: "
               "the inputs must be private");
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

double ValidationScore(const Release& release, const PrivateRows& rows,
                       const Setting& setting, const Budget& budget,
                       const CoinpressOptions& options, Randomness& random) {
  const double offset = release.content().offset;
  const double farthest = std::max(std::abs(setting.bounds().upper() - offset),
                                   std::abs(offset - setting.bounds().lower()));
  const double variance = NoiseVariance(release, farthest);
  const double radius = std::max(farthest * farthest / variance, 1e-9);
  const double largest =
      -0.5 * std::log(2 * std::numbers::pi) - std::log(variance) / 2;
  const double centre = largest - radius;
  const CoinpressMean mechanism(setting.rows(), Vector::Constant(1, centre),
                                radius, budget, options);
  std::vector<Secret<Vector>> columns = rows.inputs();
  columns.push_back(rows.outputs());
  const Secret<Matrix> densities = Secret<Vector>::Together(columns).Map(
      [](const std::vector<Vector>& cells, const Release& model,
         const Setting& ranges) { return LogDensities(cells, model, ranges); },
      release, setting);
  const double mean = mechanism.Release(densities, random).mean(0);
  return std::abs(mean - centre) <= radius
             ? mean
             : -std::numeric_limits<double>::infinity();
}

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
  // The summary is that of the candidate that expects the smallest error.
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
