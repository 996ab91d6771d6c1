#include "cloak/models/outputs/adaptive_optimal.h"

#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "cloak/base/text.h"
#include "cloak/linalg/microaggregate.h"
#include "cloak/models/outputs/kept_rounds.h"
#include "cloak/models/outputs/optimal.h"
#include "cloak/models/release_parts.h"
#include "cloak/models/released_numbers.h"
#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {
namespace {

constexpr Index kMostTrustedInputs = 3;

}  // namespace

AdaptiveOptimalPlan::AdaptiveOptimalPlan(const SharedSetting& setting,
                                         const OptimalModel& model)
    : Plan(setting), model_(model) {
  summary_.method = "optimal";
  summary_.design = NameOf(PlanDesign::kBayes);
  summary_.privacy = StatementOf(*setting, model.options().budget);
  event_ = [mu = GaussianMu(model.options().budget)] {
    return GaussianEvent(mu);
  };
  summary_.privacy.mechanism =
      Text(std::size(kBudgetShares),
           " rounds of exact Gaussian releases, analytic calibration");
  summary_.rounds = static_cast<int>(std::size(kBudgetShares));
  summary_.rank_is_a_guess = !given();
  Foresee();
  CheckReleasable(Content(),
                  model_.BasisOf(model_.prior().Nodes().front().value));
}

// All rounds, as they will be if hyperparameters are as expected.
void AdaptiveOptimalPlan::Foresee() {
  const WindowedStatistics rounds(setting(), privacy_units(), model_);
  const Hyperparameters theta = model_.prior().Nodes().front().value;
  OutputStatistic& statistic = foreseen_;
  SharedBudget budget(model_.options().budget);
  for (const double share : kBudgetShares) {
    if (known_.empty()) {
      known_.push_back(rounds.First(share));
    } else {
      OutputBelief belief = Believe(model_, theta, statistic);
      belief.mean.resize(0);
      known_.push_back(rounds.Next(share, belief));
    }
    const WindowedStatistic& round = known_.back();
    budget.Spend(round.mechanism.noise().mu());
    const Vector nothing = Vector::Zero(round.mechanism.R().rows());
    AppendRound(model_, setting().PriorMean(), setting().bounds().width(),
                {round.mechanism.R(), Vector::Zero(model_.sites().count()),
                 round.half_width, nothing, round.mechanism.noise().sd()},
                /*share=*/1, {}, statistic);
    summary_.rank += nothing.size() + (round.mechanism.with_squares() ? 2 : 1);
  }
  summary_.privacy.sensitivity = known_.back().mechanism.noise().sensitivity();
  summary_.privacy.noise_sd = known_.back().mechanism.noise().sd();
  summary_.expected_sd = ExpectedSd(model_, theta, statistic);
  summary_.expected_sd_without_privacy =
      ExpectedSdWithoutPrivacy(model_, theta);
  if (model_.SitesArePublishable()) summary_.sites = model_.sites().count();
  if (!given()) known_.erase(known_.begin() + 1, known_.end());
  // The first round, which has its share of the budget.
  mechanism_ = &known_.front().mechanism;
}

// The lengthscales of many inputs are hardly learned from the first rounds, and
// a statistic that is designed for wrong ones never shows that they are: half
// of what counts is then what was believed of them beforehand.
std::vector<WeightedBelief> AdaptiveOptimalPlan::OtherBeliefs(
    const Conclusion& so_far) const {
  if (model_.options().kernel || setting().X().cols() <= kMostTrustedInputs) {
    return {};
  }
  std::vector<WeightedBelief> others;
  for (WeightedHyperparameters& node : model_.prior().Nodes()) {
    node.value.noise_variance = so_far.theta().noise_variance;
    others.push_back(
        {0.5 * node.weight, Believe(model_, node.value, so_far.statistic())});
  }
  return others;
}

