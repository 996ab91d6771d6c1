// Covariance matrices and gradients of a kernel, tile by tile.
#include <algorithm>
#include <memory>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/kernels/kernel.h"
#include "cloak/kernels/node.h"

namespace cloak {
namespace {

// Square tiles where the matrix is symmetric, because each is also written
// transposed; tall ones elsewhere, because columns are contiguous.
constexpr Index kSquare = 64;
constexpr Index kTallRows = 256;
constexpr Index kTallColumns = 16;
static_assert(kSquare * kSquare <= Tile::kMaxSize);
static_assert(kTallRows * kTallColumns <= Tile::kMaxSize);

// The values are not shown: they may be private.
void CheckRows(const Kernel& kernel, const Matrix& X, const char* name) {
  kernel.CheckInputs(X.cols());
  // The message is made only when it is needed: for a single row it would cost
  // more than the covariances.
  if (X.allFinite()) return;
  throw InvalidInput(Text(name,
                          " must have only finite numbers, but one is infinite "
                          "or not a number; drop or repair its row"));
}

void CheckPair(const Kernel& kernel, const Matrix& X, const Matrix& Y) {
  if (X.cols() != Y.cols()) {
    throw InvalidInput(
        Text("X and Y must have the same number of inputs, but have ", X.cols(),
             " and ", Y.cols()));
  }
  CheckRows(kernel, X, "X");
  CheckRows(kernel, Y, "Y");
}

// The rows of a table with the traits that a kernel needs of each.
class RowsWithTraits {
 public:
  RowsWithTraits(const Matrix& X, const KernelNode& root,
                 const Threads& threads)
      : X_(X), traits_(X.rows(), root.TraitCount()) {
    if (traits_.size() == 0) return;
    threads.ForBlocks(X.rows(), kTallRows, [&](Index begin, Index end) {
      root.ComputeTraits(X.middleRows(begin, end - begin),
                         traits_.middleRows(begin, end - begin));
    });
  }

  const double* inputs(Index row) const { return X_.data() + row; }
  const double* traits(Index row) const {
    return traits_.size() == 0 ? nullptr : traits_.data() + row;
  }
  Index rows() const { return X_.rows(); }
  Index columns() const { return X_.cols(); }

