#include "cloak/design/bayes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/design/certificate.h"
#include "cloak/design/descent.h"
#include "cloak/design/unit_spheres.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// Variance below this fraction of the prior's is as good as none.
constexpr double kSpentToTheLast = 1e-9;

constexpr int kRoundsInVain = 4;

// F(R) = Σ weight · tr(Q HᵀA⁻¹H) and its gradient
//   2 Σ weight · (TΦ − C R D),  B = A⁻¹HQ,  C = B HᵀA⁻¹,  T = B − C H.
double ExplainedWithGradient(const std::vector<DesignPrior>& priors, double s,
                             const Matrix& R, const Threads& threads,
                             Matrix& gradient) {
  constexpr Index kBlock = 512;
  gradient.setZero(R.rows(), R.cols());
  double explained = 0;
  for (const DesignPrior& prior : priors) {
    const Matrix H = ProductTransposed(R, prior.Phi, threads);
    const Cholesky cholesky(StatisticCovariance(prior, H, s, R, threads),
                            threads);
    const Matrix B = cholesky.Solve(H * prior.Q);
    const Matrix C =
        2 * prior.weight *
        cholesky.Solve(Matrix((B * H.transpose()).transpose())).transpose();
    const Matrix T = 2 * prior.weight * B - C * H;
    explained += prior.weight * B.cwiseProduct(H).sum();
    threads.ForBlocks(R.cols(), kBlock, [&](Index begin, Index end) {
      const Index width = end - begin;
      const Matrix RD = R.middleCols(begin, width) *
                        prior.D.segment(begin, width).asDiagonal();
      auto block = gradient.middleCols(begin, width);
      block.noalias() += T * prior.Phi.middleCols(begin, width);
      block.noalias() -= C * RD;
    });
  }
  return explained;
}

// R with the rows z that the certificate found below it, each as long as it is
// worth. Given R y the variance of zᵀy is v, so that a row √η z explains more
// by value · η/(1 + η v/s²), and its norm is worth 1 elsewhere: η =
// (√value − 1) s²/v.
Matrix WithEscapes(const std::vector<DesignPrior>& priors, double s,
                   const Matrix& R, const ExplainedVarianceBound& bound,
                   const Threads& threads) {
  const Matrix& z = bound.escape;
  if (z.rows() == 0) return R;
  Vector v = Vector::Zero(z.rows());
  for (const DesignPrior& prior : priors) {
    const Matrix H = ProductTransposed(R, prior.Phi, threads);
    const Matrix h = ProductTransposed(z, prior.Phi, threads);
    const Matrix scaled = z * prior.D.asDiagonal();
    const Matrix across =
        H * h.transpose() + ProductTransposed(R, scaled, threads);
    const Matrix solved =
        Cholesky(StatisticCovariance(prior, H, s, R, threads), threads)
            .SolveLower(across);
    v += prior.weight *
         (h.rowwise().squaredNorm() + z.cwiseProduct(scaled).rowwise().sum() -
          solved.colwise().squaredNorm().transpose());
  }
  const Vector eta = (bound.value.cwiseSqrt().array() - 1) * s * s /
                     v.array().max(1e-12 * v.maxCoeff());
  Matrix grown(R.rows() + z.rows(), R.cols());
  grown << R, eta.cwiseSqrt().asDiagonal() * z;
  return grown;
}

// Where the optimiser starts. All priors side by side, √weight Φ, have
// principal directions u_k with variances λ_k over the rows. A row of R along
// u_kᵀΦ with a share p_k of the columns' squared norm gives a signal of
// variance a_k p_k, a_k = λ_k N², in noise of variance s² + D N p_k, so with
// the places that matter like the rows it explains Σ λ_k a_k p_k/(b_k p_k +
// s²), b_k = a_k + D N. That is greatest, with Σ p_k = 1, at
//   p_k = max(0, √(λ_k a_k) ν s − s²)/b_k
// for the ν that spends all of it.
Matrix FirstGuess(const std::vector<DesignPrior>& priors, double s,
                  Index max_rank, const Threads& threads) {
  const auto n = static_cast<double>(priors[0].Phi.cols());
  Index rows = 0;
  double noise = 0;
  for (const DesignPrior& prior : priors) {
    rows += prior.Phi.rows();
    noise += prior.weight * prior.D.mean();
  }
  Matrix Phi(rows, priors[0].Phi.cols());
  rows = 0;
  for (const DesignPrior& prior : priors) {
    Phi.middleRows(rows, prior.Phi.rows()) =
        std::sqrt(prior.weight) * prior.Phi;
    rows += prior.Phi.rows();
  }
  const SymmetricEigen eigen =
      EigenDecomposition(ProductTransposed(Phi, Phi, threads) / n);
  const Vector variance = eigen.values.cwiseMax(1e-14 * eigen.values(rows - 1));
  const auto shares = [&](double nu) -> Vector {
    return (variance.array() * (n * nu * s) - s * s).cwiseMax(0) /
           (variance.array() * (n * n) + noise * n);
  };
  double low = 0;
  double high = s / (n * variance(rows - 1));
  while (shares(high).sum() < 1) high *= 2;
  for (int step = 0; step < 60; ++step) {
    const double nu = (low + high) / 2;
    (shares(nu).sum() < 1 ? low : high) = nu;
  }
  const Vector share = shares(high);
  Index rank = 1;
  while (rank < std::min(rows, max_rank) && share(rows - 1 - rank) > 0) {
    ++rank;
  }
  const Vector scale =
      (share.tail(rank).array() / variance.tail(rank).array()).sqrt();
  return Product(scale.asDiagonal() * eigen.vectors.rightCols(rank).transpose(),
                 Phi, threads);
}

