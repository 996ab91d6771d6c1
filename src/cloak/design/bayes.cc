#include "cloak/design/bayes.h"

#include <lbfgs.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/design/certificate.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// F(R) = Σ weight · tr(Q HᵀA⁻¹H) and its gradient
//   2 Σ weight · [(B − C H)Φ − C R D],  B = A⁻¹HQ,  C = B HᵀA⁻¹.
double ExplainedWithGradient(const std::vector<DesignPrior>& priors, double s,
                             const Matrix& R, const Threads& threads,
                             Matrix& gradient) {
  gradient.setZero(R.rows(), R.cols());
  double explained = 0;
  for (const DesignPrior& prior : priors) {
    const Matrix H = ProductTransposed(R, prior.Phi, threads);
    const Matrix RD = R * prior.D.asDiagonal();
    Matrix A = H * H.transpose() + ProductTransposed(RD, R, threads);
    A.diagonal().array() += s * s;
    const Cholesky cholesky(std::move(A), threads);
    const Matrix B = cholesky.Solve(H * prior.Q);
    const Matrix C = cholesky.Solve(Matrix((B * H.transpose()).transpose()));
    explained += prior.weight * B.cwiseProduct(H).sum();
    gradient += 2 * prior.weight *
                (Product(B - C.transpose() * H, prior.Phi, threads) -
                 Product(C.transpose(), RD, threads));
  }
  return explained;
}

constexpr int kIterationsPerRank = 150;

// Columns of norm 1: more norm is less relative noise, so the best design has
// no column that is shorter.
void NormalizeColumns(Matrix& R) {
  for (Index i = 0; i < R.cols(); ++i) {
    const double norm = R.col(i).norm();
    if (norm > 0) {
      R.col(i) /= norm;
    } else {
      R(0, i) = 1;
    }
  }
}

// Minimises −F over matrices whose columns are normalised on the way in.
class SphereProblem {
 public:
  SphereProblem(const std::vector<DesignPrior>& priors, double s, Index rank,
                double prior_variance, const Threads& threads,
                Progress progress)
      : priors_(priors),
        s_(s),
        rank_(rank),
        threads_(threads),
        progress_(std::move(progress)),
        prior_variance_(prior_variance) {}

  // Improves R in place; returns the number of iterations. Stops when ten of
  // them take less than `tolerance` off what is left of the variance.
  int Minimize(Matrix& R, int max_iterations, double tolerance) {
    lbfgs_parameter_t parameters;
    lbfgs_parameter_init(&parameters);
    parameters.m = 12;
    parameters.max_iterations = max_iterations;
    parameters.epsilon = 1e-9;
    parameters.past = 10;
    parameters.delta = tolerance;
    max_iterations_ = max_iterations;
    left_ =
        std::max(prior_variance_ - ExplainedVariance(priors_, s_, R, threads_),
                 1e-13 * prior_variance_);
    const int size = static_cast<int>(R.size());
    double objective = 0;
    // Whatever it returns, R holds the best point found, and the certificate
    // judges it.
    lbfgs(size, R.data(), &objective, &Evaluate, &Report, this, &parameters);
    NormalizeColumns(R);
    return iterations_;
  }

 private:
  static double Evaluate(void* self, const double* x, double* g, int n,
                         double) {
    auto& problem = *static_cast<SphereProblem*>(self);
    const Index columns = n / problem.rank_;
    const Eigen::Map<const Matrix> V(x, problem.rank_, columns);
    Eigen::Map<Matrix> out(g, problem.rank_, columns);
    Matrix R = V;
    NormalizeColumns(R);
    Matrix gradient;
    const double explained = ExplainedWithGradient(
        problem.priors_, problem.s_, R, problem.threads_, gradient);
    // Chain rule of v -> v/|v|.
    for (Index i = 0; i < columns; ++i) {
      const double along = R.col(i).dot(gradient.col(i));
      out.col(i) = -(gradient.col(i) - along * R.col(i)) /
                   (std::max(V.col(i).norm(), 1e-300) * problem.left_);
    }
    return (problem.prior_variance_ - explained) / problem.left_;
  }

  static int Report(void* self, const double*, const double*, double, double,
                    double, double, int, int k, int) {
    auto& problem = *static_cast<SphereProblem*>(self);
    problem.iterations_ = k;
    problem.progress_("designing the noise",
                      static_cast<double>(k) / problem.max_iterations_);
    return 0;
  }

  const std::vector<DesignPrior>& priors_;
  double s_;
  Index rank_;
  Threads threads_;
  Progress progress_;
  double prior_variance_;
  double left_ = 1;  // what is left of it at the start
  int max_iterations_ = 1;
  int iterations_ = 0;
};

