// Compiled with -fno-trapping-math (see CMakeLists.txt): nobody looks at the
// flags of floating point, and only then GCC vectorises comparisons. Values are
// the same, those that are not numbers included.
#include "cloak/privacy/integer_moments.h"

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/instruction_sets.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr auto kLargest = static_cast<double>(kLargestFeatures);
constexpr double kLargestSquare = kLargest * kLargest;

static_assert((kLargestFeatures * kLargestFeatures) *
                  IntegerMoments::kExactRows <=
              int64_t{1} << 53);
static_assert(kLargestFeatures * kLargestMomentOutput <=
              kLargestFeatures * kLargestFeatures);

// One feature of several rows; adds the squares of its integers.
// Adding and subtracting 1.5 2^52 rounds to the nearest integer what is below
// 2^51, in every instruction set. What is not a number becomes -K.
CLOAK_FOR_EACH_INSTRUCTION_SET
void QuantizeColumn(double scale, Index rows, double* __restrict values,
                    double* __restrict squares) {
  constexpr double kRound = 0x1.8p52;
  for (Index i = 0; i < rows; ++i) {
    const double scaled = values[i] * scale;
    const double above = scaled > -kLargest ? scaled : -kLargest;
    const double clamped = above < kLargest ? above : kLargest;
    const double p = (clamped + kRound) - kRound;
    values[i] = p;
    squares[i] += p * p;
  }
}

// For a row whose features were longer than its caller said.
void Shrink(double square,
            Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row) {
  const double factor = kLargest / std::sqrt(square) * (1 - 0x1p-40);
  row =
      (factor * row.array()).unaryExpr([](double p) { return std::trunc(p); });
  if (!(row.squaredNorm() <= kLargestSquare)) row.setZero();
}

// Adds integers and leaves zeros in their place.
CLOAK_FOR_EACH_INSTRUCTION_SET
void MoveIntegers(Index count, double* __restrict values,
                  int64_t* __restrict sums) {
  for (Index i = 0; i < count; ++i) {
    sums[i] += static_cast<int64_t>(values[i]);
    values[i] = 0;
  }
}

}  // namespace

double FeatureStep(double norm, Index features) {
  const double rounding = std::sqrt(static_cast<double>(features)) / 2 + 1;
  return norm / (kLargest - rounding);
}

void QuantizeFeatures(double scale, Matrix& features) {
  Scratch<double> squares(features.rows());
  for (Index j = 0; j < features.cols(); ++j) {
    QuantizeColumn(scale, features.rows(), features.col(j).data(), &squares[0]);
  }
  // Each sum of squares up to 2^53 is exact, and those that are not are larger
  // than that: the comparison is that of the integers.
  for (Index i = 0; i < features.rows(); ++i) {
    if (!(squares[i] <= kLargestSquare)) Shrink(squares[i], features.row(i));
  }
}

IntegerMoments::IntegerMoments(Index features)
    : features_(features),
      exact_(features * (features + 1)),
      sums_(features * (features + 1)) {}

void IntegerMoments::Add(const Matrix& features, const Vector& q) {
  const Index rows = features.rows();
  rows_ += rows;
  RequirePrivacy(rows >= 1 && rows <= kExactRows && rows_ <= kMostRows &&
                     features.cols() == features_ && q.size() == rows,
                 "a block of ", rows, " rows, ", rows_,
                 " in all, does not fit sums that must be exact; nothing "
                 "was released");
  if (pending_ + rows > kExactRows) Settle();
  pending_ += rows;
  Eigen::Map<Matrix> second(&exact_[0], features_, features_);
  Eigen::Map<Vector> first(&exact_[features_ * features_], features_);
  first.noalias() += features.transpose() * q;
  second.selfadjointView<Eigen::Lower>().rankUpdate(features.transpose());
}

void IntegerMoments::Settle() {
  pending_ = 0;
  for (Index k = 0; k < features_; ++k) {
    const Index diagonal = k * features_ + k;
    MoveIntegers(features_ - k, &exact_[diagonal], &sums_[diagonal]);
  }
  const Index vector = features_ * features_;
  MoveIntegers(features_, &exact_[vector], &sums_[vector]);
}

}  // namespace cloak
