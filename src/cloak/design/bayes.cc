#include "cloak/design/bayes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/design/certificate.h"
#include "cloak/design/descent.h"
#include "cloak/design/first_guess.h"
#include "cloak/design/unit_spheres.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// Variance below this fraction of the prior's is as good as none.
constexpr double kSpentToTheLast = 1e-9;

constexpr int kRoundsInVain = 4;

// The part of one prior in F(R) = Σ weight · tr(Q HᵀA⁻¹H), and the matrices of
// its gradient: 2 weight · (TΦ − C R D),
//   B = A⁻¹HQ,  C = B HᵀA⁻¹,  T = B − C H.
struct Slope {
  double explained = 0;
  Matrix C;  // times 2 weight
  Matrix T;  // times 2 weight
};

Slope SlopeOf(const DesignPrior& prior, double s, const Matrix& R,
              const Threads& threads) {
  const Matrix H = ProductTransposed(R, prior.Phi, threads);
  const Cholesky cholesky(StatisticCovariance(prior, H, s, R, threads),
                          threads);
  const Matrix B = cholesky.Solve(H * prior.Q);
  Slope slope;
  slope.explained = prior.weight * B.cwiseProduct(H).sum();
  slope.C = 2 * prior.weight *
            cholesky.Solve(Matrix((B * H.transpose()).transpose())).transpose();
  slope.T = 2 * prior.weight * B - slope.C * H;
  return slope;
}

double ExplainedWithGradient(const std::vector<DesignPrior>& priors, double s,
                             const Matrix& R, const Threads& threads,
                             Matrix& gradient) {
  constexpr Index kBlock = 512;
  gradient.setZero(R.rows(), R.cols());
  double explained = 0;
  for (const DesignPrior& prior : priors) {
    const Slope slope = SlopeOf(prior, s, R, threads);
    explained += slope.explained;
    threads.ForBlocks(R.cols(), kBlock, [&](Index begin, Index end) {
      const Index width = end - begin;
      const Matrix RD = R.middleCols(begin, width) *
                        prior.D.segment(begin, width).asDiagonal();
      auto block = gradient.middleCols(begin, width);
      block.noalias() += slope.T * prior.Phi.middleCols(begin, width);
      block.noalias() -= slope.C * RD;
    });
  }
  return explained;
}

// Minimises (`all` − explained variance)/`unit` from R on.
int DescendFrom(const std::vector<DesignPrior>& priors,
                const UnitSpheres& spheres, double s, double all, double unit,
                const Threads& threads, const DescentOptions& options,
                Matrix& R) {
  return Descend({[&](Matrix& moved) { spheres.Normalize(moved); },
                  [&](const Matrix& at, Matrix& gradient) {
                    const double explained =
                        ExplainedWithGradient(priors, s, at, threads, gradient);
                    gradient *= -1 / unit;
                    spheres.Project(at, gradient);
                    return (all - explained) / unit;
                  }},
                 R, threads, options);
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

// Numbers up to this can be multiplied, two at a time, without overflow.
constexpr double kLargest = 1e150;

void Check(const std::vector<DesignPrior>& priors, const PrivacyUnits& units,
           double s) {
  RequireInput(!priors.empty() && std::isfinite(s) && s > 0,
               "the bayes design needs a prior and a positive noise, but "
               "got ",
               priors.size(), " priors and noise ", s);
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
    const auto n = static_cast<double>(prior.Phi.cols());
    RequireInput(
        n * n * (prior.Phi.squaredNorm() + prior.D.sum()) <= kLargest &&
            prior.Q.trace() <= kLargest,
        "the variances of the kernel are too large for double "
        "precision; measure outputs in other units, or give a smaller "
        "kernel");
  }
}

void RequireCertified(const NoiseDesign& design, double largest_gap) {
  if (design.gap <= largest_gap) return;
  throw Error(Text(
      "the noise could not be designed well enough: after ", design.iterations,
      " steps a better design might leave ", RoundedText(100 * design.gap, 2),
      " % less variance; ask for the design trace, or give a smoother "
      "kernel"));
}

}  // namespace

NoiseDesign BayesDesign(const std::vector<DesignPrior>& given,
                        const PrivacyUnits& units, double s,
                        const Threads& threads, const Progress& progress,
                        const BayesOptions& options) {
  Check(given, units, s);
  std::vector<DesignPrior> condensed;
  condensed.reserve(given.size());
  for (const DesignPrior& prior : given) {
    condensed.push_back(Condensed(prior, s, threads));
  }
  const std::vector<DesignPrior>& priors =
      options.condensed ? condensed : given;
  double prior_variance = 0;
  for (const DesignPrior& prior : priors) {
    prior_variance += prior.weight * prior.Q.trace();
  }
  // Never below what rounding leaves of it.
  const double least = 1e-13 * prior_variance;
  const Index max_rank = std::min(units.rows(), options.max_rank);
  UnitSpheres spheres(units, threads);
  NoiseDesign design;
  DescentOptions descent{.max_iterations = options.max_iterations,
                         .least_decrease = 0.005 * options.tolerance,
                         .report = [&](int iteration) {
                           // How many there will be is not known.
                           const double all = design.iterations + iteration;
                           progress("designing the noise", all / (all + 20));
                         }};

  // The first round, most often the only one, searches with condensed priors;
  // the certificate is for those given.
  Matrix R = FirstGuess(condensed, s, max_rank, threads);
  const std::vector<DesignPrior>* round = &condensed;
  double before = std::numeric_limits<double>::infinity();
  int rounds_in_vain = 0;
  for (;;) {
    spheres.Normalize(R);
    const double left = std::max(
        least, prior_variance - ExplainedVariance(priors, s, R, threads));
    design.iterations += DescendFrom(*round, spheres, s, prior_variance, left,
                                     threads, descent, R);
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
    round = &priors;
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
  return BayesDesign(priors, PrivacyUnits::EachRow(priors[0].Phi.cols()), s,
                     threads, progress, options);
}

}  // namespace cloak
