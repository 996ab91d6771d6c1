#ifndef CLOAK_SELECTION_HYPER_PRIOR_H_
#define CLOAK_SELECTION_HYPER_PRIOR_H_

#include <optional>
#include <vector>

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

struct Hyperparameters {
  Kernel kernel;
  double noise_variance = 1;
};

// The gradient of some function of them, with respect to each parameter itself.
struct HyperparameterGradient {
  Vector kernel;  // in the order of kernel.Parameters()
  double noise_variance = 0;
};

struct WeightedHyperparameters {
  double weight = 1;
  Hyperparameters value;
};

// The belief about the hyperparameters before the outputs are seen. It depends
// on public things only: the inputs and the width d of the output's bounds.
// Those that are given are fixed; the others are independent and log-normal,
// θ_j = median_j · exp(spread_j · z_j) with z ~ N(0, I):
//
//   kernel        bias(d²/12) + eq(variance, a lengthscale for each input)
//   bias          fixed: a mean that may lie anywhere in the bounds
//   variance      median (d/5)²: two standard deviations of f span most of d
//   lengthscale   median: the standard deviation of rows that are spread
//                 evenly within the range of the input, from one to three
//                 times that of the rows, times √(number of inputs), since
//                 distances grow with their number. Of more
//                 than kMostLengthscales inputs: in proportion to the range of
//                 the input, such that a typical squared distance is as large,
//                 and one factor for all of them
//   noise         median (d/15)²; the last one, and not averaged over
class HyperPrior {
 public:
  HyperPrior(const Matrix& X, double output_width,
             const std::optional<Kernel>& kernel,
             const std::optional<double>& noise_variance);

  // For f behind a logistic link, in logits: bias 1, the median of the
  // variance 4 (f between −4 and 4: probabilities of 2 to 98 %), and wide,
  // since some labels are a matter of chance and others certain. More than
  // kMostLengthscales inputs mostly determine the label: variance 64. They must
  // be measured in the same (principal components), and share one lengthscale,
  // in the median such that their variances sum to its square. The noise
  // variance is fixed: 4, that of the logistic link seen from f = 0 (Laplace).
  static HyperPrior ForLabels(const Matrix& X,
                              const std::optional<Kernel>& kernel);

  // For regression, with these for medians (or as they are given, where they
  // are not free). Throws InvalidInput where a kernel is free that is not of
  // the form above, for so many inputs.
  static HyperPrior Around(const Hyperparameters& medians, bool kernel_is_free,
                           bool noise_is_free, Index inputs);
  // The same, with the noise variance given.
  HyperPrior WithNoise(double noise_variance) const;
  bool KernelIsFree() const { return averaged() > 0; }
  bool NoiseIsFree() const { return averaged() < size(); }

  static constexpr Index kMostLengthscales = 8;

  // How many are free.
  Index size() const { return static_cast<Index>(free_.size()); }

  // How many of them, the first ones, predictions should be averaged over.
  // The rest, the noise variance, is taken at one value: a small release hardly
  // tells it, and predictions averaged over what could have been are dominated
  // by the largest. (Rounds know it better, from squares: noise_estimate.h.)
  Index averaged() const;

  // The hyperparameters at standard coordinates z (size() of them).
  Hyperparameters At(const Vector& z) const;

  // The gradient with respect to z of a function with this gradient at At(z).
  Vector Gradient(const Vector& z, const HyperparameterGradient& g) const;

  // A few that stand for all in the design of the noise: the medians, and with
  // free lengthscales all of them shorter or longer together, with the weights
  // of a three-point Gauss-Hermite rule.
  std::vector<WeightedHyperparameters> Nodes() const;

 private:
  // Moves some parameters together, as factors of their medians.
  struct Free {
    std::vector<Index> parameters = {};  // of the kernel; none: the noise
    double spread = 1;
    bool lengthscale = false;
  };

  HyperPrior(Kernel kernel, double noise_variance);
  // Frees variance and lengthscales of bias + eq.
  void FreeKernel(Index inputs, double variance_spread,
                  double lengthscale_spread);

  Kernel kernel_;  // at the medians
  double noise_variance_;
  std::vector<Free> free_;
};

}  // namespace cloak

#endif  // CLOAK_SELECTION_HYPER_PRIOR_H_
