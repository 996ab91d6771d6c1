#include "cloak/privacy/moment_mechanism.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/integer_gaussian.h"
#include "cloak/privacy/integer_moments.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/quantized_output.h"

namespace cloak {
namespace {

// Rows that one thread adds up before it adds to the sum of all.
constexpr Index kStretch = Index{1} << 13;
static_assert(kStretch <= IntegerMoments::kMostRows);
// Rows whose features are computed, rounded and multiplied at once: they stay
// in the second cache for a few hundred features.
constexpr Index kMomentBlockRows = Index{1} << 7;
static_assert(IntegerMoments::kExactRows % kMomentBlockRows == 0);
static_assert(2 * int64_t{kHalfOutput} <= kLargestMomentOutput);

void Validate(const MomentSetting& setting, const MomentOptions& options) {
  RequireInput(setting.rows >= 1 && setting.rows <= MomentMechanism::kMaxRows,
               "there must be from 1 to 2^40 rows, but there are ",
               setting.rows);
  RequireInput(setting.lower.size() >= 1 &&
                   setting.upper.size() == setting.lower.size() &&
                   setting.lower.allFinite() && setting.upper.allFinite() &&
                   (setting.lower.array() <= setting.upper.array()).all(),
               "each input must have a finite range, lower <= upper");
  RequireInput(setting.features >= 1 &&
                   setting.features <= MomentMechanism::kMaxFeatures,
               "there must be from 1 to ", MomentMechanism::kMaxFeatures,
               " features, but there are ", setting.features);
  // What is outside would not leave the released numbers finite.
  RequireInput(setting.norm >= 1e-100 && setting.norm <= 1e100 &&
                   setting.bounds.width() >= 1e-100 &&
                   setting.bounds.width() <= 1e100,
               "the largest norm of the features and the width of the "
               "bounds must be from 1e-100 to 1e100, but are ",
               setting.norm, " and ", setting.bounds.width());
  RequireInput(setting.centre >= setting.bounds.lower() &&
                   setting.centre <= setting.bounds.upper(),
               "the centre of the outputs must lie within their bounds ",
               setting.bounds.lower(), " and ", setting.bounds.upper(),
               ", but is ", setting.centre);
  RequireInput(options.ratio >= 1e-6 && options.ratio <= 1e6,
               "the ratio of the noise of A and B must be from 1e-6 to "
               "1e6, but is ",
               options.ratio);
}

}  // namespace

MomentMechanism::MomentMechanism(const MomentSetting& setting,
                                 const MomentOptions& options)
    : setting_(setting) {
  Validate(setting, options);
  const double output_unit = setting.bounds.width() / (2.0 * kHalfOutput);
  centre_units_ = std::clamp<int64_t>(
      std::llround((setting.centre - setting.bounds.middle()) / output_unit),
      -kHalfOutput, kHalfOutput);
  largest_output_ = kHalfOutput + std::abs(centre_units_);
  centre_ = setting.bounds.middle() +
            static_cast<double>(centre_units_) * output_unit;
  // Rounding each of M numbers moves a vector by at most √M/2.
  const double rounding =
      std::sqrt(static_cast<double>(setting.features)) / 2 + 1;
  feature_step_ =
      setting.norm / (static_cast<double>(kLargestFeatures) - rounding);
  first_step_ = feature_step_ * output_unit;
  second_step_ = feature_step_ * feature_step_;

  const auto K = static_cast<Uint128>(kLargestFeatures);
  const auto Q = static_cast<Uint128>(largest_output_);
  const double ratio = options.ratio * feature_step_ / output_unit;
  scales_ = CalibrateMoments(K, Q, ratio, GaussianSigma(setting.budget),
                             options.bound);
  mu_ = MomentMu(K, Q, scales_);
  sensitivity_ = mu_ * first_sd() * (1 + 0x1p-50);
  published_sensitivity_ =
      MomentSensitivity(static_cast<double>(kLargestFeatures),
                        static_cast<double>(largest_output_), ratio,
                        MomentBound::kPublished) *
      first_step_;
}

Vector MomentMechanism::QuantizeRows(const Vector& outputs, Index begin,
                                     Index end) const {
  Vector q(end - begin);
  for (Index i = begin; i < end; ++i) {
    q(i - begin) = static_cast<double>(
        QuantizeOutput(outputs(i), setting_.bounds) - centre_units_);
  }
  return q;
}

void MomentMechanism::AddMoments(const Columns& inputs, const Vector& outputs,
                                 const FeatureMap& features,
                                 const Threads& threads,
                                 NoisyMoments& noisy) const {
  std::mutex adding;
  threads.ForBlocks(setting_.rows, kStretch, [&](Index first, Index last) {
    IntegerMoments moments(setting_.features);
    for (Index begin = first; begin < last; begin += kMomentBlockRows) {
      const Index end = std::min(last, begin + kMomentBlockRows);
      Matrix p = features(
          ClipRows(inputs, setting_.lower, setting_.upper, begin, end));
      QuantizeFeatures(1 / feature_step_, p);
      for (Index i = begin; i < end; ++i) {
        if (RowIsMissing(inputs, i) || std::isnan(outputs(i))) {
          p.row(i - begin).setZero();
        }
      }
      moments.Add(p, QuantizeRows(outputs, begin, end));
    }
    // Integers: the order does not matter.
    const std::lock_guard<std::mutex> lock(adding);
    size_t entry = 0;
    for (Index j = 0; j < setting_.features; ++j) {
      Int128& units = noisy.first_integers[static_cast<size_t>(j)];
      units = CheckedAdd(units, Int128{moments.first(j)});
      for (Index k = 0; k <= j; ++k) {
        Int128& second = noisy.second_integers[entry++];
        second = CheckedAdd(second, Int128{moments.second(j, k)});
      }
    }
  });
}

NoisyMoments MomentMechanism::Release(const std::vector<Secret<Vector>>& inputs,
                                      const Secret<Vector>& outputs,
                                      const FeatureMap& features,
                                      Randomness& random,
                                      const Threads& threads) const {
  const MechanismKey key;
  RequireInput(static_cast<Index>(inputs.size()) == setting_.lower.size(),
               "the moments are of ", setting_.lower.size(),
               " inputs, but there are ", inputs.size());
  Columns columns;
  for (const Secret<Vector>& column : inputs) {
    columns.push_back(&column.Open(key));
    RequireInput(columns.back()->size() == setting_.rows, "the moments are of ",
                 setting_.rows, " rows, but an input has ",
                 columns.back()->size());
  }
  const Vector& y = outputs.Open(key);
  RequireInput(y.size() == setting_.rows, "the moments are of ", setting_.rows,
               " rows, but there are ", y.size(), " outputs");
  CheckFeatures(features, setting_.features, setting_.lower, setting_.upper);

  // The noise comes first: when it fails, no row has been read.
  const Index M = setting_.features;
  NoisyMoments noisy;
  noisy.first_integers = GaussianNoise(scales_.first, M, random);
  noisy.second_integers =
      GaussianNoise(scales_.off_diagonal, M * (M + 1) / 2, random);
  const std::vector<Int128> diagonal =
      GaussianNoise(scales_.diagonal, M, random);
  size_t entry = 0;
  for (Index j = 0; j < M; ++j) {
    entry += static_cast<size_t>(j);
    noisy.second_integers[entry++] = diagonal[static_cast<size_t>(j)];
  }
  AddMoments(columns, y, features, threads, noisy);

  noisy.A.resize(M);
  noisy.B.resize(M, M);
  entry = 0;
  for (Index j = 0; j < M; ++j) {
    noisy.A(j) =
        static_cast<double>(noisy.first_integers[static_cast<size_t>(j)]) *
        first_step_;
    for (Index k = 0; k <= j; ++k) {
      noisy.B(j, k) =
          static_cast<double>(noisy.second_integers[entry++]) * second_step_;
      noisy.B(k, j) = noisy.B(j, k);
    }
  }
  return noisy;
}

}  // namespace cloak
