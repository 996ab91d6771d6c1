#include "cloak/linalg/products.h"

#include <vector>

namespace cloak {
namespace {

constexpr Index kColumns = 512;

}  // namespace

Matrix Product(const Matrix& A, const Matrix& B, const Threads& threads) {
  Matrix product(A.rows(), B.cols());
  threads.ForBlocks(B.cols(), kColumns, [&](Index begin, Index end) {
    product.middleCols(begin, end - begin).noalias() =
        A * B.middleCols(begin, end - begin);
  });
  return product;
}

Matrix ProductTransposed(const Matrix& A, const Matrix& B,
                         const Threads& threads) {
  constexpr Index kBlock = 8 * kColumns;
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