 private:
  const Matrix& X_;
  Matrix traits_;
};

Tile TileOf(const RowsWithTraits& X, Index row, Index rows,
            const RowsWithTraits& Y, Index column, Index columns) {
  return {.x = X.inputs(row),
          .y = Y.inputs(column),
          .x_stride = X.rows(),
          .y_stride = Y.rows(),
          .rows = rows,
          .columns = columns,
          .inputs = X.columns(),
          .x_traits = X.traits(row),
          .y_traits = Y.traits(column)};
}

std::unique_ptr<double[]> Room(Index tiles) {
  return std::make_unique_for_overwrite<double[]>(
      static_cast<size_t>(tiles * Tile::kMaxSize));
}

// Calls body(tile, row, column) for the square tiles of K(X, X) on and below
// the diagonal that stand in the columns [begin, end).
template <typename Body>
void ForLowerTiles(const RowsWithTraits& X, Index begin, Index end,
                   const Body& body) {
  for (Index row = begin; row < X.rows(); row += kSquare) {
    const Index rows = std::min(kSquare, X.rows() - row);
    Tile tile = TileOf(X, row, rows, X, begin, end - begin);
    tile.diagonal = row - begin;
    body(tile, row, begin);
  }
}

}  // namespace

Matrix Kernel::Covariance(const Matrix& X, const Threads& threads) const {
  CheckRows(*this, X, "X");
  const RowsWithTraits rows(X, *root_, threads);
  Matrix K(X.rows(), X.rows());
  threads.ForBlocks(X.rows(), kSquare, [&](Index begin, Index end) {
    const auto k = Room(1);
    const auto scratch = Room(root_->ScratchTiles());
    ForLowerTiles(
        rows, begin, end, [&](const Tile& tile, Index row, Index col) {
          root_->Evaluate(tile, k.get(), scratch.get());
          const Eigen::Map<const Matrix> block(k.get(), tile.rows,
                                               tile.columns);
          K.block(row, col, tile.rows, tile.columns) = block;
          if (row != col) {
            K.block(col, row, tile.columns, tile.rows) = block.transpose();
          }
        });
  });
  return K;
}

Matrix Kernel::CrossCovariance(const Matrix& X, const Matrix& Y,
                               const Threads& threads) const {
  CheckPair(*this, X, Y);
  const RowsWithTraits rows(X, *root_, threads);
  const RowsWithTraits other_rows(Y, *root_, threads);
  Matrix K(X.rows(), Y.rows());
  // The columns of a few rows lie one after another, as those of a tile do.
  const bool in_place = X.rows() <= kTallRows;
  threads.ForBlocks(X.rows(), kTallRows, [&](Index begin, Index end) {
    const auto room = Room(in_place ? 0 : 1);
    const auto scratch = Room(root_->ScratchTiles());
    for (Index column = 0; column < Y.rows(); column += kTallColumns) {
      const Index columns = std::min(kTallColumns, Y.rows() - column);
      const Tile tile =
          TileOf(rows, begin, end - begin, other_rows, column, columns);
      double* k = in_place ? K.col(column).data() : room.get();
      root_->Evaluate(tile, k, scratch.get());
      if (in_place) continue;
      K.block(begin, column, tile.rows, columns) =
          Eigen::Map<const Matrix>(k, tile.rows, columns);
    }
  });
  return K;
}

Vector Kernel::Variances(const Matrix& X) const {
  CheckRows(*this, X, "X");
  return root_->Variances(X);
}

Vector Kernel::Gradient(const Matrix& X, const Matrix& A,
                        const Threads& threads) const {
  CheckRows(*this, X, "X");
  RequireInput(A.rows() == X.rows() && A.cols() == X.rows(),
               "A must have a row and a column for each of the ", X.rows(),
               " rows of X, but is ", A.rows(), " by ", A.cols());
  // One column of partial sums for each block, added in their order below.
  const RowsWithTraits rows(X, *root_, threads);
  const Index blocks = (X.rows() + kSquare - 1) / kSquare;
  Matrix partial = Matrix::Zero(root_->ParameterCount(), blocks);
  threads.ForBlocks(X.rows(), kSquare, [&](Index begin, Index end) {
    const auto w = Room(1);
    const auto scratch = Room(root_->ScratchTiles());
    double* gradient = partial.col(begin / kSquare).data();
    ForLowerTiles(
        rows, begin, end, [&](const Tile& tile, Index row, Index col) {
          Eigen::Map<Matrix> weights(w.get(), tile.rows, tile.columns);
          weights = A.block(row, col, tile.rows, tile.columns);
          if (row != col) {
            weights += A.block(col, row, tile.columns, tile.rows).transpose();
          }
          root_->AddGradient(tile, w.get(), gradient, scratch.get());
        });
  });
  Vector total = Vector::Zero(partial.rows());
  for (Index block = 0; block < blocks; ++block) total += partial.col(block);
  return total;
}

Vector Kernel::CrossGradient(const Matrix& X, const Matrix& Y, const Matrix& A,
                             const Threads& threads) const {
  CheckPair(*this, X, Y);
  RequireInput(A.rows() == X.rows() && A.cols() == Y.rows(),
               "A must have a row for each of the ", X.rows(),
               " rows of X and a column for each of the ", Y.rows(),
               " of Y, but is ", A.rows(), " by ", A.cols());
  const RowsWithTraits rows(X, *root_, threads);
  const RowsWithTraits other_rows(Y, *root_, threads);
  const Index blocks = (X.rows() + kTallRows - 1) / kTallRows;
  Matrix partial = Matrix::Zero(root_->ParameterCount(), blocks);
  threads.ForBlocks(X.rows(), kTallRows, [&](Index begin, Index end) {
    const auto w = Room(1);
    const auto scratch = Room(root_->ScratchTiles());
    double* gradient = partial.col(begin / kTallRows).data();
    for (Index column = 0; column < Y.rows(); column += kTallColumns) {
      const Index columns = std::min(kTallColumns, Y.rows() - column);
      const Tile tile =
          TileOf(rows, begin, end - begin, other_rows, column, columns);
      Eigen::Map<Matrix>(w.get(), tile.rows, columns) =
          A.block(begin, column, tile.rows, columns);
      root_->AddGradient(tile, w.get(), gradient, scratch.get());
    }
  });
  return partial.rowwise().sum();
}

Vector Kernel::VariancesGradient(const Matrix& X, const Vector& a) const {
  CheckRows(*this, X, "X");
  RequireInput(a.size() == X.rows(), "a must have a number for each of the ",
               X.rows(), " rows of X, but has ", a.size());
  Vector gradient = Vector::Zero(root_->ParameterCount());
  const auto scratch = Room(root_->ScratchTiles());
  const RowsWithTraits rows(X, *root_, Threads(1));
  for (Index i = 0; i < X.rows(); ++i) {
    Tile tile = TileOf(rows, i, 1, rows, i, 1);
    tile.diagonal = 0;
    root_->AddGradient(tile, &a(i), gradient.data(), scratch.get());
  }
  return gradient;
}

}  // namespace cloak
