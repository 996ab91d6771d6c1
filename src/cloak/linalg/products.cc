#include "cloak/linalg/products.h"

#include <vector>

namespace cloak {
namespace {

constexpr Index kPanelColumns = 512;

}  // namespace

Matrix Product(const Matrix& A, const Matrix& B, const Threads& threads) {
  Matrix product(A.rows(), B.cols());
  threads.ForBlocks(B.cols(), kPanelColumns, [&](Index begin, Index end) {
    product.middleCols(begin, end - begin).noalias() =
        A * B.middleCols(begin, end - begin);
  });
  return product;
}

Matrix ProductTransposed(const Matrix& A, const Matrix& B,
                         const Threads& threads) {
  constexpr Index kBlock = 2 * kPanelColumns;
  std::vector<Matrix> partial((A.cols() + kBlock - 1) / kBlock);
  threads.ForBlocks(A.cols(), kBlock, [&](Index begin, Index end) {
    partial[begin / kBlock].noalias() =
        A.middleCols(begin, end - begin) *
        B.middleCols(begin, end - begin).transpose();
  });
  Matrix product = Matrix::Zero(A.rows(), B.rows());
  for (const Matrix& part : partial) product += part;
  return product;
}

Matrix WeightedGram(const Matrix& A, const Vector& w, const Threads& threads) {
  constexpr Index kBlock = 2 * kPanelColumns;
  std::vector<Matrix> partial((A.cols() + kBlock - 1) / kBlock);
  threads.ForBlocks(A.cols(), kBlock, [&](Index begin, Index end) {
    const Index width = end - begin;
    const Matrix scaled = A.middleCols(begin, width) *
                          w.segment(begin, width).cwiseSqrt().asDiagonal();
    Matrix& part = partial[begin / kBlock];
    part.setZero(A.rows(), A.rows());
    part.selfadjointView<Eigen::Lower>().rankUpdate(scaled);
  });
  Matrix gram = Matrix::Zero(A.rows(), A.rows());
  for (const Matrix& part : partial) gram += part;
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  return gram;
}

Matrix Gram(const Matrix& A, const Threads& threads) {
  constexpr Index kBlock = 128;
  const Index n = A.rows();
  Matrix gram(n, n);
  threads.ForBlocks(n, kBlock, [&](Index begin, Index end) {
    const Index width = end - begin;
    gram.block(begin, begin, n - begin, width).noalias() =
        A.bottomRows(n - begin) * A.middleRows(begin, width).transpose();
  });
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  return gram;
}

}  // namespace cloak
