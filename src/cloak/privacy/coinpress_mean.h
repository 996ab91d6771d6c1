#ifndef CLOAK_PRIVACY_COINPRESS_MEAN_H_
#define CLOAK_PRIVACY_COINPRESS_MEAN_H_

#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/exact_gaussian.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

struct CoinpressOptions {
  // How often the ball is tightened, the final estimate included. More steps
  // help when the radius is many times the spread of the rows.
  int steps = 3;
  // The part of the budget (of mu^2, or of rho) that the final estimate has;
  // the other steps share the rest evenly.
  double last_share = 0.75;
  // From public knowledge: about the largest standard deviation of the rows in
  // any direction. When it is too small, rows are clipped that should not be,
  // and the estimate is biased; when too large, it is noisier. The guarantee
  // does not depend on it.
  double deviation = 1;
  // For normal rows: the probability that any row is clipped or the mean
  // leaves the ball.
  double failure = 0.1;
};

// The result of a CoinpressMean. Public.
struct NoisyMean {
  // The estimate: the mean of the rows, clipped in the last step, with
  // independent N(0, noise_sd^2) on each number. It may lie outside the ball
  // given.
  Vector mean;
  double noise_sd = 0;
  // The ball that rows were clipped to in the last step, and the release
  // itself: mean = clip_centre + step integers/n.
  Vector clip_centre;
  double clip_radius = 0;
  double step = 0;
  std::vector<Int128> integers;
};

// The mean of n private rows that lies, as is publicly known, in a ball of
// this centre and radius (COINPRESS: Biswas, Dong, Kamath and Ullman 2020,
// Algorithms MVM and MVMRec). Neighbours differ by substituting one row; n is
// public. Each step clips the rows to the ball, enlarged by how far rows spread
// around their mean, publishes their mean with noise, and takes it, with a
// smaller radius, for the ball of the next step.
//
// Every step is an exact Gaussian release of integers (exact_gaussian.h).
// With b = kRowBits, c the centre and w the radius to clip to,
//   q_i = the vector of integers (x_i - c) min(1, w/|x_i - c|)/unit, each
//         rounded towards 0, unit = w (1 + 2^-40)/2^b,
//   t   = sum_i q_i,
//   published: t_k + round(s N_k).
//
// Sensitivity. Each row is clipped before it is added. q_i depends on row i
// and on what is public (in later steps: on what was published), and
// |q_i|^2 <= 2^(2b) is enforced on the integers, whatever floating point did
// before and whatever the row is. So substituting a row moves t by at most
// |q_i| + |q_i'| <= 2 2^b, and Delta^2 = 2^(2b+2), in every step.
//
// Budget. Step j is mu_j-Gaussian-DP, mu_j = Delta/s_j, given what was
// published before, so all steps together are sqrt(sum mu_j^2)-Gaussian-DP
// (Dong, Roth and Su 2022). With sigma that of the budget
// (analytic_gaussian.h) and w_j the shares, s_j >= Delta sigma/sqrt(w_j),
// rounded up, so sum mu_j^2 <= 1/sigma^2 sum w_j <= 1/sigma^2.
class CoinpressMean {
 public:
  static constexpr int kRowBits = 30;

  // Throws InvalidInput unless 1 <= n <= 2^40, there is at least one column,
  // the centre is finite, the radius and the deviation are from 1e-100 to
  // 1e100, steps from 1 to 100, and last_share and failure between 0 and 1.
  CoinpressMean(Index n, const Vector& centre, double radius,
                const Budget& budget, const CoinpressOptions& options = {});

  const Budget& budget() const { return budget_; }
  // All steps together are mu-Gaussian-DP, rounded up.
  double mu() const { return mu_; }

  // The noise of each step, in integers.
  const std::vector<ExactGaussian>& noises() const { return noises_; }

  // Publishes the mean of the rows. Each call spends the whole budget again.
  // Throws InvalidInput if there are not n rows of as many numbers as the
  // centre has, and PrivacyFailure if random numbers fail, before any row is
  // read. A row with something that is not a number counts as the centre.
  NoisyMean Release(const Secret<Matrix>& rows, Randomness& random) const;

 private:
  struct Ball {
    Vector centre;
    double radius = 0;
  };

  // The probability of failure that step j may have.
  double StepFailure(size_t step) const;
  // Clips, adds up, and adds `noise`.
  NoisyMean Step(const Matrix& X, const Ball& ball, size_t step,
                 DrawnNoise noise) const;
  // Where the mean is, given what was published.
  Ball Tighten(const Ball& ball, const NoisyMean& noisy, size_t step) const;

  Index n_;
  Ball ball_;
  Budget budget_;
  CoinpressOptions options_;
  std::vector<ExactGaussian> noises_;
  double mu_ = 0;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_COINPRESS_MEAN_H_
