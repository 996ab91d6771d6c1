#include "cloak/design/unit_spheres.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "cloak/linalg/signed_sum.h"

namespace cloak {
namespace {

constexpr Index kUnitBlock = 256;      // units
constexpr Index kMostEnumerated = 12;  // rows
constexpr double kAdditions = 5e6;     // to go through all signs of small units
constexpr double kLargestPower = 1024;
constexpr double kRoundedOff = 1e-2;  // in |G_ij|, of the mean of G_ii

// One of σ and −σ.
Matrix AllSigns(Index rows) {
  Matrix signs(rows, Index{1} << (rows - 1));
  for (Index j = 0; j < signs.cols(); ++j) {
    for (Index i = 0; i < rows; ++i) {
      signs(i, j) = (static_cast<uint64_t>(j) >> i & 1) != 0 ? -1 : 1;
    }
  }
  return signs;
}

}  // namespace

UnitSpheres::UnitSpheres(const PrivacyUnits& units, const Threads& threads)
    : units_(units),
      threads_(threads),
      enumerated_(std::min({LargestEnumerated(units, kAdditions),
                            kMostEnumerated, units.largest()})),
      all_signs_(1) {
  for (Index size = 1; size <= enumerated_; ++size) {
    all_signs_.push_back(AllSigns(size));
  }
}

void UnitSpheres::Sharpen() { p_ = std::min(2 * p_, kLargestPower); }

void UnitSpheres::ForUnits(const std::function<void(Index)>& body) const {
  threads_.ForBlocks(units_.count(), kUnitBlock, [&](Index begin, Index end) {
    for (Index unit = begin; unit < end; ++unit) body(unit);
  });
}

UnitSpheres::Length UnitSpheres::LengthOf(const Matrix& A) const {
  if (A.squaredNorm() == 0) return {};
  if (A.cols() > enumerated_) {
    const Matrix G = A.transpose() * A;
    const double corner =
        kRoundedOff * G.trace() / static_cast<double>(A.cols());
    const Matrix rounded =
        (G.array().square() + corner * corner).sqrt().matrix();
    return {std::sqrt(rounded.sum()), G.cwiseQuotient(rounded)};
  }
  const Matrix& signs = all_signs_[static_cast<size_t>(A.cols())];
  const Vector lengths = (A * signs).colwise().norm();
  const double longest = lengths.maxCoeff();
  const Vector relative = lengths / longest;
  Vector weights = relative.array().pow(p_ - 2);
  weights /= weights.sum();
  return {longest * std::pow(relative.array().pow(p_).mean(), 1 / p_),
          signs * weights.asDiagonal() * signs.transpose()};
}

void UnitSpheres::Normalize(Matrix& R) const {
  ForUnits([&](Index unit) {
    const auto rows = units_.Rows(unit);
    const double norm = rows.size() == 1 ? R.col(rows[0]).norm()
                                         : LengthOf(R(Eigen::all, rows)).nu;
    for (const Index i : rows) {
      if (norm > 0) {
        R.col(i) /= norm;
      } else {
        R(0, i) = 1 / static_cast<double>(rows.size());
      }
    }
  });
}

void UnitSpheres::NormalizeSafely(Matrix& R) const {
  ForUnits([&](Index unit) {
    const auto rows = units_.Rows(unit);
    const double length =
        rows.size() == 1
            ? R.col(rows[0]).norm()
            : std::sqrt(SignedSumBound(R(Eigen::all, rows), enumerated_));
    for (const Index i : rows) R.col(i) /= length;
  });
}

void UnitSpheres::Project(const Matrix& R, Matrix& gradient) const {
  ForUnits([&](Index unit) {
    const auto rows = units_.Rows(unit);
    if (rows.size() == 1) {
      const Index i = rows[0];
      gradient.col(i) -= R.col(i).dot(gradient.col(i)) * R.col(i);
      return;
    }
    const Matrix A = R(Eigen::all, rows);
    const Matrix slope = A * LengthOf(A).slope;
    double along = 0;
    double scale = 0;  // ν is homogeneous: ⟨R_g, ∂ν⟩ = ν = 1
    for (size_t k = 0; k < rows.size(); ++k) {
      along += gradient.col(rows[k]).dot(R.col(rows[k]));
      scale += slope.col(static_cast<Index>(k)).dot(R.col(rows[k]));
    }
    for (size_t k = 0; k < rows.size(); ++k) {
      gradient.col(rows[k]) -= along / scale * slope.col(static_cast<Index>(k));
    }
  });
}

std::vector<Matrix> UnitSpheres::SignMoments(const Matrix& R) const {
  if (units_.IsEachRow()) return {};
  std::vector<Matrix> moments(static_cast<size_t>(units_.count()));
  ForUnits([&](Index unit) {
    const Matrix A = R(Eigen::all, units_.Rows(unit));
    Matrix& C = moments[static_cast<size_t>(unit)];
    if (A.cols() <= enumerated_) {
      C = LengthOf(A).slope;
      return;
    }
    // The mean over the signs of Aᵀξ, ξ normal (Goemans and Williamson 1995),
    // and the longest that a search finds.
    const Vector scale = A.colwise().norm().cwiseMax(1e-300).cwiseInverse();
    const Matrix correlation =
        scale.asDiagonal() * (A.transpose() * A) * scale.asDiagonal();
    const Vector longest = LongSignedSums(A, 1).front();
    C = 0.75 * 2 / std::numbers::pi *
            correlation.cwiseMax(-1).cwiseMin(1).array().asin() +
        0.25 * (longest * longest.transpose()).array();
  });
  return moments;
}

}  // namespace cloak
