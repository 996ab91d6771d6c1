#ifndef CLOAK_EXPERIMENTS_SMITH2021_PUBLISHED_SELECTION_H_
#define CLOAK_EXPERIMENTS_SMITH2021_PUBLISHED_SELECTION_H_

#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/models/outputs/linear_prediction.h"

namespace cloak {

// A candidate as section 5 of Smith et al. 2021 scores it.
struct PublishedScore {
  // Algorithm 1: residuals cut off at ±4d, squared, and the squared noise
  // (expected; the paper draws it).
  double squared_error = 0;
  // Equation 13, 9d² + Σ d² max_j |c_jk|² over all folds but that where it is
  // least. It lacks the cross term: no release may rest on it.
  double sensitivity = 0;
};

// `z` are the outputs less the prior mean, d the width of their bounds.
PublishedScore ScoreAsPublished(const Setting& setting, const Regression& task,
                                const std::vector<Fold>& folds,
                                const Vector& z);

// Equations 12 and 14: in proportion to exp(−ε SSE/(2Δ)), Δ the largest
// sensitivity; 0 for those whose sensitivity is above `most`, which are left
// out.
Vector PublishedProbabilities(const std::vector<PublishedScore>& scores,
                              double epsilon, double most);

// The example of section 5.1: four points on a line, of which two predict the
// other two, by their mean (candidate 0) or by a line through them (1).
struct LineExample {
  Setting setting;
  Vector y;
  std::vector<Fold> halves;       // 0, 1 and 2, 4
  std::vector<Fold> interleaved;  // 0, 2 and 1, 4

  LineExample();
  // Least squares by polynomials of this degree. `published`: with the
  // paper's noise.
  static Regression Polynomial(Index degree, bool published);
};

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_SMITH2021_PUBLISHED_SELECTION_H_
