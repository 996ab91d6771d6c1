#ifndef CLOAK_MODELS_TASK_H_
#define CLOAK_MODELS_TASK_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/bin_count_mechanism.h"
#include "cloak/privacy/budget.h"
#include "cloak/release/release.h"

namespace cloak {

// A task says what is to be released of a table (setting.h), by which method
// and for which budget. Each task has the options and the kind of budget that
// belong to it, and no others, and says the kind of release that comes of it.

// How the noise is shaped: docs/designs.md.
enum class PlanDesign { kBayes, kVolume, kTrace };

// A number, predicted from the inputs.
struct Regression {
  enum Method {
    // Release the statistic that leaves the least posterior variance, and infer
    // from it. Needs nothing but the data. With private inputs, of cells.
    kOptimal,
    // The next are the methods of Smith et al. 2018 and 2021, for public
    // inputs. They need kernel and noise_variance (kPolynomial: noise_variance
    // alone).
    //
    // Predictions of the exact process at `query_points`, with noise shaped to
    // them.
    kCloaking,
    // The same of FITC with `inducing` points, by k-means; at the inputs when
    // there are no query points.
    kSparseCloaking,
    // kCloaking with lengthscales that grow where inputs are scarce: every eq
    // in `kernel` becomes a gibbs kernel (kernel.h) whose lengthscale is at
    // most that of the eq, m, and [1/m + ρ(x)/neighbours]⁻¹ where the inputs
    // have density ρ (Smith et al. 2021, sections 3.1 and 6.1).
    kNonstationaryCloaking,
    // The initial method: the posterior mean as a function, with noise from
    // the prior.
    kFunctional,
    // Least squares by polynomials of `degree`, cloaked.
    kPolynomial,
    // Means of bins, with Laplace noise, which needs no δ. Needs no kernel.
    kBinning,
    // A process conditioned on those means, as integrals of it.
    kIntegralBinning,
    // The method of Honkela and Melkas 2021, for private inputs, with a grid of
    // `inducing` points. Needs kernel and noise_variance.
    kVariational,
  };
  // kBayes: for kOptimal. kVolume, kTrace: for it, and for all that are
  // cloaked.
  using enum PlanDesign;

  static constexpr TaskKind kKind = TaskKind::kRegression;

  // A PureBudget for the two methods that bin, a Budget for all others.
  std::variant<Budget, PureBudget> budget;
  Method method = kOptimal;
  std::optional<PlanDesign> design = {};  // the method's own when absent
  // Learned from the release when absent (kOptimal only).
  std::optional<Kernel> kernel = {};
  // Where each row has a noise variance of its own, that of a new observation
  // (the mean of them when absent).
  std::optional<double> noise_variance = {};
  // The places that matter; the inputs when absent.
  std::optional<Matrix> query_points = {};
  // kOptimal: one release, whose predictions are linear in what is released,
  // also where several rounds would leave less error.
  bool one_round = false;
  // kOptimal: the file has nothing by which others could infer anew
  // (infer_anew.h), so that it is smaller.
  bool compact = false;
  // How many inducing points there are; kVariational: in each input, or one
  // number for all of them. By the method when absent.
  std::optional<std::vector<Index>> inducing = {};
  double neighbours = 20;
  Index degree = 1;
  // How many bins, or cells where the inputs are private, in each input; by the
  // method when absent.
  std::optional<PerInput> bins = {};
  // Where bins of public inputs begin and end: their public range when absent.
  std::optional<Vector> lower = {};
  std::optional<Vector> upper = {};
  // Noise by the papers' constant √(2 ln(2/δ))/ε. It is never less than what
  // the budget needs: above ε = 1, where their theorem ends, it may be more.
  bool published_noise = false;
};

// One of two classes. The probability of the second is 1/(1 + e⁻ᶠ) for a
// Gaussian process f.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): must be given
struct Classification {
  enum Method {
    // Release the statistic of the labels that leaves the least posterior
    // variance of f, and infer from it to convergence. Needs nothing but the
    // data. With private inputs, of cells.
    kOptimal,
    // One private Newton step of the Laplace approximation, cloaked at the
    // inputs, which are public (Smith et al. 2021, section 4). Needs `kernel`.
    kLaplace,
    // The same through `inducing` points, by k-means (section 4.1).
    kLaplaceSparse,
  };
  // kBayes: for kOptimal. kVolume, kTrace: for all, where inputs are public.
  using enum PlanDesign;

