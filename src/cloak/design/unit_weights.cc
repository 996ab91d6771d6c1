#include "cloak/design/unit_weights.h"

#include <algorithm>
#include <span>
#include <vector>

#include "cloak/linalg/signed_sum.h"

namespace cloak {
namespace {

// Enumeration may take a hundredth of a second in a round of the search, and
// a tenth for the certificate.
constexpr double kSearchAdditions = 1e7;
constexpr double kCertificateAdditions = 1e8;

// The search has a long tail, and where a unit is bounded and not enumerated,
// the bound is off by more than that.
constexpr double kTolerance = 1e-4;
constexpr double kBoundedTolerance = 1e-3;
constexpr int kIterations = 1000;

// About how many points a round of the search adds.
constexpr Index kPointsInARound = 200;

// The signed sums of columns of A, to be looked for where they are long.
class SignedSums {
 public:
  SignedSums(const Matrix& A, const PrivacyUnits& units)
      : A_(A),
        units_(units),
        enumerated_(LargestEnumerated(units, kSearchAdditions)),
        from_a_unit_(
            std::clamp<Index>(kPointsInARound / units.count(), 1, A.rows())) {}

  // Returns the points that B makes longer than √limit, for B · A.
  Matrix LongerThan(double limit, const Matrix& BA) const {
    std::vector<Vector> sums;
    for (Index unit = 0; unit < units_.count(); ++unit) {
      const auto rows = units_.Rows(unit);
      if (rows.size() == 1) continue;
      const Matrix columns = BA(Eigen::all, rows);
      for (const Vector& signs : LongSigns(columns)) {
        if ((columns * signs).squaredNorm() <= limit) continue;
        sums.emplace_back(A_(Eigen::all, rows) * signs);
      }
    }
    Matrix points(A_.rows(), static_cast<Index>(sums.size()));
    for (size_t k = 0; k < sums.size(); ++k) {
      points.col(static_cast<Index>(k)) = sums[k];
    }
    return points;
  }

 private:
  std::vector<Vector> LongSigns(const Matrix& columns) const {
    std::vector<Vector> found = LongSignedSums(columns, from_a_unit_);
    const Index size = columns.cols();
    if (size > enumerated_) return found;
    const auto best = MaximizeOverSigns<double>(columns.transpose() * columns);
    Vector signs = Vector::NullaryExpr(size, [&best](Index i) {
      return (best.negative >> i & 1) == 1 ? -1.0 : 1.0;
    });
    if (std::find(found.begin(), found.end(), signs) == found.end()) {
      found.push_back(std::move(signs));
    }
    return found;
  }

  const Matrix& A_;
  const PrivacyUnits& units_;
  Index enumerated_;
  Index from_a_unit_;
};

}  // namespace

DesignWeights OptimizeForUnits(const DesignCriterion& criterion,
                               const Matrix& A, const PrivacyUnits& units,
                               const InteriorPointOptions& options) {
  if (units.IsEachRow()) return OptimizeWeights(criterion, A, options);
  const SignedSums sums(A, units);
  const Matrix first = sums.LongerThan(0, A);
  Matrix points(A.rows(), A.cols() + first.cols());
  points << A, first;
  const bool enumerable =
      units.largest() <= LargestEnumerated(units, kCertificateAdditions);
  const InteriorPointOptions search{
      .tolerance = std::max(options.tolerance,
                            enumerable ? kTolerance : kBoundedTolerance),
      .max_iterations = std::max(options.max_iterations, kIterations)};
  DesignWeights found = OptimizeWeights(
      criterion, points, search,
      [&](const Matrix& support, const Vector& weights, double limit) {
        return sums.LongerThan(limit, criterion.Whitened(A, support, weights));
      });
  found.largest = LargestUnitMove(
      criterion.Whitened(A, found.points, found.weights), units);
  found.gap = criterion.Gap(found.largest, found.points, found.weights);
  return found;
}

double LargestUnitMove(const Matrix& R, const PrivacyUnits& units) {
  const Index enumerated = LargestEnumerated(units, kCertificateAdditions);
  double largest = 0;
  for (Index unit = 0; unit < units.count(); ++unit) {
    largest = std::max(
        largest, SignedSumBound(R(Eigen::all, units.Rows(unit)), enumerated));
  }
  return largest;
}

}  // namespace cloak