void Check(const std::vector<DesignPrior>& priors, const Units& units,
           double s) {
  RequireInput(!priors.empty() && std::isfinite(s) && s > 0,
               Text("the bayes design needs a prior and a positive noise, but "
                    "got ",
                    priors.size(), " priors and noise ", s));
  for (const DesignPrior& prior : priors) {
    RequireInput(prior.Phi.cols() == units.rows() &&
                     prior.D.size() == prior.Phi.cols() &&
                     prior.Q.rows() == prior.Phi.rows() &&
                     prior.Q.cols() == prior.Phi.rows() &&
                     prior.Phi.allFinite() && prior.D.allFinite() &&
                     prior.Q.allFinite() && (prior.D.array() >= 0).all(),
                 "the matrices of the bayes design do not fit together, are "
                 "not finite or have negative variances");
    RequireInput(prior.Q.trace() > 0 && (prior.Phi.array() != 0).any(),
                 "the places that matter have nothing to do with the data "
                 "under this kernel, so nothing can be learned: the query "
                 "points may be too far away");
  }
}

void RequireCertified(const NoiseDesign& design, double largest_gap) {
  if (design.gap <= largest_gap) return;
  throw Error(Text(
      "the noise could not be designed well enough: after ", design.iterations,
      " steps a better design might leave ", RoundedText(100 * design.gap, 2),
      " % less variance; ask for --design trace, or give a smoother "
      "kernel"));
}

}  // namespace

NoiseDesign BayesDesign(const std::vector<DesignPrior>& priors,
                        const Units& units, double s, const Threads& threads,
                        const Progress& progress, const BayesOptions& options) {
  Check(priors, units, s);
  double prior_variance = 0;
  for (const DesignPrior& prior : priors) {
    prior_variance += prior.weight * prior.Q.trace();
  }
  // Never below what rounding leaves of it.
  const double least = 1e-13 * prior_variance;
  const Index max_rank = std::min(units.rows(), options.max_rank);
  UnitSpheres spheres(units, threads);
  NoiseDesign design;
  double left = prior_variance;
  const NormalizedFunction variance_left{
      [&](Matrix& R) { spheres.Normalize(R); },
      [&](const Matrix& R, Matrix& gradient) {
        const double explained =
            ExplainedWithGradient(priors, s, R, threads, gradient);
        gradient *= -1 / left;
        spheres.Project(R, gradient);
        return (prior_variance - explained) / left;
      }};
  DescentOptions descent{.max_iterations = options.max_iterations,
                         .least_decrease = 0.005 * options.tolerance,
                         .report = [&](int iteration) {
                           // How many there will be is not known.
                           const double all = design.iterations + iteration;
                           progress("designing the noise", all / (all + 20));
                         }};

  Matrix R = FirstGuess(priors, s, max_rank, threads);
  double before = std::numeric_limits<double>::infinity();
  int rounds_in_vain = 0;
  for (;;) {
    spheres.Normalize(R);
    left = std::max(least,
                    prior_variance - ExplainedVariance(priors, s, R, threads));
    design.iterations += Descend(variance_left, R, threads, descent);
    const std::vector<Matrix> moments = spheres.SignMoments(R);
    spheres.NormalizeSafely(R);
    design.objective = std::max(
        least, prior_variance - ExplainedVariance(priors, s, R, threads));
    const ExplainedVarianceBound bound = BoundExplainedVariance(
        priors, units, moments, s, R, threads,
        {.enough = options.tolerance *
                   std::max(design.objective, kSpentToTheLast * prior_variance),
         .escapes =
             std::min(max_rank - R.rows(), std::max<Index>(4, R.rows() / 4))});
    design.gap = bound.gap /
                 std::max(design.objective, kSpentToTheLast * prior_variance);
    descent.max_iterations = options.max_iterations - design.iterations;
    if (design.gap < 0.99 * before) rounds_in_vain = 0;
    const bool stuck =
        ++rounds_in_vain > kRoundsInVain ||
        (units.IsEachRow() && bound.escape.rows() == 0 && rounds_in_vain > 1);
    if (design.gap <= options.tolerance || descent.max_iterations <= 0 ||
        stuck) {
      break;
    }
    before = std::min(before, design.gap);
    R = WithEscapes(priors, s, R, bound, threads);
    descent.least_decrease /= 4;
    spheres.Sharpen();
  }
  RequireCertified(design, units.IsEachRow()
                               ? options.largest_gap
                               : std::numeric_limits<double>::max());
  design.R = std::move(R);
  return design;
}

NoiseDesign BayesDesign(const std::vector<DesignPrior>& priors, double s,
                        const Threads& threads, const Progress& progress,
                        const BayesOptions& options) {
  RequireInput(!priors.empty(), "the bayes design needs a prior");
  return BayesDesign(priors, Units::EachRow(priors[0].Phi.cols()), s, threads,
                     progress, options);
}

}  // namespace cloak