Release AdaptiveOptimalPlan::Run(const PrivateRows& rows,
                                 Randomness& randomness,
                                 const ReleaseObserver& observer) const {
  const WindowedStatistics rounds(setting(), privacy_units(), model_);
  const RowSites& sites = model_.sites().of_rows();
  ReleaseContent content = Content();
  SharedBudget budget(model_.options().budget);
  Conclusion so_far(model_, setting().PriorMean(), setting().bounds().width());
  std::vector<PublishedRound> published;
  for (size_t j = 0; j < std::size(kBudgetShares); ++j) {
    setting().progress("releasing",
                       static_cast<double>(j) / std::size(kBudgetShares));
    if (j > 0) so_far.Add(published.back());
    const WindowedStatistic round =
        j < known_.size() ? known_[j]
                          : rounds.Next(kBudgetShares[j], so_far.belief(),
                                        OtherBeliefs(so_far));
    budget.Spend(round.mechanism.noise().mu());
    const Vector centres = rounds.Centres(round, so_far.belief().mean);
    observer(ObservedBy(
        round.mechanism, ReleaseName(j), sites.OfRows(centres),
        sites.OfRows(round.half_width),
        [&](const Secret<Vector>& outputs, Randomness& random) {
          return rounds.Publish(round, centres, outputs, random).noisy;
        }));
    const PublishedStatistic statistic =
        rounds.Publish(round, centres, rows.outputs(), randomness);
    AddStatistics(round.mechanism, statistic.noisy, ReleaseName(j) + ": ",
                  content);
    published.push_back(rounds.Read(round, statistic));
  }
  content.basis_points = model_.basis_points();
  content.posteriors = Conclude(model_, setting().PriorMean(),
                                setting().bounds().width(), published);
  if (model_.SitesArePublishable()) {
    content.sites = KeepRounds(model_, published);
  }
  return Release(std::move(content));
}

double AdaptiveOptimalPlan::ExpectedSdAt(const Matrix& places,
                                         const Vector& weights) const {
  return ExpectedSd(model_, model_.prior().Nodes().front().value, foreseen_,
                    places, weights);
}

namespace {

using Rounds = std::unique_ptr<AdaptiveOptimalPlan>;

// Sites of ten rows may cost this part of the expected error.
constexpr double kWorthSites = 0.01;

// Returns why no file can have the sites, whatever that would cost; nothing
// where it can.
std::string WhyNoSites(const Setting& setting, const OptimalOptions& options) {
  if (!options.keep_sites) return "left out, as was asked for";
  if (setting.open().units) {
    return Text("ten rows may be those of one '", setting.open().unit_name,
                "'");
  }
  if (setting.rows() < 2 * kLeastGroup) return "there are too few rows";
  return {};
}

}  // namespace

std::unique_ptr<Plan> PlanBestOptimal(const SharedSetting& setting,
                                      const OptimalOptions& options) {
  if (setting->HasLabels() || options.design != OptimalOptions::kBayes) {
    return std::make_unique<OptimalPlan>(setting, options);
  }
  const OptimalPlan one(setting, options, DesignPrecision::kRough);
  Rounds rounds = std::make_unique<AdaptiveOptimalPlan>(setting, one.model());
  const double expected = rounds->summary().expected_sd;
  if (!(expected < one.summary().expected_sd)) {
    auto certified = std::make_unique<OptimalPlan>(setting, options);
    if (!(expected < certified->summary().expected_sd)) return certified;
  }
  rounds->SayCostOfSites(one.summary().cost_of_sites);
  if (rounds->summary().sites > 0) return rounds;
  std::string why = WhyNoSites(*setting, options);
  if (why.empty()) {
    OptimalOptions of_ten_rows = options;
    of_ten_rows.sites.least_rows = kLeastGroup;
    OptimalModel model(setting, of_ten_rows);
    model.UseBasis(one.model().basis_points());
    Rounds kept = std::make_unique<AdaptiveOptimalPlan>(setting, model);
    kept->SayCostOfSites(one.summary().cost_of_sites);
    const double excess =
        kept->ExpectedSdAt(one.model().Places(), one.model().PlaceWeights()) /
            expected -
        1;
    if (excess <= kWorthSites) return kept;
    why = Text("sites of at least ", kLeastGroup, " rows would leave ",
               RoundedText(100 * excess, 2), " % more error");
  }
  rounds->SayNoSites(std::move(why));
  return rounds;
}

}  // namespace cloak
