#include "cloak/linalg/kmeans.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr Index kRowsOfATask = 1024;

// −1, 0 or 1 as row i of X stands before, equals or stands after row j.
int Compare(const Matrix& X, Index i, Index j) {
  for (Index d = 0; d < X.cols(); ++d) {
    if (X(i, d) != X(j, d)) return X(i, d) < X(j, d) ? -1 : 1;
  }
  return 0;
}

// Every column divided by its standard deviation; constant ones are left out
// by being 0. First by the largest entry, so that squares do not overflow.
Matrix Standardized(const Matrix& X, const Vector& weights) {
  const double total = weights.sum();
  Matrix scaled = X;
  for (Index d = 0; d < X.cols(); ++d) {
    auto column = scaled.col(d);
    const double largest = column.cwiseAbs().maxCoeff();
    if (largest > 0) column /= largest;
    column.array() -= weights.dot(column) / total;
    const double sd = std::sqrt(weights.dot(column.cwiseAbs2()) / total);
    if (sd > 0) column /= sd;
  }
  return scaled;
}

// The centre nearest to each row, and how far it is.
struct Assignment {
  std::vector<Index> cluster;
  Vector squared_distance;
};

// `nearest` takes centre k where that is nearer.
void Offer(const Matrix& rows, const Eigen::RowVectorXd& centre, Index k,
           const Threads& threads, Assignment* nearest) {
  threads.ForBlocks(rows.rows(), kRowsOfATask, [&](Index begin, Index end) {
    const Vector squared =
        (rows.middleRows(begin, end - begin).rowwise() - centre)
            .rowwise()
            .squaredNorm();
    for (Index i = begin; i < end; ++i) {
      if (squared(i - begin) >= nearest->squared_distance(i)) continue;
      nearest->squared_distance(i) = squared(i - begin);
      nearest->cluster[static_cast<size_t>(i)] = k;
    }
  });
}

Assignment NoCentreYet(Index rows) {
  return {std::vector<Index>(static_cast<size_t>(rows), 0),
          Vector::Constant(rows, std::numeric_limits<double>::infinity())};
}

Assignment Assign(const Matrix& rows, const Matrix& centres,
                  const Threads& threads) {
  Assignment nearest = NoCentreYet(rows.rows());
  for (Index k = 0; k < centres.rows(); ++k) {
    Offer(rows, centres.row(k), k, threads, &nearest);
  }
  return nearest;
}

// A row drawn with a probability in proportion to `mass`. Not by one of the
// standard library's distributions, which differ between libraries.
Index Draw(const Vector& mass, std::mt19937_64* generator) {
  const double uniform =
      std::ldexp(static_cast<double>((*generator)() >> 11), -53);
  double left = uniform * mass.sum();
  Index last = 0;  // with any mass, against rounding
  for (Index i = 0; i < mass.size(); ++i) {
    if (mass(i) <= 0) continue;
    last = i;
    left -= mass(i);
    if (left < 0) break;
  }
  return last;
}

// Arthur and Vassilvitskii 2007, section 2.2. The rows are different, so that
// those which are not a centre have a distance (unless it is too small for a
// double; then the first of them is taken).
Matrix FirstCentres(const Matrix& rows, const Vector& weights, Index count,
                    const Threads& threads, uint64_t seed) {
  std::mt19937_64 generator(seed);
  Assignment nearest = NoCentreYet(rows.rows());
  Vector free = Vector::Ones(rows.rows());
  Matrix centres(count, rows.cols());
  for (Index k = 0; k < count; ++k) {
    Vector mass = weights.cwiseProduct(free);
    if (k > 0) mass = mass.cwiseProduct(nearest.squared_distance);
    const Index chosen = Draw(mass.maxCoeff() > 0 ? mass : free, &generator);
    free(chosen) = 0;
    centres.row(k) = rows.row(chosen);
    Offer(rows, centres.row(k), k, threads, &nearest);
  }
  return centres;
}

// Gives every cluster without a row the one that is farthest from its centre,
// of those that are not alone.
void FillEmptyClusters(Index count, Assignment* nearest) {
  std::vector<Index> members(static_cast<size_t>(count), 0);
  for (const Index k : nearest->cluster) ++members[static_cast<size_t>(k)];
  for (Index k = 0; k < count; ++k) {
    if (members[static_cast<size_t>(k)] > 0) continue;
    Index farthest = -1;
    for (Index i = 0; i < nearest->squared_distance.size(); ++i) {
      const Index old = nearest->cluster[static_cast<size_t>(i)];
      if (members[static_cast<size_t>(old)] < 2) continue;
      if (farthest < 0 ||
          nearest->squared_distance(i) > nearest->squared_distance(farthest)) {
        farthest = i;
      }
    }
    Index& cluster = nearest->cluster[static_cast<size_t>(farthest)];
    --members[static_cast<size_t>(cluster)];
    cluster = k;
    members[static_cast<size_t>(k)] = 1;
    nearest->squared_distance(farthest) = 0;
  }
}

