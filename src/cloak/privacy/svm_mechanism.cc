#include "cloak/privacy/svm_mechanism.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/hinge_dual.h"
#include "cloak/privacy/hinge_solver.h"
#include "cloak/privacy/integer_gaussian.h"
#include "cloak/privacy/integer_moments.h"
#include "cloak/privacy/mechanism_key.h"

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

}  // namespace

SvmMechanism::SvmMechanism(const SvmSetting& setting)
    : setting_(ValidSvm(setting)) {
  // Rounding each of M numbers moves a vector by at most √M/2.
  const double rounding =
      std::sqrt(static_cast<double>(setting.features)) / 2 + 1;
  feature_step_ =
      setting.norm / (static_cast<double>(kLargestFeatures) - rounding);
  const double margin = static_cast<double>(HingeDual::kLargestWeight) *
                        static_cast<double>(setting.rows) /
                        (setting.cost * feature_step_ * feature_step_);
  RequirePrivacy(margin >= 0x1p40 && margin <= 0x1p110,
                 "the margin of the machine does not fit sums that must be "
                 "exact; nothing was released");
  margin_ = static_cast<Int128>(std::round(margin));
  step_ = 1 / (feature_step_ * static_cast<double>(margin_));
  sensitivity_squared_ = kDelta * kDelta;
  sigma_units_ =
      GaussianScale(GaussianSigma(setting.budget), sensitivity_squared_);
  mu_ = GaussianMu(sensitivity_squared_, sigma_units_);
  sensitivity_ = SensitivityUp(sensitivity_squared_, step_);
}

double SvmMechanism::noise_sd() const {
  return static_cast<double>(sigma_units_) * step_;
}

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
  RequireInput(static_cast<Index>(inputs.size()) == setting_.lower.size(),
               "the machine is of ", setting_.lower.size(),
               " inputs, but there are ", inputs.size());
  std::vector<const Vector*> columns;
  for (const Secret<Vector>& column : inputs) {
    columns.push_back(&column.Open(key));
    RequireInput(columns.back()->size() == setting_.rows, "the machine is of ",
                 setting_.rows, " rows, but an input has ",
                 columns.back()->size());
  }
  const Vector& y = labels.Open(key);
  RequireInput(y.size() == setting_.rows, "the machine is of ", setting_.rows,
               " rows, but there are ", y.size(), " labels");
  CheckFeatures(features, setting_.features, setting_.lower, setting_.upper);

  // The noise comes first: when it fails, no row has been read.
  NoisyWeights noisy;
  noisy.integers = GaussianNoise(sigma_units_, setting_.features, random);
  const Matrix X = SignedFeatures(columns, y, features, threads);
  HingeDual dual(X, margin_, threads);
  SolveHinge(X, margin_, threads, dual);
  noisy.value.resize(setting_.features);
  for (Index j = 0; j < setting_.features; ++j) {
    Int128& units = noisy.integers[static_cast<size_t>(j)];
    units = CheckedAdd(units, dual.weight(j));
    noisy.value(j) = static_cast<double>(units) * step_;
  }
  return noisy;
}

}  // namespace cloak
