// Kernel expressions from strangers. A text is refused with InvalidInput, or is
// a covariance function: it prints as what reads back as itself, and on a few
// points its matrix is finite where it says that it is bounded, symmetric,
// positive semi-definite, and the same however it is asked for.
#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "cloak/kernels/kernel.h"
#include "tests/fuzz/check.h"

namespace cloak {
namespace {

constexpr Index kPoints = 9;

// Some equal, some near, some far apart; of few bits, so that their differences
// are exact.
Matrix Points(Index inputs) {
  Vector values(kPoints);
  values << 0, 0.5, 0.5, -3, 1, 1024, 0x1p-20, 7, -0x1p30;
  Matrix X(kPoints, inputs);
  for (Index d = 0; d < inputs; ++d) {
    for (Index i = 0; i < kPoints; ++i) X(i, d) = values((i * (d + 1)) % 9);
  }
  return X;
}

bool SameBits(const Matrix& a, const Matrix& b) {
  return ((a.array() == b.array()) || (a.array() != a.array())).all();
}

// Of the correlations, so that no point is lost beside one whose variance is
// much larger. Points whose variance is so small that its last bits are gone
// are left out.
void CheckPositiveSemidefinite(const Matrix& K) {
  constexpr double kLeast = 1e-280;
  std::vector<Index> kept;
  for (Index i = 0; i < K.rows(); ++i) {
    Check(K(i, i) >= 0, "no variance is negative");
    if (K(i, i) > kLeast) kept.push_back(i);
  }
  if (kept.empty()) return;
  const Matrix rest = K(kept, kept);
  const Vector scale = rest.diagonal().cwiseSqrt().cwiseInverse();
  const Matrix correlations = scale.asDiagonal() * rest * scale.asDiagonal();
  const double least = Eigen::SelfAdjointEigenSolver<Matrix>(
                           correlations, Eigen::EigenvaluesOnly)
                           .eigenvalues()
                           .minCoeff();
  Check(least > -1e-10, "the covariance is positive semi-definite");
}

// Phases many periods apart are rounded, each for itself.
bool HasTinyPeriod(const Kernel& kernel) {
  for (const KernelParameter& parameter : kernel.Parameters()) {
    if (parameter.path.find("period") != std::string::npos &&
        parameter.value < 0x1p20) {
      return true;
    }
  }
  return false;
}

void CheckCovariance(const Kernel& kernel, const Kernel& again, Index inputs) {
  const Threads one(1);
  const Matrix X = Points(inputs);
  const Matrix K = kernel.Covariance(X, one);
  Check(SameBits(K, again.Covariance(X, one)),
        "what was printed computes the same bits");
  Check(SameBits(K, K.transpose()), "the covariance is symmetric");
  const Vector lower = X.colwise().minCoeff();
  const Vector upper = X.colwise().maxCoeff();
  const double bound = kernel.VarianceBound(lower, upper);
  Check(!std::isnan(bound) && bound <= kernel.VarianceBound(),
        "a bound over a box is below that over all");
  if (bound > 1e300) return;  // What is too large for a double may overflow.
  Check(K.allFinite(), "a bounded kernel is finite");
  Check(K.cwiseAbs().maxCoeff() <= bound * (1 + 1e-9),
        "the variance is below its bound");
  Check((kernel.Variances(X) - K.diagonal()).cwiseAbs().maxCoeff() <=
            1e-9 * bound,
        "variances are the diagonal of the covariance");
  const Matrix cross =
      kernel.CrossCovariance(X.topRows(4), X.bottomRows(5), one);
  Check(cross.isApprox(K.topRightCorner(4, 5), 1e-12) ||
            (cross - K.topRightCorner(4, 5)).cwiseAbs().maxCoeff() <=
                1e-12 * bound,
        "the cross-covariance is a block of the covariance");
  if (!HasTinyPeriod(kernel)) CheckPositiveSemidefinite(K);
}

void CheckExpression(std::string_view text) {
  const auto kernel = UnlessRefused([&] { return Kernel::Parse(text); });
  if (!kernel) return;
  const std::string printed = kernel->ToString();
  const auto again = UnlessRefused([&] { return Kernel::Parse(printed); });
  Check(again.has_value() && again->ToString() == printed,
        "a kernel prints as what reads back as itself");
  for (const Index inputs : {1, 2, 3}) {
    const auto fits = UnlessRefused([&] {
      kernel->CheckInputs(inputs);
      return true;
    });
    if (fits) CheckCovariance(*kernel, *again, inputs);
  }
}

}  // namespace
}  // namespace cloak

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cloak::CheckExpression({reinterpret_cast<const char*>(data), size});
  return 0;
}
