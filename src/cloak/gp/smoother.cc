#include "cloak/gp/smoother.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/basis_candidates.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/rounded_range.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// A with AᵀA = the matrix with these eigenvalues, kept between 0 and 1.
Matrix Root(const Vector& values, const Matrix& vectors) {
  return values.cwiseMax(0).cwiseMin(1).cwiseSqrt().asDiagonal() *
         vectors.transpose();
}

// How many monomials of at most this degree there are.
Index Monomials(Index inputs, Index degree) {
  Index count = 1;
  for (Index k = 1; k <= degree; ++k) count = count * (inputs + k) / k;
  return count;
}

Kernel PolynomialKernel(const Matrix& X, Index degree, double variance) {
  if (degree == 0) return Kernel::Bias(variance);
  std::vector<double> slopes;
  for (Index j = 0; j < X.cols(); ++j) {
    const RoundedRange range = RoundRange(X.col(j));
    const double size = std::max(std::abs(range.lower), std::abs(range.upper));
    slopes.push_back(size > 0 ? 1 / (size * size) : 1);
  }
  const Kernel factor = Kernel::Bias(1) + Kernel::Linear(slopes);
  Kernel kernel = Kernel::Bias(variance) * factor;
  for (Index k = 1; k < degree; ++k) kernel = kernel * factor;
  return kernel;
}

}  // namespace

Matrix CloakingMatrix(const LinearSmoother& smoother, const Matrix& Xs,
                      const Threads& threads) {
  return Product(smoother.basis.Features(Xs).transpose(), smoother.B, threads);
}

LinearSmoother ExactSmoother(const ExactGp& gp, const Basis& basis) {
  const Matrix& Z = basis.points();
  // I − Cov(L⁻¹ f(Z) | y): what the outputs explain.
  const Matrix explained =
      basis.kernel().Covariance(Z, Threads(1)) - gp.PosteriorCovariance(Z);
  const SymmetricEigen eigen = EigenDecomposition(
      basis.WhitenValues(basis.WhitenValues(explained).transpose()));
  return {basis, basis.WhitenValues(gp.CloakingMatrix(Z)),
          Root(eigen.values, eigen.vectors)};
}

LinearSmoother InducingSmoother(const Basis& basis, const OutputModel& outputs,
                                const Threads& threads) {
  const Vector precision = outputs.D.cwiseInverse();
  const SymmetricEigen eigen =
      EigenDecomposition(WeightedGram(outputs.Phi, precision, threads));
  const Vector values = eigen.values.cwiseMax(0);
  const Vector left = (1 + values.array()).inverse();
  const Matrix rotated =
      Product(Matrix(left.asDiagonal() * eigen.vectors.transpose()),
              outputs.Phi, threads);
  return {
      basis,
      Product(eigen.vectors, Matrix(rotated * precision.asDiagonal()), threads),
      Root(values.cwiseProduct(left), eigen.vectors)};
}

LinearSmoother PolynomialSmoother(const Matrix& X, Index degree,
                                  double noise_variance,
                                  const Threads& threads) {
  RequireInput(degree >= 0 && degree <= 5,
               "the degree of a polynomial must be from 0 to 5, but is ",
               degree);
  const Index terms = Monomials(X.cols(), degree);
  RequireInput(terms <= X.rows() && terms <= 500, "a polynomial of degree ",
               degree, " in ", X.cols(), " inputs has ", terms,
               " coefficients, which must not be more than the ", X.rows(),
               " rows, nor than 500");
  const std::string undetermined = Text(
      "the inputs do not determine a polynomial of degree ", degree,
      ": they have too few different values, or lie too far from 0 for their "
      "spread (subtract a public number near their middle)");
  const BasisSelectionOptions selection{.max_size = terms};
  const Kernel unit = PolynomialKernel(X, degree, 1);
  const Basis basis(
      unit,
      SelectBasisPoints(unit, BasisCandidates(X).points(), threads, selection),
      threads);
  RequireInput(basis.size() == terms, undetermined);
  const Matrix Phi = basis.Features(X);
  // Otherwise the jitter of the basis would show.
  constexpr double kExact = 1e-6;
  RequireInput(basis.ResidualVariances(X, Phi).maxCoeff() <=
                   kExact * unit.Variances(X).maxCoeff(),
               undetermined);
  const SymmetricEigen gram =
      EigenDecomposition(WeightedGram(Phi, Vector::Ones(X.rows()), threads));
  const double largest = gram.values.maxCoeff();
  RequireInput(gram.values.minCoeff() > 1e-9 * largest, undetermined);

  // In the basis of v·k, weights are 1/√v and their variances 1/v of these.
  const Vector variances = noise_variance * gram.values.cwiseInverse();
  const double v = 4 * variances.maxCoeff();
  const Matrix B =
      Product(Matrix(gram.vectors * gram.values.cwiseInverse().asDiagonal() *
                     gram.vectors.transpose()),
              Phi, threads);
  return {Basis(PolynomialKernel(X, degree, v), basis.points(), threads),
          B / std::sqrt(v), Root(1 - variances.array() / v, gram.vectors)};
}

}  // namespace cloak
