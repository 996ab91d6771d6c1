#include "cloak/privacy/svm_mechanism.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/hinge_dual.h"
#include "cloak/privacy/hinge_solver.h"
#include "cloak/privacy/integer_moments.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/scratch.h"

namespace cloak {
namespace {

constexpr Index kSvmBlockRows = 512;
constexpr auto kA = static_cast<Uint128>(HingeDual::kLargestWeight);
constexpr auto kK = static_cast<Uint128>(kLargestFeatures);
// 2 √(2 G), an integer.
constexpr Uint128 kStoppingEarly = Uint128{1} << 53;
constexpr Uint128 kDelta = 2 * kA * kK + kStoppingEarly;
static_assert(static_cast<double>(kStoppingEarly) *
                  static_cast<double>(kStoppingEarly) >=
              8 * HingeDual::kGapTarget);
static_assert(kDelta < (Uint128{1} << 63));

const SvmSetting& ValidSvm(const SvmSetting& setting) {
  RequireInput(
      setting.features >= 1 && setting.features <= SvmMechanism::kMaxFeatures,
      "there must be from 1 to ", SvmMechanism::kMaxFeatures,
      " features, but there are ", setting.features);
  RequireInput(
      setting.rows >= 1 && setting.rows <= HingeDual::kMostRows &&
          setting.rows <= SvmMechanism::kMostNumbers / setting.features,
      "there must be from 1 to 2^23 rows, and at most 2^30 features of "
      "all of them, but there are ",
      setting.rows, " rows with ", setting.features, " features each");
  RequireInput(setting.lower.size() >= 1 &&
                   setting.upper.size() == setting.lower.size() &&
                   setting.lower.allFinite() && setting.upper.allFinite() &&
                   (setting.lower.array() <= setting.upper.array()).all(),
               "each input must have a finite range, lower <= upper");
  RequireInput(setting.norm >= 1e-100 && setting.norm <= 1e100,
               "the largest norm of the features must be from 1e-100 to "
               "1e100, but is ",
               setting.norm);
  // So that the margin fits its bits.
  const double square = setting.norm * setting.norm;
  const double least =
      std::max(1e-6, static_cast<double>(setting.rows) * 0x1p-30) / square;
  const double most = 1e9 / square;
  RequireInput(setting.cost >= least && setting.cost <= most,
               "the cost must be from ", least, " to ", most, ", but is ",
               setting.cost);
  return setting;
}

Int128 Margin(const SvmSetting& setting, double feature_step) {
  const double margin = static_cast<double>(HingeDual::kLargestWeight) *
                        static_cast<double>(setting.rows) /
                        (setting.cost * feature_step * feature_step);
  RequirePrivacy(margin >= 0x1p40 && margin <= 0x1p110,
                 "the margin of the machine does not fit sums that must be "
                 "exact; nothing was released");
  return static_cast<Int128>(std::round(margin));
}

}  // namespace

SvmMechanism::SvmMechanism(const SvmSetting& setting)
    : setting_(ValidSvm(setting)),
      feature_step_(FeatureStep(setting.norm, setting.features)),
      margin_(Margin(setting, feature_step_)),
      noise_(kDelta * kDelta, GaussianSigma(setting.budget),
             1 / (feature_step_ * static_cast<double>(margin_))) {}

Matrix SvmMechanism::SignedFeatures(const std::vector<const Vector*>& inputs,
                                    const Vector& labels,
                                    const FeatureMap& features,
                                    const Threads& threads) const {
  Matrix X(setting_.features, setting_.rows);
  threads.ForBlocks(setting_.rows, kSvmBlockRows, [&](Index begin, Index end) {
    Matrix p =
        features(ClipRows(inputs, setting_.lower, setting_.upper, begin, end));
    QuantizeFeatures(1 / feature_step_, p);
    for (Index i = begin; i < end; ++i) {
      // A power of two, or 0: exact.
      const bool missing = RowIsMissing(inputs, i) || std::isnan(labels(i));
      const double sign = labels(i) > 0 ? 1 : -1;
      const double scale =
          (missing ? 0 : sign) / static_cast<double>(kLargestFeatures);
      X.col(i) = scale * p.row(i - begin).transpose();
    }
  });
  return X;
}

NoisyWeights SvmMechanism::Release(const std::vector<Secret<Vector>>& inputs,
                                   const Secret<Vector>& labels,
                                   const FeatureMap& features,
                                   Randomness& random,
                                   const Threads& threads) const {
  const MechanismKey key;
  const std::vector<const Vector*> columns =
      OpenInputs(inputs, setting_.lower.size(), setting_.rows, key);
  const Vector& y = OpenOutputs(labels, setting_.rows, key);
  CheckFeatures(features, setting_.features, setting_.lower, setting_.upper);

  // The noise comes first: when it fails, no row has been read.
  DrawnNoise noise = noise_.Draw(setting_.features, random);
  const Matrix X = SignedFeatures(columns, y, features, threads);
  HingeDual dual(X, margin_, threads);
  SolveHinge(X, margin_, threads, dual);
  Scratch<Int128> t(setting_.features);
  for (Index j = 0; j < setting_.features; ++j) t[j] = dual.weight(j);
  NoisyWeights noisy;
  noisy.integers = std::move(noise).AddTo(t);
  noisy.value = noise_.Value(noisy.integers);
  return noisy;
}

}  // namespace cloak
