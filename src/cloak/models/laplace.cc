#include "cloak/models/laplace.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/basis_candidates.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/smoother.h"
#include "cloak/models/inducing_points.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/directed.h"
#include "cloak/privacy/gaussian_mechanism.h"

namespace cloak {
namespace {

// What a basis may leave of f at the query points, and the most there can be. 4
// is the noise variance.
constexpr BasisSelectionOptions kBasis{.max_size = 800, .tolerance = 1e-6 * 4};

// A label far on the wrong side of a noisy f would count infinitely.
constexpr double kLeastCurvature = 1e-4;

// One of the two halves of a budget's μ², and so little less that rounding
// cannot make them more than the whole.
double HalfBudgetSigma(const Budget& budget) {
  return GaussianSigma(budget) * std::numbers::sqrt2 * (1 + 0x1p-40);
}

// Regression with these noise variances.
LinearSmoother SmootherForClasses(const PlanSetting& setting,
                                  const LaplaceOptions& options,
                                  const Vector& noise) {
  const Threads& threads = setting.threads;
  if (options.inducing) {
    const Basis basis(options.kernel,
                      InducingPoints(setting, *options.inducing), threads);
    return InducingSmoother(basis, {basis.Features(setting.X), noise}, threads);
  }
  const ExactGp gp(options.kernel, noise, setting.X, threads);
  const Matrix Z =
      options.query_points
          ? SelectBasisPoints(options.kernel, *options.query_points, threads,
                              kBasis)
          : SelectBasisPoints(options.kernel, BasisCandidates(setting.X),
                              threads, kBasis);
  return ExactSmoother(gp, Basis(options.kernel, Z, threads));
}

// The step from f = 0.
LinearSmoother FirstSmoother(const PlanSetting& setting,
                             const LaplaceOptions& options) {
  LinearSmoother smoother = SmootherForClasses(
      setting, options, Vector::Constant(setting.X.rows(), 4));
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
std::unique_ptr<CloakingPlan> PlanStep(const PlanSetting& setting,
                                       const LaplaceOptions& options,
                                       const LinearSmoother& smoother,
                                       double least_sigma) {
  return std::make_unique<CloakingPlan>(
      setting, smoother, options.query_points.value_or(setting.X),
      CloakingOptions{.method = options.method,
                      .design = options.design,
                      .published_noise = options.published_noise,
                      .least_sigma = least_sigma});
}

}  // namespace

std::unique_ptr<Plan> PlanNewtonStep(const PlanSetting& setting,
                                     const LaplaceOptions& options) {
  return PlanStep(setting, options, FirstSmoother(setting, options), 0);
}

TwoNewtonSteps::TwoNewtonSteps(const PlanSetting& setting,
                               const LaplaceOptions& options)
    : setting_(setting),
      options_(options),
      first_(PlanStep(setting, options, FirstSmoother(setting, options),
                      HalfBudgetSigma(setting.budget))),
      summary_(first_->summary()) {
  summary_.rounds = 2;
  summary_.privacy.mechanism =
      "two exact Gaussian releases, analytic calibration";
}

PrivacyEvent TwoNewtonSteps::event() const {
  return GaussianEvent(GaussianMu(setting_.budget));
}

Release TwoNewtonSteps::Execute(const PrivateRows& rows,
                                Randomness& randomness) const {
  return ExecuteObserved(rows, randomness, NoObserver);
}

Release TwoNewtonSteps::ExecuteObserved(const PrivateRows& rows,
                                        Randomness& randomness,
                                        const ReleaseObserver& observer) const {
  const auto show_step = [&](const std::string& name) {
    return [&observer, name](const ObservedRelease& step) {
      ObservedRelease named = step;
      named.name = name;
      observer(named);
    };
  };
  const Release before =
      first_->ExecuteObserved(rows, randomness, show_step(kFirstStep));

  // Public, like everything that a mechanism returned.
  const Vector f =
      before.Predict(setting_.X, {.latent = true}, setting_.threads).mean;
  const Eigen::ArrayXd pi = (1 + (-f.array()).exp()).inverse();
  const Eigen::ArrayXd W = (pi * (1 - pi)).max(kLeastCurvature);
  LinearSmoother smoother =
      SmootherForClasses(setting_, options_, W.inverse().matrix());
  const Vector drift = smoother.B * (f.array() + (0.5 - pi) / W).matrix();
  smoother.B = (smoother.B * (2 * W).inverse().matrix().asDiagonal()).eval();

  const auto second =
      PlanStep(setting_, options_, smoother, HalfBudgetSigma(setting_.budget));
  const double spent = SumUp(SquareUp(first_->mechanism()->mu()),
                             SquareUp(second->mechanism()->mu()));
  const double mu = GaussianMu(setting_.budget);
  RequirePrivacy(spent <= mu * mu * (1 - 0x1p-50),
                 "two Newton steps would cost more than their budget");

  ReleaseContent content =
      second->ExecuteObserved(rows, randomness, show_step(kSecondStep))
          .content();
  content.privacy.mechanism = summary_.privacy.mechanism;
  JoinStatistics(before.content(), content);
  content.posteriors.front().mean += drift;
  return Release(std::move(content));
}

}  // namespace cloak
