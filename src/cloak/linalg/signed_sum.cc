#include "cloak/linalg/signed_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

constexpr int kMostSweeps = 200;
constexpr double kConverged = 1e-6;

// Climbs by single changes of sign to where there is none that helps.
void Climb(const Matrix& A, const Vector& squared_norms, Vector& signs) {
  Vector sum = A * signs;
  bool moved = true;
  for (int sweep = 0; moved && sweep < kMostSweeps; ++sweep) {
    moved = false;
    for (Index i = 0; i < A.cols(); ++i) {
      const double rest = signs(i) * A.col(i).dot(sum) - squared_norms(i);
      // A margin, so that rounding cannot go round in circles.
      if (rest >= -1e-12 * squared_norms(i)) continue;
      sum -= 2 * signs(i) * A.col(i);
      signs(i) = -signs(i);
      moved = true;
    }
  }
}

Vector SignsOf(const Vector& values) {
  return values.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
}

// Maximises tr(V G Vᵀ) over V with columns of norm 1, one column after the
// other: v_i ∝ Σ_(j≠i) G_ij v_j. With about √(2g) rows there are no bad local
// maxima (Burer and Monteiro 2003), and at the maximum Diag(d) − G is positive
// semi-definite for d_i = |Σ_j G_ij v_j|, of smallest Σ d.
Vector RelaxationDual(const Matrix& G) {
  const Index size = G.rows();
  const auto enough =
      static_cast<Index>(std::ceil(std::sqrt(2 * static_cast<double>(size))));
  const Index rank = std::min(size, enough + 1);
  // Any start will do that is in general position.
  Matrix V = Matrix::NullaryExpr(rank, size, [](Index k, Index i) {
    return std::sin(1 + 1.7 * static_cast<double>(i * (k + 1)) +
                    0.31 * static_cast<double>(k * k));
  });
  V.colwise().normalize();
  Vector d = G.diagonal();
  double last = 0;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    for (Index i = 0; i < size; ++i) {
      const Vector pull = V * G.col(i) - G(i, i) * V.col(i);
      const double length = pull.norm();
      if (length > 0) V.col(i) = pull / length;
      d(i) = G(i, i) + length;
    }
    const double total = d.sum();
    if (std::abs(total - last) <= kConverged * total) break;
    last = total;
  }
  return d;
}

double BlockBound(const Matrix& A, Index enumerated) {
  const Matrix G = A.transpose() * A;
  if (A.cols() <= enumerated) return MaximizeOverSigns<double>(G).value;
  const Matrix L = SlackFactor(G);
  return std::min(G.cwiseAbs().sum(), (G + L * L.transpose()).cwiseAbs().sum());
}

}  // namespace

Index LargestEnumerated(const PrivacyUnits& units, double additions) {
  constexpr Index kMost = 30;
  std::array<double, kMost + 1> cost{};
  for (Index unit = 0; unit < units.count(); ++unit) {
    const auto size = static_cast<Index>(units.Rows(unit).size());
    if (size > kMost) continue;
    cost[static_cast<size_t>(size)] +=
        std::ldexp(static_cast<double>(size), static_cast<int>(size) - 1);
  }
  Index largest = 1;
  for (double total = cost[1]; largest < kMost; ++largest) {
    total += cost[static_cast<size_t>(largest) + 1];
    if (total > additions) break;
  }
  return largest;
}

std::vector<Vector> LongSignedSums(const Matrix& A, Index most) {
  const SymmetricEigen eigen = EigenDecomposition(A * A.transpose());
  const Vector squared_norms = A.colwise().squaredNorm();
  std::vector<std::pair<double, Vector>> found;
  // Eigenvalues ascend.
  for (Index k = 0; k < std::min(most, A.rows()); ++k) {
    Vector signs = SignsOf(A.transpose() *
                           eigen.vectors.col(eigen.vectors.cols() - 1 - k));
    Climb(A, squared_norms, signs);
    signs *= signs(signs.size() - 1);
    const bool is_new =
        std::none_of(found.begin(), found.end(),
                     [&](const auto& other) { return other.second == signs; });
    if (is_new) found.emplace_back((A * signs).squaredNorm(), signs);
  }
  std::stable_sort(
      found.begin(), found.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Vector> signs;
  signs.reserve(found.size());
  for (auto& [squared, its_signs] : found)
    signs.push_back(std::move(its_signs));
  return signs;
}

Matrix SlackFactor(const Matrix& G) {
  Matrix slack = -G;
  slack.diagonal() += RelaxationDual(G);
  // What is negative in it, for want of convergence, stays in G + LLᵀ, where
  // the bound counts it.
  const SymmetricEigen eigen = EigenDecomposition(slack);
  return eigen.vectors * eigen.values.cwiseMax(0).cwiseSqrt().asDiagonal();
}

Vector LongestSignedSum(const Matrix& A, Index enumerated) {
  if (A.cols() > enumerated) return LongSignedSums(A, 1).front();
  const uint64_t negative =
      MaximizeOverSigns<double>(A.transpose() * A).negative;
  Vector signs(A.cols());
  for (Index i = 0; i < A.cols(); ++i) {
    signs(i) = (negative >> i & 1) != 0 ? -1 : 1;
  }
  return signs;
}

double SignedSumBound(const Matrix& A, Index enumerated) {
  double length = 0;
  for (Index begin = 0; begin < A.cols(); begin += kSignedSumBlock) {
    const Index size = std::min(kSignedSumBlock, A.cols() - begin);
    length += std::sqrt(BlockBound(A.middleCols(begin, size), enumerated));
  }
  return length * length;
}

}  // namespace cloak
