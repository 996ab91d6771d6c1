#include "cloak/linalg/cholesky.h"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr Index kTile = 256;         // width of a panel
constexpr Index kStrip = 1024;       // rows of one task below a panel
constexpr Index kTaskColumns = 128;  // right-hand sides of one task

int Int(Index i) { return static_cast<int>(i); }

// Right-looking blocked factorisation of the lower triangle, in place. Every
// task writes its own part of A, so the result does not depend on the order
// in which tasks run. Returns 0, or the (1-based) column that was not
// positive.
Index FactorInPlace(Matrix& A, const Threads& threads) {
  const Index n = A.rows();
  const Index stride = A.outerStride();
  const auto at = [&](Index i, Index j) { return A.data() + i + j * stride; };
  for (Index k = 0; k < n; k += kTile) {
    const Index width = std::min(kTile, n - k);
    const int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', Int(width), at(k, k),
                                    Int(stride));
    if (info != 0) return k + std::max(info, 1);
    const Index below = k + width;
    if (below >= n) break;
    threads.ForBlocks(n - below, kTile, [&](Index begin, Index end) {
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans,
                  CblasNonUnit, Int(end - begin), Int(width), 1, at(k, k),
                  Int(stride), at(below + begin, k), Int(stride));
    });
    // Trailing update, one task for each strip of each column tile.
    const Index tiles = (n - below + kTile - 1) / kTile;
    const Index strips = (n - below + kStrip - 1) / kStrip;
    threads.ForBlocks(tiles * strips, 1, [&](Index task, Index) {
      const Index j = below + task / strips * kTile;
      const Index columns = std::min(kTile, n - j);
      const Index top = below + task % strips * kStrip;
      const Index bottom = std::min(n, top + kStrip);
      Index first = std::max(top, j);
      if (top <= j && j < bottom) {
        const Index square = std::min(columns, bottom - j);
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, Int(square),
                    Int(width), -1, at(j, k), Int(stride), 1, at(j, j),
                    Int(stride));
        first = j + square;
      }
      if (first < bottom) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans,
                    Int(bottom - first), Int(columns), Int(width), -1,
                    at(first, k), Int(stride), at(j, k), Int(stride), 1,
                    at(first, j), Int(stride));
      }
    });
  }
  return 0;
}

// Blocked substitution: one panel after the other, columns of B in parallel
// when there are many, rows in parallel otherwise.
void SolveInPlace(const Matrix& L, Matrix& B, bool transposed,
                  const Threads& threads) {
  const Index n = L.rows();
  const int ldl = Int(L.outerStride());
  const int ldb = Int(B.outerStride());
  const Index panels = (n + kTile - 1) / kTile;
  const auto l = [&](Index i, Index j) {
    return L.data() + i + j * L.outerStride();
  };
  const auto b = [&](Index i, Index j) {
    return B.data() + i + j * B.outerStride();
  };
  for (Index step = 0; step < panels; ++step) {
    const Index k = (transposed ? panels - 1 - step : step) * kTile;
    const Index width = std::min(kTile, n - k);
    threads.ForBlocks(B.cols(), kTaskColumns, [&](Index begin, Index end) {
      cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower,
                  transposed ? CblasTrans : CblasNoTrans, CblasNonUnit,
                  Int(width), Int(end - begin), 1, l(k, k), ldl, b(k, begin),
                  ldb);
    });
    const Index first = transposed ? 0 : k + width;
    const Index rest = transposed ? k : n - first;
    threads.ForBlocks(rest, kStrip, [&](Index begin, Index end) {
      const Index row = first + begin;
      cblas_dgemm(CblasColMajor, transposed ? CblasTrans : CblasNoTrans,
                  CblasNoTrans, Int(end - begin), Int(B.cols()), Int(width), -1,
                  transposed ? l(k, row) : l(row, k), ldl, b(k, 0), ldb, 1,
                  b(row, 0), ldb);
    });
  }
}

Cholesky Factored(Cholesky factor, const std::string& what) {
  if (factor.outcome() == Cholesky::kFailed) {
    throw Error(Text(what, " is not positive definite"));
  }
  return factor;
}

}  // namespace

Cholesky::Cholesky(Matrix A, const Threads& threads,
                   const CholeskyOptions& options)
    : threads_(threads), factor_(std::move(A)) {
  RequireInput(factor_.rows() == factor_.cols() && factor_.rows() > 0,
               "a Cholesky factor needs a square matrix, but this is ",
               factor_.rows(), " x ", factor_.cols());
  const Vector diagonal = factor_.diagonal();
  const double scale = diagonal.mean();
  if (!(std::isfinite(scale) && scale > 0)) {
    message_ = Text(
        "the mean of the diagonal must be finite and positive, "
        "but is ",
        scale);
    return;
  }
  Index failed = FactorInPlace(factor_, threads_);
  for (int attempt = 0; failed != 0 && attempt < options.jitter_tries;
       ++attempt) {
    jitter_ = scale * options.first_jitter * std::pow(10, attempt);
    factor_.triangularView<Eigen::StrictlyLower>() = factor_.transpose();
    factor_.diagonal() = diagonal.array() + jitter_;
    failed = FactorInPlace(factor_, threads_);
  }
  if (failed != 0) {
    message_ =
        Text("the matrix is not positive definite at column ", failed, " of ",
             size(), ", even with ", jitter_, " added to its diagonal");
    return;
  }
  outcome_ = jitter_ > 0 ? kJittered : kExact;
  message_ = jitter_ > 0 ? Text("factored after ", jitter_,
                                " was added to the diagonal")
                         : "factored";
}

void Cholesky::RequireFactor() const {
  if (outcome_ == kFailed) throw Error("no Cholesky factor: " + message_);
}

Matrix Cholesky::L() const {
  RequireFactor();
  return factor_.triangularView<Eigen::Lower>();
}

double Cholesky::LogDeterminant() const {
  RequireFactor();
  return 2 * factor_.diagonal().array().log().sum();
}

Matrix Cholesky::SolveLower(Matrix B) const {
  RequireFactor();
  SolveInPlace(factor_, B, false, threads_);
  return B;
}

Matrix Cholesky::SolveUpper(Matrix B) const {
  RequireFactor();
  SolveInPlace(factor_, B, true, threads_);
  return B;
}

Matrix Cholesky::Solve(Matrix B) const {
  return SolveUpper(SolveLower(std::move(B)));
}

Cholesky FactorExactly(Matrix A, const Threads& threads,
                       const std::string& what) {
  return Factored(Cholesky(std::move(A), threads, {.jitter_tries = 0}), what);
}

Cholesky FactorNearly(Matrix A, const Threads& threads,
                      const std::string& what) {
  return Factored(Cholesky(std::move(A), threads), what);
}

}  // namespace cloak