  static constexpr TaskKind kKind = TaskKind::kClassification;

  Budget budget;
  Method method = kOptimal;
  std::optional<PlanDesign> design = {};  // the method's own when absent
  // Learned from the release when absent (kOptimal only).
  std::optional<Kernel> kernel = {};
  // The places that matter; the inputs when absent.
  std::optional<Matrix> query_points = {};
  Index inducing = 10;
  // Private Newton steps, 1 or 2, which share the budget (kLaplace). The paper
  // found two worse than one.
  int newton_steps = 1;
  // Cells in each input, where the inputs are private; by their number when
  // absent.
  std::optional<PerInput> bins = {};
  // Noise by the papers' constant where that is more (not kOptimal).
  bool published_noise = false;
};

// One of two classes, by a support vector machine. The inputs are private.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): must be given
struct Svm {
  static constexpr TaskKind kKind = TaskKind::kSvm;

  Budget budget;
  // eq with lengthscales of SvmPlan::kLengthscale of each range when absent.
  std::optional<Kernel> kernel = {};
  // C; by SvmPlan::CostFor when absent.
  std::optional<double> cost = {};
  // At most so many basis points.
  Index basis = 150;
};

// How many rows there are in each bin of one to three private inputs.
struct HistogramTask {
  static constexpr TaskKind kKind = TaskKind::kHistogram;

  CountBudget budget;
  std::vector<HistogramAxis> axes;
};

// How rows are spread over one to three private inputs that are numbers.
struct Density {
  enum Method {
    // Counts of cells, and a log-Gaussian density inferred from them.
    kOptimal,
    // A kernel density estimate as a function (Dandekar et al. 2019, section
    // 3.3). Needs a δ.
    kFunctional,
  };
  static constexpr TaskKind kKind = TaskKind::kDensity;

  CountBudget budget;
  Method method = kOptimal;
  // kOptimal: cells in each input; by rows and budget when absent.
  std::optional<std::vector<Index>> cells = {};
  // kFunctional: the bandwidth of the kernel in each input. When absent, it
  // follows from the spread of what is released by Silverman's rule.
  std::optional<Vector> bandwidth = {};
};

using Task =
    std::variant<Regression, Classification, Svm, HistogramTask, Density>;

// "bayes", "volume", "trace": as on the command line and in a release. What
// reads a name throws InvalidInput that lists those there are.
std::string NameOf(PlanDesign design);
PlanDesign DesignNamed(const std::string& name);

// "optimal", "sparse-cloaking", …; "laplace", …; "functional".
std::string NameOf(Regression::Method method);
std::string NameOf(Classification::Method method);
std::string NameOf(Density::Method method);
std::vector<Regression::Method> RegressionMethods();
std::vector<Classification::Method> ClassificationMethods();
std::vector<Density::Method> DensityMethods();
Regression::Method RegressionMethodNamed(const std::string& name);
Classification::Method ClassificationMethodNamed(const std::string& name);
Density::Method DensityMethodNamed(const std::string& name);

bool IsBinned(Regression::Method method);
// Returns whether the method releases predictions at a list of points.
bool NeedsQueryPoints(Regression::Method method);
// Return whether the method is for public inputs, and for private ones.
bool ProtectsOutputs(Regression::Method method);
bool ProtectsRows(Regression::Method method);

// Columns of a table that is yet to be read: whether it will have query points,
// and a noise variance for each row.
struct Announced {
  bool queries = false;
  bool row_noise = false;
};

// Throws InvalidInput when options of the task do not fit each other or what is
// protected.
void CheckTask(const Regression& options, bool protects_rows,
               const Announced& announced);
void CheckTask(const Classification& options, bool protects_rows);

}  // namespace cloak

#endif  // CLOAK_MODELS_TASK_H_
