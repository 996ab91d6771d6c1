#include "cloak/models/posterior_directions.h"

#include <cmath>

#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// How much of the variance of f, which is twice that of its standard deviation,
// directions that are left out may change, and rounding in one standard
// deviation.
constexpr double kDropped = 8e-5;
constexpr double kRounded = 3e-5;
// Below this fraction of the prior variance, a variance is a rounding error.
constexpr double kRoundingVariance = 1e-8;

// How many of the last columns of `directions` matter, each times the root of
// its eigenvalue: what all others explain of f at any point is within the
// tolerance. `along`: products of the directions with the features of points.
Index CountThatMatter(const Vector& eigenvalues, const Matrix& along,
                      const Vector& allowed) {
  Vector dropped = Vector::Zero(along.cols());
  Index small = 0;
  for (; small < along.rows(); ++small) {
    dropped += eigenvalues(small) * along.row(small).cwiseAbs2().transpose();
    if ((dropped.array() > allowed.array()).any()) break;
  }
  return along.rows() - small;
}

}  // namespace

void SetDirections(const Basis& basis, const LinearPosterior& inferred,
                   Posterior& posterior) {
  const Matrix& E = inferred.explained;
  const Matrix& N = inferred.noise;
  SymmetricEigen eigen =
      EigenDecomposition(E.transpose() * E + N.transpose() * N);
  eigen.values = eigen.values.cwiseMax(0);
  const Matrix phi = basis.Features(basis.points());
  const Matrix along = eigen.vectors.transpose() * phi;
  const Vector prior = basis.kernel().Variances(basis.points());
  const Vector both = along.cwiseAbs2().transpose() * eigen.values;
  const Vector noise = (N * phi).colwise().squaredNorm();
  const Vector variance =
      (prior - both + 2 * noise).cwiseMax(kRoundingVariance * prior);
  const Index kept = CountThatMatter(eigen.values, along, kDropped * variance);

  const Matrix V = eigen.vectors.rightCols(kept);
  const Vector root = eigen.values.tail(kept).cwiseSqrt();
  const Matrix noisy = N * V * root.cwiseInverse().asDiagonal();
  const SymmetricEigen parts = EigenDecomposition(noisy.transpose() * noisy);
  const Matrix D =
      parts.vectors.transpose() * root.asDiagonal() * V.transpose();
  posterior.noise_parts = parts.values.cwiseMax(0).cwiseMin(1);

  // Rounding each number of D by an error of the variance step²/12 changes the
  // variance of f by errors of the standard deviation 2 |φ| |Dφ| step/√12.
  const double step =
      (std::sqrt(3.0) * kRounded * variance.array() /
       (phi.colwise().norm().transpose().array() * both.array().sqrt()))
          .minCoeff();
  if (!(std::isfinite(step) && step > 0)) {
    posterior.directions = D;
    return;
  }
  const int exponent = std::ilogb(step);
  posterior.directions = D.unaryExpr([exponent](double value) {
    return std::ldexp(std::round(std::ldexp(value, -exponent)), exponent);
  });
}

}  // namespace cloak
