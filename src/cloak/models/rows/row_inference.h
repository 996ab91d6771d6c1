#ifndef CLOAK_MODELS_ROWS_ROW_INFERENCE_H_
#define CLOAK_MODELS_ROWS_ROW_INFERENCE_H_

#include <memory>
#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/linalg/cell_tree.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/rows/row_statistic.h"
#include "cloak/release/release.h"
#include "cloak/selection/hyper_prior.h"

namespace cloak {

// The mean of φ(x), and of what the basis leaves of f, over rows that are
// spread evenly in a cell. (By two Gauss-Legendre points in each input, if
// there are few inputs; at the middle of the cell otherwise.)
struct CellMeans {
  Matrix Phi;       // M x C
  Vector residual;  // C
};

// Inference from rounds, for one kind of output. What is believed of f decides
// how large the noise on what was published is, and that what is believed of f:
// a few passes bring both in line.
class RowInference {
 public:
  virtual ~RowInference() = default;

  const CellTree& cells() const { return cells_; }
  const HyperPrior& prior() const { return prior_; }
  const Matrix& basis_points() const { return Z_; }

  // Returns the same inference on other cells. The basis follows these, but
  // cells in which few of the `expected_rows` are matter less to it.
  virtual std::unique_ptr<RowInference> OnCells(
      const CellTree& cells, const Vector& expected_rows) const = 0;

  // Returns what is believed before anything was published.
  virtual RowBelief Beforehand(const Hyperparameters& theta) const = 0;
  // Returns what was believed when rows were put into other cells, of these.
  RowBelief BeliefHere(RowBelief elsewhere, const Vector& expected_rows) const;
  // `before`: what was believed before the last of the rounds.
  RowBelief Believe(const std::vector<PublishedSums>& rounds,
                    const RowBelief& before) const;
  // One posterior for each of the hyperparameters that are averaged over.
  std::vector<Posterior> Conclude(const std::vector<PublishedSums>& rounds,
                                  const RowBelief& before) const;

 protected:
  RowInference(const CellTree& cells, const HyperPrior& prior, double rows,
               const Threads& threads);
  RowInference(const RowInference&) = default;
  RowInference(RowInference&&) = default;
  RowInference& operator=(const RowInference&) = default;
  RowInference& operator=(RowInference&&) = default;

  // Puts rows into other cells: see OnCells.
  void PutInto(const CellTree& cells, const Vector& expected_rows);
  // Sets the belief about the mean output of each cell to what follows from
  // that about f.
  virtual void BelieveCells(const CellMeans& means,
                            RowBelief& belief) const = 0;
  // One pass.
  virtual void Refine(const std::vector<PublishedSums>& rounds,
                      const RowStatistic& statistic,
                      RowBelief& belief) const = 0;
  virtual std::vector<Posterior> Posteriors(const RowStatistic& statistic,
                                            const RowBelief& belief) const = 0;

  Basis BasisOf(const Hyperparameters& theta) const;
  CellMeans MeansOver(const Basis& basis) const;
  // Throws Error when it is not positive definite.
  Cholesky FactoredNoise(Matrix A) const;

  const Matrix& centres() const { return centres_; }
  const Threads& threads() const { return threads_; }
  // Returns how many rows a cell has if they are spread evenly over the box.
  Vector EvenRows() const;

 private:
  RowBelief Settle(const std::vector<PublishedSums>& rounds,
                   const RowStatistic& statistic, RowBelief belief) const;

  CellTree cells_;
  Matrix centres_;
  HyperPrior prior_;
  double rows_;
  Threads threads_;
  Matrix Z_;
  std::vector<DensityPrior> densities_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_ROW_INFERENCE_H_
