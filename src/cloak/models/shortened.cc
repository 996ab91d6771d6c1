#include "cloak/models/shortened.h"

#include <vector>

#include "cloak/base/text.h"

namespace cloak {

Matrix Shortened(const Matrix& factor) {
  constexpr int kDigits = 9;
  constexpr double kShort = 1e-4;  // a hundred-millionth of the variance
  std::vector<Index> kept;
  for (Index k = 0; k < factor.rows(); ++k) {
    if (factor.row(k).norm() > kShort) kept.push_back(k);
  }
  return factor(kept, Eigen::all).unaryExpr([](double value) {
    return ParseNumber(RoundedText(value, kDigits), "a rounded number");
  });
}

}  // namespace cloak
