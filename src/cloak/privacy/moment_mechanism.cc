#include "cloak/privacy/moment_mechanism.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/exact_gaussian.h"
#include "cloak/privacy/integer_moments.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/quantized_output.h"
#include "cloak/privacy/scratch.h"

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
  RequireRowCount(setting.rows);
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
  feature_step_ = FeatureStep(setting.norm, setting.features);
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

struct MomentMechanism::Sums {
  explicit Sums(Index features)
      : first(features),
        diagonal(features),
        off_diagonal(features * (features + 1) / 2) {}

  // Up to 2^40 rows of |p_j p_k| <= 2^44.
  Scratch<Int128> first;
  Scratch<Int128> diagonal;
  // The lower triangle, row by row, with 0 on the diagonal.
  Scratch<Int128> off_diagonal;
};

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
                                 const Threads& threads, Sums& sums) const {
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
    Index entry = 0;
    for (Index j = 0; j < setting_.features; ++j) {
      sums.first[j] += moments.first(j);
      for (Index k = 0; k < j; ++k) {
        sums.off_diagonal[entry++] += moments.second(j, k);
      }
      sums.diagonal[j] += moments.second(j, j);
      ++entry;
    }
  });
}

NoisyMoments MomentMechanism::Release(const std::vector<Secret<Vector>>& inputs,
                                      const Secret<Vector>& outputs,
                                      const FeatureMap& features,
                                      Randomness& random,
                                      const Threads& threads) const {
  const MechanismKey key;
  const Columns columns =
      OpenInputs(inputs, setting_.lower.size(), setting_.rows, key);
  const Vector& y = OpenOutputs(outputs, setting_.rows, key);
  CheckFeatures(features, setting_.features, setting_.lower, setting_.upper);

  // The noise comes first: when it fails, no row has been read.
  const Index M = setting_.features;
  DrawnNoise first(scales_.first, M, random);
  DrawnNoise off_diagonal(scales_.off_diagonal, M * (M + 1) / 2, random);
  DrawnNoise diagonal(scales_.diagonal, M, random);
  Sums sums(M);
  AddMoments(columns, y, features, threads, sums);

  NoisyMoments noisy;
  noisy.first_integers = std::move(first).AddTo(sums.first);
  noisy.second_integers = std::move(off_diagonal).AddTo(sums.off_diagonal);
  const std::vector<Int128> on_diagonal =
      std::move(diagonal).AddTo(sums.diagonal);
  size_t entry = 0;
  for (Index j = 0; j < M; ++j) {
    entry += static_cast<size_t>(j);
    noisy.second_integers[entry++] = on_diagonal[static_cast<size_t>(j)];
  }
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
