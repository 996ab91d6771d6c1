#include "cloak/selection/cross_validation.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// By hand, because what std::shuffle does is not the same everywhere.
std::vector<Index> ShuffledNumbers(Index count) {
  std::vector<Index> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  std::mt19937_64 generator(1);
  for (size_t i = numbers.size(); i > 1; --i) {
    std::swap(numbers[i - 1], numbers[generator() % i]);
  }
  return numbers;
}

}  // namespace

std::vector<Fold> DealFolds(const PrivacyUnits& units, Index count) {
  RequireInput(count >= 2 && count <= units.count(), "there must be from 2 to ",
               units.count(), " folds, as many as there are ",
               units.IsEachRow() ? "rows" : "units", ", but there are ", count);
  std::vector<Index> fold_of_row(static_cast<size_t>(units.rows()));
  const std::vector<Index> order = ShuffledNumbers(units.count());
  for (Index k = 0; k < units.count(); ++k) {
    for (const Index row : units.Rows(order[static_cast<size_t>(k)])) {
      fold_of_row[static_cast<size_t>(row)] = k % count;
    }
  }
  std::vector<Fold> folds(static_cast<size_t>(count));
  for (Index row = 0; row < units.rows(); ++row) {
    for (Index k = 0; k < count; ++k) {
      Fold& fold = folds[static_cast<size_t>(k)];
      const bool held_out = fold_of_row[static_cast<size_t>(row)] == k;
      (held_out ? fold.held_out : fold.rest).push_back(row);
    }
  }
  return folds;
}

Residuals LeaveFoldsOut(const std::vector<Fold>& folds, Index rows,
                        const LinearPredictor& predict) {
  Residuals residuals{-Matrix::Identity(rows, rows)};
  for (const Fold& fold : folds) {
    const LinearPrediction prediction = predict(fold);
    RequireInput(
        prediction.C.rows() == static_cast<Index>(fold.held_out.size()) &&
            prediction.C.cols() == static_cast<Index>(fold.rest.size()),
        "predictions of ", fold.held_out.size(), " rows from ",
        fold.rest.size(), " others must be a matrix of that size, but are ",
        prediction.C.rows(), " x ", prediction.C.cols());
    residuals.T(fold.held_out, fold.rest) = prediction.C;
    residuals.squared_noise += prediction.squared_noise;
  }
  return residuals;
}

}  // namespace cloak
