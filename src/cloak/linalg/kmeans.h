#ifndef CLOAK_LINALG_KMEANS_H_
#define CLOAK_LINALG_KMEANS_H_

#include <cstdint>
#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// The different rows of a table, in ascending order (by the first column, then
// by the second, …), how often each occurs, and which of them each row is.
struct DistinctRows {
  Matrix rows;
  Vector weights;
  std::vector<Index> of_row = {};
};
DistinctRows FindDistinctRows(const Matrix& X);

struct KMeansOptions {
  int max_steps = 30;
  // So many of the different rows, evenly spaced in their order, place the
  // centres; all of them are counted.
  Index most_rows = 50'000;
  uint64_t seed = 1;
};

// Centres of the rows of a table and how many rows are nearest to each (at
// least one; the sum is the number of rows).
struct KMeansClusters {
  Matrix centres;
  Vector weights;
};

// Few centres c_k that stand for many *public* rows: a small
//   Σ_i min_k |x_i − c_k|²,
// with every column divided by its standard deviation. Begins with the random
// centres of Arthur and Vassilvitskii 2007 (k-means++: each next one is a row,
// with a probability in proportion to its squared distance from the nearest so
// far), then Lloyd's steps until nothing changes. The seed is fixed, so the
// same rows give the same centres on any number of threads.
//
// Throws InvalidInput unless 1 <= count <= the number of different rows.
KMeansClusters KMeans(const Matrix& X, Index count, const Threads& threads,
                      const KMeansOptions& options = {});

}  // namespace cloak

#endif  // CLOAK_LINALG_KMEANS_H_
