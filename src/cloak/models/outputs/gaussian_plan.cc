#include "cloak/models/outputs/gaussian_plan.h"

#include <utility>

#include "cloak/models/nuisance_parameters.h"
#include "cloak/models/released_numbers.h"
#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {

GaussianPlan::GaussianPlan(const SharedSetting& setting, const Budget& budget)
    : Plan(setting), budget_(budget) {
  setting->Validate();
  if (setting->HasLabels()) summary_.task = TaskKind::kClassification;
  summary_.privacy = StatementOf(*setting, budget);
}

double GaussianPlan::UnitNoise() const {
  return GaussianSigma(budget_) * setting().bounds().width();
}

void GaussianPlan::ChooseStatistic(const NoiseDesign& design,
                                   double least_sigma) {
  ChooseStatistic(design, RowSites::EachRow(setting().rows()), least_sigma);
}

void GaussianPlan::ChooseStatistic(const NoiseDesign& design,
                                   const RowSites& sites, double least_sigma) {
  statistic_ = std::make_unique<GaussianMechanism>(
      design.R, sites, privacy_units(), setting().bounds(), budget_,
      least_sigma);
  mechanism_ = statistic_.get();
  event_ = [mu = mechanism_->noise().mu()] { return GaussianEvent(mu); };
  summary_.rank = design.R.rows() + 1;
  summary_.certified_gap = design.gap;
  summary_.privacy.mechanism =
      least_sigma > 0 ? "exact Gaussian release, published calibration"
                      : "exact Gaussian release, analytic calibration";
  summary_.privacy.sensitivity = mechanism_->noise().sensitivity();
  summary_.privacy.noise_sd = mechanism_->noise().sd();
}

Release GaussianPlan::Run(const PrivateRows& rows, Randomness& randomness,
                          const ReleaseObserver& observer) const {
  const Index count = setting().rows();
  const OutputBounds bounds = setting().bounds();
  observer(ObservedBy(
      *mechanism_, "the release", Vector::Constant(count, bounds.middle()),
      Vector::Constant(count, bounds.width() / 2),
      [this](const Secret<Vector>& outputs, Randomness& random) {
        return mechanism_->Release(outputs, random);
      }));
  NoisyStatistic noisy = mechanism_->Release(rows.outputs(), randomness);

  // From here on everything is post-processing of what was released.
  const double share = PresentShare({{noisy.present, noisy.present_noise_sd}});
  noisy.value /= share;
  noisy.noise_sd /= share;
  noisy.value -= (setting().PriorMean() - bounds.middle()) *
                 (mechanism_->R() * mechanism_->sites().Sizes());
  ReleaseContent content = Content();
  AddStatistics(*mechanism_, noisy, "", content);
  Infer(noisy, share, content);
  return Release(std::move(content));
}

}  // namespace cloak
