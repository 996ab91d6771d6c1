#include "cloak/models/gaussian_plan.h"

#include <utility>

#include "cloak/models/present_share.h"
#include "cloak/models/released_numbers.h"
#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {
namespace {

const PlanSetting& ValidGaussian(const PlanSetting& setting) {
  setting.Validate();
  return setting;
}

}  // namespace

GaussianPlan::GaussianPlan(const PlanSetting& setting)
    : setting_(ValidGaussian(setting)), units_(setting.UnitsOrRows()) {
  if (!setting.classes.empty()) summary_.task = "classification";
  summary_.privacy = StatementOf(setting);
}

double GaussianPlan::UnitNoise() const {
  return GaussianSigma(setting_.budget) * setting_.bounds.width();
}

void GaussianPlan::ChooseStatistic(const NoiseDesign& design,
                                   double least_sigma) {
  mechanism_ = std::make_unique<GaussianMechanism>(
      design.R, units_, setting_.bounds, setting_.budget, least_sigma);
  summary_.rank = design.R.rows() + 1;
  summary_.certified_gap = design.gap;
  summary_.privacy.mechanism =
      least_sigma > 0 ? "exact Gaussian release, published calibration"
                      : "exact Gaussian release, analytic calibration";
  summary_.privacy.sensitivity = mechanism_->sensitivity();
  summary_.privacy.noise_sd = mechanism_->noise_sd();
}

PrivacyEvent GaussianPlan::event() const {
  return GaussianEvent(mechanism_->mu());
}

Release GaussianPlan::Execute(const PrivateRows& rows,
                              Randomness& randomness) const {
  return ExecuteObserved(rows, randomness, NoObserver);
}

Release GaussianPlan::ExecuteObserved(const PrivateRows& rows,
                                      Randomness& randomness,
                                      const ReleaseObserver& observer) const {
  const Index count = setting_.X.rows();
  observer(
      ObservedBy(*mechanism_, "the release",
                 Vector::Constant(count, setting_.bounds.middle()),
                 Vector::Constant(count, setting_.bounds.width() / 2),
                 [this](const Secret<Vector>& outputs, Randomness& random) {
                   return mechanism_->Release(outputs, random);
                 }));
  NoisyStatistic noisy = mechanism_->Release(rows.outputs(), randomness);

  // From here on everything is post-processing of what was released.
  const double share = PresentShare({{noisy.present, noisy.present_noise_sd}});
  noisy.value /= share;
  noisy.noise_sd /= share;
  noisy.value -= (setting_.PriorMean() - setting_.bounds.middle()) *
                 mechanism_->R().rowwise().sum();
  ReleaseContent content = ContentOf(setting_, summary_);
  AddStatistics(*mechanism_, noisy, "", content);
  Infer(noisy, share, content);
  return Release(std::move(content));
}

}  // namespace cloak
