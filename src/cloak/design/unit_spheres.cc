#include "cloak/design/unit_spheres.h"

#include <cmath>
#include <utility>

#include "cloak/linalg/signed_sum.h"

namespace cloak {
namespace {

constexpr Index kBlock = 512;  // units

// So much of an evaluation may go into trying signs.
constexpr double kAdditions = 2e7;

}  // namespace

UnitSpheres::UnitSpheres(Units units, const Threads& threads)
    : units_(std::move(units)),
      threads_(threads),
      enumerated_(LargestEnumerated(units_, kAdditions)) {}

void UnitSpheres::ForUnits(
    const std::function<void(std::span<const Index>)>& body) const {
  threads_.ForBlocks(units_.count(), kBlock, [&](Index begin, Index end) {
    for (Index unit = begin; unit < end; ++unit) body(units_.Rows(unit));
  });
}

void UnitSpheres::Normalize(Matrix& R) const {
  ForUnits([&](std::span<const Index> rows) {
    if (rows.size() == 1) {
      const double norm = R.col(rows[0]).norm();
      if (norm > 0) {
        R.col(rows[0]) /= norm;
      } else {
        R(0, rows[0]) = 1;
      }
      return;
    }
    const Matrix A = R(Eigen::all, rows);
    const double length =
        A.squaredNorm() > 0 ? (A * LongestSignedSum(A, enumerated_)).norm() : 0;
    for (const Index i : rows) {
      if (length > 0) {
        R.col(i) /= length;
      } else {
        R(0, i) = 1 / static_cast<double>(rows.size());
      }
    }
  });
}

void UnitSpheres::NormalizeSafely(Matrix& R) const {
  Normalize(R);
  ForUnits([&](std::span<const Index> rows) {
    if (static_cast<Index>(rows.size()) <= enumerated_) return;
    const double bound =
        std::sqrt(SignedSumBound(R(Eigen::all, rows), enumerated_));
    for (const Index i : rows) R.col(i) /= bound;
  });
}

void UnitSpheres::Project(const Matrix& R, Matrix& gradient) const {
  ForUnits([&](std::span<const Index> rows) {
    if (rows.size() == 1) {
      const Index i = rows[0];
      gradient.col(i) -= R.col(i).dot(gradient.col(i)) * R.col(i);
      return;
    }
    const Matrix A = R(Eigen::all, rows);
    const Vector signs = LongestSignedSum(A, enumerated_);
    const Vector sum = A * signs;
    double along = 0;
    for (const Index i : rows) along += gradient.col(i).dot(R.col(i));
    for (size_t k = 0; k < rows.size(); ++k) {
      gradient.col(rows[k]) -= along * signs(static_cast<Index>(k)) * sum;
    }
  });
}

}  // namespace cloak
