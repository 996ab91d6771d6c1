#ifndef CLOAK_TESTS_TESTING_JSON_MATRIX_H_
#define CLOAK_TESTS_TESTING_JSON_MATRIX_H_

#include <nlohmann/json.hpp>

#include "cloak/linalg/matrix.h"

namespace cloak {

// A list of rows, as oracles write them.
inline Matrix ToMatrix(const nlohmann::json& rows) {
  Matrix matrix(static_cast<Index>(rows.size()),
                static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      matrix(i, j) = rows.at(static_cast<size_t>(i)).at(static_cast<size_t>(j));
    }
  }
  return matrix;
}

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_JSON_MATRIX_H_