// Rows of small numbers below R: new directions for the optimiser to find.
// The generator is fixed, since a design must be the same every time.
Matrix WithNewRows(const Matrix& R, Index rows, Index columns, double size) {
  std::mt19937_64 generator(20180219);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Matrix grown(rows, columns);
  grown.topRows(R.rows()) = R;
  for (Index i = 0; i < columns; ++i) {
    for (Index k = R.rows(); k < rows; ++k)
      grown(k, i) = size * uniform(generator);
  }
  NormalizeColumns(grown);
  return grown;
}

// Where the optimiser starts: the outputs' images in the basis, φ(x_i), along
// the principal directions of all of them, scaled as the trace design would
// (noise covariance ∝ S^½, hence S^(−¼) to whiten). As many directions as
// seem worth their share of the columns' norm: with r of them the k-th gets a
// signal of variance λ_k N/r against noise s².
Matrix FirstGuess(const std::vector<DesignPrior>& priors, double s,
                  const Threads& threads) {
  const DesignPrior& prior =
      *std::max_element(priors.begin(), priors.end(),
                        [](const DesignPrior& a, const DesignPrior& b) {
                          return a.weight < b.weight;
                        });
  const auto n = static_cast<double>(prior.Phi.cols());
  const SymmetricEigen eigen =
      EigenDecomposition(ProductTransposed(prior.Phi, prior.Phi, threads) / n);
  const Index m = eigen.values.size();
  const auto worth = [&](Index r) {
    return r <= m && eigen.values(m - r) * n / static_cast<double>(r) > s * s;
  };
  Index rank = 1;
  while (worth(rank + 1)) ++rank;
  const Vector scale = eigen.values.tail(rank)
                           .cwiseMax(1e-12 * eigen.values(m - 1))
                           .array()
                           .pow(-0.25);
  Matrix R =
      Product(scale.asDiagonal() * eigen.vectors.rightCols(rank).transpose(),
              prior.Phi, threads);
  NormalizeColumns(R);
  return R;
}

void Check(const std::vector<DesignPrior>& priors, double s) {
  RequireInput(!priors.empty() && std::isfinite(s) && s > 0,
               Text("the bayes design needs a prior and a positive noise, but "
                    "got ",
                    priors.size(), " priors and noise ", s));
  for (const DesignPrior& prior : priors) {
    RequireInput(prior.Phi.cols() == priors[0].Phi.cols() &&
                     prior.D.size() == prior.Phi.cols() &&
                     prior.Q.rows() == prior.Phi.rows() &&
                     prior.Q.cols() == prior.Phi.rows() &&
                     prior.Phi.allFinite() && prior.D.allFinite() &&
                     prior.Q.allFinite(),
                 "the matrices of the bayes design do not fit together or are "
                 "not finite");
    RequireInput(prior.Q.trace() > 0,
                 "the places that matter have nothing to do with the data "
                 "under this kernel, so nothing can be learned: the query "
                 "points may be too far away");
  }
}

}  // namespace

NoiseDesign BayesDesign(const std::vector<DesignPrior>& priors, double s,
                        const Threads& threads, const Progress& progress,
                        const BayesOptions& options) {
  Check(priors, s);
  const Index columns = priors[0].Phi.cols();
  Index most = 0;
  double prior_variance = 0;
  for (const DesignPrior& prior : priors) {
    most += prior.Phi.rows();
    prior_variance += prior.weight * prior.Q.trace();
  }
  most = std::min({most, columns, options.max_rank});

  NoiseDesign design;
  int before = -1;
  const Matrix guess = FirstGuess(priors, s, threads);
  Index rank = std::min(guess.rows(), most);
  Matrix R = guess.bottomRows(rank);
  NormalizeColumns(R);
  for (;;) {
    const int left = options.max_iterations - design.iterations;
    design.iterations +=
        SphereProblem(priors, s, rank, prior_variance, threads, progress)
            .Minimize(R, std::min(left, kIterationsPerRank),
                      1e-2 * options.tolerance);
    // Never below what rounding leaves of it.
    design.objective =
        std::max(prior_variance - ExplainedVariance(priors, s, R, threads),
                 1e-13 * prior_variance);
    design.gap = ExplainedVarianceGap(priors, s, R, threads) / design.objective;
    const bool tired = design.iterations >= options.max_iterations ||
                       (rank == most && design.iterations == before);
    if (design.gap <= options.tolerance || tired) break;
    before = design.iterations;
    rank = std::min(most, rank + std::max<Index>(4, rank / 4));
    R = WithNewRows(R, rank, columns, 0.1);
  }
  if (!std::isfinite(design.gap)) {
    throw Error("the bayes design could not be certified");
  }
  design.R = std::move(R);
  return design;
}

}  // namespace cloak
