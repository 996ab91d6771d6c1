#include "cloak/models/outputs/laplace.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/basis_candidates.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/smoother.h"
#include "cloak/models/adaptive_releases.h"
#include "cloak/models/outputs/cloaking.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/gaussian_mechanism.h"

namespace cloak {
namespace {

// A basis has at most so many points, and may leave so much of f at the query
// points. 4 is the noise variance.
constexpr BasisSelectionOptions kBasis{.max_size = 800, .tolerance = 1e-6 * 4};

// A label far on the wrong side of a noisy f would count infinitely.
constexpr double kLeastCurvature = 1e-4;

// One of the two halves of a budget's μ², and so little less that rounding
// cannot make them more than the whole.
double HalfBudgetSigma(const Budget& budget) {
  return GaussianSigma(budget) * std::numbers::sqrt2 * (1 + 0x1p-40);
}

// Regression with these noise variances.
LinearSmoother SmootherForClasses(const Setting& setting,
                                  const Classification& task,
                                  const Vector& noise) {
  const Threads& threads = setting.threads;
  const Kernel& kernel = *task.kernel;
  if (task.method == Classification::kLaplaceSparse) {
    const Basis basis(kernel, InducingPoints(setting, task.inducing), threads);
    return InducingSmoother(basis, {basis.Features(setting.X()), noise},
                            threads);
  }
  const ExactGp gp(kernel, noise, setting.X(), threads);
  const Matrix Z =
      task.query_points
          ? SelectBasisPoints(kernel, *task.query_points, threads, kBasis)
          : SelectBasisPoints(kernel, BasisCandidates(setting.X()), threads,
                              kBasis);
  return ExactSmoother(gp, Basis(kernel, Z, threads));
}

// The step from f = 0.
LinearSmoother FirstSmoother(const Setting& setting,
                             const Classification& task) {
  LinearSmoother smoother =
      SmootherForClasses(setting, task, Vector::Constant(setting.rows(), 4));
  smoother.B *= 2;
  return smoother;
}

constexpr char kFirstStep[] = "step 1 of 2";
constexpr char kSecondStep[] = "step 2 of 2";

void NameStep(const std::string& step, ReleasedStatistic& statistic) {
  if (statistic.cost) statistic.cost->of = Text(step, ": ", statistic.cost->of);
}

// Puts all that the first step published before what the second did.
void JoinStatistics(ReleaseContent first, ReleaseContent& second) {
  std::vector<ReleasedStatistic> earlier = std::move(first.earlier_statistics);
  earlier.push_back(std::move(first.statistic));
  for (ReleasedStatistic& statistic : earlier) {
    NameStep(kFirstStep, statistic);
  }
  for (ReleasedStatistic& statistic : second.earlier_statistics) {
    NameStep(kSecondStep, statistic);
    earlier.push_back(std::move(statistic));
  }
  NameStep(kSecondStep, second.statistic);
  second.earlier_statistics = std::move(earlier);
}

// A step as a plan: what it makes of the labels, and what it adds to that.
std::unique_ptr<CloakingPlan> PlanStep(const SharedSetting& setting,
                                       const Classification& task,
                                       const LinearSmoother& smoother,
                                       double least_sigma) {
  return std::make_unique<CloakingPlan>(
      setting, smoother, task.query_points.value_or(setting->X()),
      CloakingOptions{.budget = task.budget,
                      .method = NameOf(task.method),
                      .design = task.design == PlanDesign::kTrace
                                    ? CloakingDesign::kTrace
                                    : CloakingDesign::kVolume,
                      .published_noise = task.published_noise,
                      .least_sigma = least_sigma});
}

}  // namespace

std::unique_ptr<Plan> PlanNewtonStep(const SharedSetting& setting,
                                     const Classification& task) {
  return PlanStep(setting, task, FirstSmoother(*setting, task), 0);
}

TwoNewtonSteps::TwoNewtonSteps(const SharedSetting& setting,
                               const Classification& task)
    : Plan(setting),
      task_(task),
      first_(PlanStep(setting, task, FirstSmoother(*setting, task),
                      HalfBudgetSigma(task.budget))) {
  summary_ = first_->summary();
  summary_.rounds = 2;
  // The second step releases about as many numbers as the first.
  summary_.rank *= 2;
  summary_.rank_is_a_guess = true;
  summary_.privacy.mechanism =
      "two exact Gaussian releases, analytic calibration";
  event_ = [mu = GaussianMu(task.budget)] { return GaussianEvent(mu); };
}

Release TwoNewtonSteps::Run(const PrivateRows& rows, Randomness& randomness,
                            const ReleaseObserver& observer) const {
  const auto show_step = [&](const std::string& name) {
    return [&observer, name](const ObservedRelease& step) {
      ObservedRelease named = step;
      named.name = name;
      observer(named);
    };
  };
  const Release before =
      first_->Execute(rows, randomness, show_step(kFirstStep));

  // Public, like everything that a mechanism returned.
  const Vector f =
      before.Predict(setting().X(), {.latent = true}, setting().threads).mean;
  const Eigen::ArrayXd pi = (1 + (-f.array()).exp()).inverse();
  const Eigen::ArrayXd W = (pi * (1 - pi)).max(kLeastCurvature);
  LinearSmoother smoother =
      SmootherForClasses(setting(), task_, W.inverse().matrix());
  const Vector drift = smoother.B * (f.array() + (0.5 - pi) / W).matrix();
  smoother.B = (smoother.B * (2 * W).inverse().matrix().asDiagonal()).eval();

  const auto second = PlanStep(shared_setting(), task_, smoother,
                               HalfBudgetSigma(task_.budget));
  SharedBudget budget(task_.budget);
  budget.Spend(first_->mechanism()->noise().mu());
  budget.Spend(second->mechanism()->noise().mu());

  ReleaseContent content =
      second->Execute(rows, randomness, show_step(kSecondStep)).content();
  content.privacy.mechanism = summary_.privacy.mechanism;
  JoinStatistics(before.content(), content);
  content.posteriors.front().mean += drift;
  return Release(std::move(content));
}

}  // namespace cloak
