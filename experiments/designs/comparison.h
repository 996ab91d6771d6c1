#ifndef CLOAK_EXPERIMENTS_DESIGNS_COMPARISON_H_
#define CLOAK_EXPERIMENTS_DESIGNS_COMPARISON_H_

#include <string>
#include <vector>

#include "cloak/design/noise_design.h"
#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// What every design is given. All of it is public: no output is read.
struct DesignTask {
  Matrix X;   // inputs of the rows
  Matrix Xs;  // where predictions matter
  Kernel kernel = Kernel::Eq(1, 1);
  double noise_variance = 1;
  // Noise on a statistic that one output moves by at most its whole range,
  // and that range.
  double s = 1;
  double width = 1;
};

// f̃ = C y + noise · z, z ~ N(0, I): any release that is linear in the outputs,
// as predictions at Xs.
struct LinearRelease {
  Matrix C;      // P x N
  Matrix noise;  // P x r
};

// Cov(f − f̃) at Xs under the prior, over f, y and z:
//   K** − C Kf* − K*f Cᵀ + C K_y Cᵀ + noise noiseᵀ.
// With C = K*f K_y⁻¹ and no noise it is the posterior covariance.
Matrix ErrorCovariance(const DesignTask& task, const LinearRelease& release,
                       const Threads& threads);

// The posterior mean given every output: no privacy.
LinearRelease WithoutPrivacy(const DesignTask& task, const Threads& threads);

// R y + s z decoded by Bayes: with A = R K_y Rᵀ + s²I the posterior mean is
// K*f RᵀA⁻¹ (R y + s z).
LinearRelease DecodedByBayes(const DesignTask& task, const Matrix& R,
                             const Threads& threads);

struct DesignOutcome {
  std::string name;
  NoiseDesign design;
  double seconds = 0;  // the best of a few runs
  // As its own method decodes it: `volume` and `trace` as published, `bayes`
  // by Bayes.
  LinearRelease release;
  Matrix error;
  // The same statistic, decoded by Bayes.
  Matrix error_by_bayes;
};

struct Comparison {
  Matrix prior;            // covariance of f at Xs, no outputs at all
  Matrix without_privacy;  // all outputs, no noise
  std::vector<DesignOutcome> outcomes;  // volume, trace, bayes
};

Comparison CompareDesigns(const DesignTask& task, const Threads& threads);

// Root mean square of the standard deviations on the diagonal.
double RootMeanVariance(const Matrix& covariance);

// The same over the rows, each at the place of Xs that is nearest to it: where
// people are, rather than everywhere alike.
double RootMeanVarianceAtRows(const DesignTask& task, const Matrix& covariance);

// How far each row pulls the predictions when its output goes through its
// whole range: width · root mean square over Xs of a column of C.
Vector RowPulls(const DesignTask& task, const LinearRelease& release);

// Of {x : xᵀ covariance⁻¹ x ≤ 1}, for a 2 x 2 matrix.
double EllipseArea(const Matrix& covariance);

// Noise in the predictions alone: noise noiseᵀ.
Matrix NoiseCovariance(const LinearRelease& release);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_DESIGNS_COMPARISON_H_