// Means of the clusters, from differences to one of their rows: the centre of
// a single row is that row, bit for bit.
KMeansClusters MeansOf(const Matrix& rows, const Vector& weights,
                       const std::vector<Index>& cluster, Index count) {
  Matrix first = Matrix::Zero(count, rows.cols());
  Matrix sums = Matrix::Zero(count, rows.cols());
  Vector totals = Vector::Zero(count);
  for (Index i = 0; i < rows.rows(); ++i) {
    const Index k = cluster[static_cast<size_t>(i)];
    if (totals(k) == 0) first.row(k) = rows.row(i);
    sums.row(k) += weights(i) * (rows.row(i) - first.row(k));
    totals(k) += weights(i);
  }
  return {first + totals.cwiseInverse().asDiagonal() * sums, totals};
}

std::vector<Index> EvenlySpaced(Index size, Index most) {
  std::vector<Index> chosen(static_cast<size_t>(std::min(size, most)));
  for (size_t j = 0; j < chosen.size(); ++j) {
    chosen[j] = size <= most ? static_cast<Index>(j)
                             : static_cast<Index>(j) * size / most;
  }
  return chosen;
}

// Lloyd's steps on rows that are different.
Matrix PlaceCentres(const Matrix& rows, const Vector& weights, Index count,
                    const Threads& threads, const KMeansOptions& options) {
  Matrix centres = FirstCentres(rows, weights, count, threads, options.seed);
  std::vector<Index> before;
  for (int step = 0; step < options.max_steps; ++step) {
    Assignment nearest = Assign(rows, centres, threads);
    FillEmptyClusters(count, &nearest);
    if (nearest.cluster == before) break;
    centres = MeansOf(rows, weights, nearest.cluster, count).centres;
    before = std::move(nearest.cluster);
  }
  return centres;
}

}  // namespace

DistinctRows FindDistinctRows(const Matrix& X) {
  std::vector<Index> order(static_cast<size_t>(X.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto before = [&](Index i, Index j) { return Compare(X, i, j) < 0; };
  if (!std::ranges::is_sorted(order, before)) {
    std::ranges::stable_sort(order, before);
  }
  std::vector<Index> first;
  std::vector<double> counts;
  std::vector<Index> of_row(order.size());
  for (const Index i : order) {
    if (first.empty() || Compare(X, first.back(), i) != 0) {
      first.push_back(i);
      counts.push_back(0);
    }
    ++counts.back();
    of_row[static_cast<size_t>(i)] = static_cast<Index>(first.size()) - 1;
  }
  return {X(first, Eigen::all),
          Eigen::Map<const Vector>(counts.data(),
                                   static_cast<Index>(counts.size())),
          std::move(of_row)};
}

KMeansClusters KMeans(const Matrix& X, Index count, const Threads& threads,
                      const KMeansOptions& options) {
  RequireInput(X.rows() > 0 && X.cols() > 0 && X.allFinite(),
               "the inputs must be a finite table with at least one row "
               "and one column, but are ",
               X.rows(), " x ", X.cols());
  const DistinctRows distinct = FindDistinctRows(X);
  RequireInput(count >= 1 && count <= distinct.rows.rows(),
               "the number of centres must be from 1 to the number of "
               "different inputs, ",
               distinct.rows.rows(), ", but is ", count);
  const Matrix scaled = Standardized(distinct.rows, distinct.weights);
  const std::vector<Index> some = EvenlySpaced(
      scaled.rows(), std::max({options.most_rows, count, Index{1}}));
  const Matrix centres =
      PlaceCentres(scaled(some, Eigen::all), distinct.weights(some), count,
                   threads, options);
  Assignment nearest = Assign(scaled, centres, threads);
  FillEmptyClusters(count, &nearest);
  KMeansClusters clusters =
      MeansOf(distinct.rows, distinct.weights, nearest.cluster, count);
  RequireInput(clusters.centres.allFinite(),
               "the inputs are too large for double precision; rescale them");
  return clusters;
}

}  // namespace cloak
