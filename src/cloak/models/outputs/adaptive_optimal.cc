#include "cloak/models/outputs/adaptive_optimal.h"

#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "cloak/base/text.h"
#include "cloak/models/nuisance_parameters.h"
#include "cloak/models/outputs/optimal.h"
#include "cloak/models/release_parts.h"
#include "cloak/models/released_numbers.h"
#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {
namespace {

// How often beliefs about f and about the noise of an observation, which
// depend on each other, are brought in line.
constexpr int kOutputPasses = 2;

constexpr Index kMostTrustedInputs = 3;

}  // namespace

// All that is known in the course of a release. It is public.
struct AdaptiveOptimalPlan::State {
  State(const HyperPrior& beforehand, Index sites)
      : prior(beforehand), theta(beforehand.Nodes().front().value) {
    belief.mean = Vector::Zero(sites);
  }

  std::vector<WindowedStatistic> rounds;
  std::vector<PublishedStatistic> published;
  double share = 1;  // of the outputs, that are not missing
  OutputStatistic statistic;
  HyperPrior prior;  // with the noise variance, as far as it is known
  Hyperparameters theta;
  std::optional<Vector> mode;  // theta in the coordinates of the prior
  OutputBelief belief;         // before the first round, its mean alone
};

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
  OutputStatistic statistic;
  SharedBudget budget(model_.options().budget);
  for (const double share : kBudgetShares) {
    known_.push_back(
        known_.empty() ? rounds.First(share)
                       : rounds.Next(share, Believe(model_, theta, statistic)));
    const WindowedStatistic& round = known_.back();
    budget.Spend(round.mechanism.noise().mu());
    const Vector nothing = Vector::Zero(round.mechanism.R().rows());
    rounds.Append(round, {Vector::Zero(model_.sites().count()), {{}, nothing}},
                  /*share=*/1, {}, statistic);
    summary_.rank += nothing.size() + (round.mechanism.with_squares() ? 2 : 1);
  }
  summary_.privacy.sensitivity = known_.back().mechanism.noise().sensitivity();
  summary_.privacy.noise_sd = known_.back().mechanism.noise().sd();
  summary_.expected_sd = ExpectedSd(model_, theta, statistic);
  summary_.expected_sd_without_privacy =
      ExpectedSdWithoutPrivacy(model_, theta);
  if (!given()) known_.erase(known_.begin() + 1, known_.end());
  // The first round, which has its share of the budget.
  mechanism_ = &known_.front().mechanism;
}

// Post-processing of what the rounds so far published.
void AdaptiveOptimalPlan::Learn(const WindowedStatistics& rounds,
                                State& state) const {
  const OptimalOptions& options = model_.options();
  const auto believe = [&] {
    HyperparameterMode mode =
        model_.MostProbable(state.prior, state.statistic, state.mode);
    state.theta = std::move(mode.value);
    state.mode = std::move(mode.z);
    state.belief = Believe(model_, state.theta, state.statistic);
  };
  if (options.noise_variance) {
    believe();
    return;
  }
  state.belief = Believe(model_, state.theta, state.statistic);
  for (int pass = 0; pass < kOutputPasses; ++pass) {
    std::vector<NoisySquares> squares;
    for (size_t j = 0; j < state.rounds.size(); ++j) {
      squares.push_back(rounds.Squares(state.rounds[j], state.published[j],
                                       state.share, state.belief));
    }
    state.prior =
        HyperPrior(setting().X(), setting().bounds().width(), options.kernel,
                   EstimateNoise(model_.prior(), squares));
    believe();
  }
}

// Reads all that was published as one statistic, by what is known of how many
// outputs are missing and, for the noise that these add, of the outputs.
void AdaptiveOptimalPlan::Gather(const WindowedStatistics& rounds,
                                 State& state) const {
  std::vector<NoisyShare> shares;
  state.statistic = {};
  for (const PublishedStatistic& published : state.published) {
    shares.push_back(
        {published.noisy.present, published.noisy.present_noise_sd});
  }
  state.share = PresentShare(shares);
  for (size_t j = 0; j < state.rounds.size(); ++j) {
    rounds.Append(state.rounds[j], state.published[j], state.share,
                  state.belief, state.statistic);
  }
}

// The lengthscales of many inputs are hardly learned from the first rounds, and
// a statistic that is designed for wrong ones never shows that they are: half
// of what counts is then what was believed of them beforehand.
std::vector<WeightedBelief> AdaptiveOptimalPlan::OtherBeliefs(
    const State& state) const {
  if (model_.options().kernel || setting().X().cols() <= kMostTrustedInputs) {
    return {};
  }
  std::vector<WeightedBelief> others;
  for (WeightedHyperparameters& node : model_.prior().Nodes()) {
    node.value.noise_variance = state.theta.noise_variance;
    others.push_back(
        {0.5 * node.weight, Believe(model_, node.value, state.statistic)});
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
  State state(model_.prior(), model_.sites().count());
  for (size_t j = 0; j < std::size(kBudgetShares); ++j) {
    setting().progress("releasing",
                       static_cast<double>(j) / std::size(kBudgetShares));
    state.rounds.push_back(
        j < known_.size()
            ? known_[j]
            : rounds.Next(kBudgetShares[j], state.belief, OtherBeliefs(state)));
    const WindowedStatistic& round = state.rounds.back();
    budget.Spend(round.mechanism.noise().mu());
    const Vector centres = rounds.Centres(round, state.belief.mean);
    observer(ObservedBy(
        round.mechanism, ReleaseName(j), sites.OfRows(centres),
        sites.OfRows(round.half_width),
        [&](const Secret<Vector>& outputs, Randomness& random) {
          return rounds.Publish(round, centres, outputs, random).noisy;
        }));
    state.published.push_back(
        rounds.Publish(round, centres, rows.outputs(), randomness));
    const PublishedStatistic& published = state.published.back();
    AddStatistics(round.mechanism, published.noisy, ReleaseName(j) + ": ",
                  content);
    Gather(rounds, state);
    Learn(rounds, state);
    if (state.share == 1) continue;
    Gather(rounds, state);
    Learn(rounds, state);
  }
  content.basis_points = model_.basis_points();
  for (const WeightedHyperparameters& theta :
       model_.Learn(state.prior, state.statistic)) {
    content.posteriors.push_back(model_.Conditioned(theta, state.statistic));
  }
  return Release(std::move(content));
}

std::unique_ptr<Plan> PlanBestOptimal(const SharedSetting& setting,
                                      const OptimalOptions& options) {
  auto one = std::make_unique<OptimalPlan>(setting, options);
  if (setting->HasLabels() || options.design != OptimalOptions::kBayes) {
    return one;
  }
  auto rounds = std::make_unique<AdaptiveOptimalPlan>(setting, one->model());
  if (rounds->summary().expected_sd < one->summary().expected_sd) return rounds;
  return one;
}

}  // namespace cloak
