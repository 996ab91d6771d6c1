#include "cloak/privacy/hinge_dual.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/directed.h"

namespace cloak {
namespace {

constexpr auto kScale = static_cast<double>(kLargestFeatures);
constexpr Index kDualBlock = 1024;
constexpr int64_t kDualBound = HingeDual::kLargestWeight;

// These are the claims of the comments of the class.
static_assert(HingeDual::kMostRows <= (kDualBound >> 13));

const Matrix& ValidMargins(const Matrix& X, Int128 margin) {
  RequirePrivacy(
      X.rows() >= 1 && X.cols() >= 1 && X.cols() <= HingeDual::kMostRows,
      "a machine of ", X.cols(), " rows with ", X.rows(),
      " features does not fit sums that must be exact; nothing was "
      "released");
  RequirePrivacy(
      margin >= 1 && margin <= (Int128{1} << HingeDual::kMarginBits),
      "the margin does not fit sums that must be exact; nothing was released");
  return X;
}

}  // namespace

HingeDual::HingeDual(const Matrix& X, Int128 margin, const Threads& threads)
    : X_(ValidMargins(X, margin)),
      margin_(margin),
      threads_(threads),
      a_(X.cols()),
      W_(X.rows()) {}

int64_t HingeDual::Feature(Index i, Index j) const {
  return static_cast<int64_t>(X_(j, i) * kScale);
}

void HingeDual::Set(const Vector& fractions) {
  for (Index j = 0; j < X_.rows(); ++j) W_[j] = 0;
  for (Index i = 0; i < X_.cols(); ++i) {
    const double fraction = fractions(i);
    // Also false for what is not a number.
    const bool inside = fraction > 0;
    a_[i] =
        inside ? static_cast<int64_t>(std::round(
                     std::min(fraction, 1.0) * static_cast<double>(kDualBound)))
               : 0;
    if (a_[i] == 0) continue;
    for (Index j = 0; j < X_.rows(); ++j) {
      W_[j] += Int128{a_[i]} * Feature(i, j);
    }
  }
}

Int128 HingeDual::Slack(Index i) {
  Int128 product = 0;
  for (Index j = 0; j < X_.rows(); ++j) product += W_[j] * Feature(i, j);
  return margin_ - product;
}

bool HingeDual::Certified() {
  std::vector<double> sums(
      static_cast<size_t>((X_.cols() + kDualBlock - 1) / kDualBlock));
  threads_.ForBlocks(X_.cols(), kDualBlock, [&](Index begin, Index end) {
    double sum = 0;
    for (Index i = begin; i < end; ++i) {
      const Int128 slack = Slack(i);
      const int64_t lacking = slack > 0 ? kDualBound - a_[i] : a_[i];
      sum += static_cast<double>(lacking) *
             static_cast<double>(slack > 0 ? slack : -slack);
    }
    sums[static_cast<size_t>(begin / kDualBlock)] = sum;
  });
  double gap = 0;
  for (const double sum : sums) gap += sum;
  // A term is rounded twice (A and a are exact), and each sum once.
  return Up(gap, static_cast<double>(X_.cols()) + 2) <= kGapTarget;
}

int64_t HingeDual::BestWeight(Index i) {
  const Int128 slack = Slack(i);
  Int128 square = 0;
  for (Index j = 0; j < X_.rows(); ++j) {
    square += Int128{Feature(i, j)} * Feature(i, j);
  }
  if (square == 0) return slack > 0 ? kDualBound : 0;
  // δ s − δ² q/2 is largest at δ = s/q; of two integers that are as near, the
  // one nearer to 0.
  const Int128 size = slack > 0 ? slack : -slack;
  const Int128 whole = size / square;
  const bool up = 2 * (size - whole * square) > square;
  const Int128 move = std::min<Int128>(whole + (up ? 1 : 0), kDualBound);
  return static_cast<int64_t>(std::clamp<Int128>(
      slack > 0 ? a_[i] + move : a_[i] - move, Int128{0}, Int128{kDualBound}));
}

bool HingeDual::Sweep() {
  bool moved = false;
  for (Index i = 0; i < X_.cols(); ++i) {
    const int64_t best = BestWeight(i);
    const int64_t move = best - a_[i];
    if (move == 0) continue;
    moved = true;
    a_[i] = best;
    for (Index j = 0; j < X_.rows(); ++j) {
      W_[j] += Int128{move} * Feature(i, j);
    }
  }
  return moved;
}

}  // namespace cloak
