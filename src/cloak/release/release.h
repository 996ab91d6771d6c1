#ifndef CLOAK_RELEASE_RELEASE_H_
#define CLOAK_RELEASE_RELEASE_H_

#include <optional>
#include <string>
#include <vector>

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/release/density.h"
#include "cloak/release/names.h"
#include "cloak/release/site_statistics.h"

namespace cloak {

// A public input column and the range its values lay in (or lie in, where the
// custodian gave it), which plots span, and outside of which predictions
// extrapolate.
struct InputColumn {
  std::string name;
  double lower = 0;
  double upper = 0;
  double middle = 0;  // median
};

// The promise, and the noise that was added to keep it.
struct PrivacyStatement {
  Protection protect = Protection::kOutputs;
  double epsilon = 0;
  double delta = 0;
  Index rows = 0;
  // The column whose values tell which rows belong together, and how many
  // different ones it has: the promise is for all outputs of one of them. They
  // are empty and 0 where it is for the output of one row.
  std::string unit = {};
  Index units = 0;
  // The range an output may move in; outputs outside were clipped to it.
  double lower = 0;
  double upper = 0;
  std::string mechanism;
  // The farthest the statistic can move when one output does (or all those of
  // one unit do), and the standard deviation of the noise in each of its
  // numbers, in what the output is measured in or `in_half_widths` of bounds.
  double sensitivity = 0;
  double noise_sd = 0;
  // The price of the whole release, as text that privacy/event.h reads, where
  // that is not the sum of what its statistics cost: the best of several
  // candidates costs more than itself. Empty otherwise.
  std::string event = {};
  // True where the unit of both is half the width of the bounds of an output,
  // which differ from place to place: those of rows that were released in
  // several rounds.
  bool in_half_widths = false;
};

// The price of publishing a statistic, as its mechanism computed it.
struct StatisticCost {
  // The numbers, in a few words: "weighted sums of outputs".
  std::string of;
  NoiseKind noise = NoiseKind::kGaussian;
  // The farthest that neighbours can be apart, in what the statistic's step is
  // measured in, rounded up: the Euclidean distance where the noise is
  // Gaussian, the sum of absolute values where it is Laplace's.
  double sensitivity = 0;
  // The standard deviation of Gaussian noise; b of Laplace noise, whose
  // probabilities fall as e^(−|x|/b).
  double noise_scale = 0;
  // sensitivity/noise_scale, rounded up: the mu of Gaussian differential
  // privacy, or the epsilon of (epsilon, 0)-differential privacy.
  double price = 0;
  // True where it was published together with the statistic after it in the
  // file, as one vector: sensitivity and price are then of all of that, and the
  // price is paid once.
  bool with_next = false;
};

// The numbers that left the mechanism: exact integers in decimal, each worth
// `step` in what the output is measured in. Everything else in a release that
// depends on the private outputs is computed from them.
struct ReleasedStatistic {
  std::vector<std::string> integers;
  double step = 0;
  // Absent in files that were written before they said so.
  std::optional<StatisticCost> cost = {};
};

// Posterior over the weights u of f(x) = φ(x)ᵀu + residual for one set of
// hyperparameters. With d_k the rows of `directions` and t_k their noise parts,
//   u ~ N(mean, I − Σ_k (1 − t_k) d_k d_kᵀ + Σ_k t_k d_k d_kᵀ):
// the first sum is what the data took off the prior, the second what the
// privacy noise put back.
struct Posterior {
  double weight = 1;  // of these hyperparameters; all weights sum to 1
  Kernel kernel = Kernel::Bias(1);
  double noise_variance = 0;  // of an observation around f
  double jitter = 0;          // added to the diagonal of K(Z, Z)
  Vector mean;                // M
  Matrix directions;          // q x M
  Vector noise_parts;         // q, from 0 to 1
};

// Gives the posterior the covariance I − EᵀE + NᵀN.
void SetFactors(const Matrix& E, const Matrix& N, Posterior& posterior);

// The few linear functions that stand for very many inputs in kernels and basis
// points: directions · (x − centre).
struct InputProjection {
  Vector centre = {};      // one for each input
  Matrix directions = {};  // q x inputs

  // Returns the projection of each row of X.
  Matrix Apply(const Matrix& X) const;
};

// The way in which one input of a histogram is cut: into bins between edges, or
// into categories.
struct HistogramAxis {
  std::string name;
  // Increasing, one more than there are bins. What lies outside counts in the
  // nearest bin.
  std::vector<double> edges = {};
  // Names instead, the last of which stands for every other value.
  std::vector<std::string> categories = {};

  Index bins() const;
  // Returns the bin that a value is in; of categories, the value is the place
  // of the category. NaN is in the first.
  Index BinOf(double value) const;
};

// The numbers of rows in each bin as far as they are known, the bins of the
// last axis fastest. The counts are not negative and sum to the number of rows,
// or to less where rows have missing cells, and are in no bin; [lower, upper]
// holds the true number with probability 0.95.
struct Histogram {
  std::vector<HistogramAxis> axes;
  Vector count;
  Vector sd;
  Vector lower;
  Vector upper;

  // Returns the bin of one row of queries, whose columns are the axes.
  Index BinOf(const Vector& query) const;
};

struct ReleaseContent {
  // The inputs of a histogram or a density are all there is; of all others the
  // output is what is predicted.
  TaskKind task = TaskKind::kRegression;
  // The names of both labels, of classifications and support vector machines.
  // The probability of the second is π(f) = 1/(1 + e⁻ᶠ), and a label is −1 or
  // 1. Of a machine f is the margin, uncertain because of the privacy noise
  // alone, and the second class is where it is positive.
  std::vector<std::string> classes = {};
  // The words for how the release was planned, which are shown and decide
  // nothing.
  std::string method;
  std::string design;
  // The most that the design can be from the best possible one, as a fraction
  // of its objective; negative when nothing was certified.
  double certified_gap = -1;
  std::vector<InputColumn> inputs;
  std::string output;
  double offset = 0;  // added to φᵀu: the middle of the bounds
  PrivacyStatement privacy;
  ReleasedStatistic statistic;
  // All others, which were released before the statistic or with it.
  std::vector<ReleasedStatistic> earlier_statistics = {};
  // Absent: the kernels are of the inputs themselves.
  std::optional<InputProjection> projection = {};
  // The answer of a histogram, and of no other task: there is no posterior
  // then. An input that has categories is given as the place of one, from 0 on.
  std::optional<Histogram> histogram = {};
  // The way in which f becomes a density, which is so within the ranges of the
  // inputs and 0 outside. Absent for other tasks.
  std::optional<DensityLink> link = {};
  Matrix basis_points;  // Z: M x inputs (or projected ones)
  std::vector<Posterior> posteriors;
  // What it takes to infer anew from the statistics; or the words for why there
  // is none, where there could have been.
  std::optional<SiteStatistics> sites = {};
  std::string no_sites = {};
  // Whether posteriors were inferred anew by somebody who had the file alone.
  bool inferred_anew = false;
};

// The statistics of one round of a release with sites.
struct RoundStatistics {
  const ReleasedStatistic* squares;  // null where there are none
  const ReleasedStatistic* present;
  const ReleasedStatistic* sums;
};

// Returns those of each round, in their order. Throws InvalidInput where what
// was released is not from rounds. The content must have sites.
std::vector<RoundStatistics> StatisticsOfRounds(const ReleaseContent& content);

// Returns the names that an input of a histogram may have; none where it is a
// number.
const std::vector<std::string>& CategoriesOf(const ReleaseContent& content,
                                             size_t input);

// Returns how many numbers there are in the statistic and those before it.
size_t NumbersReleased(const ReleaseContent& content);

struct PredictOptions {
  // The probability inside [lower, upper].
  double interval = 0.95;
  // True for the function f itself, without the noise of an observation around
  // it.
  bool latent = false;
};

struct Predictions {
  Vector mean;
  Vector sd;
  Vector lower;
  Vector upper;
  Vector privacy_sd;  // the part of sd that is privacy noise
};

// The prediction of labels.
struct ClassPredictions {
  // Has one column for each class; rows sum to 1. The uncertainty about f,
  // privacy noise included, is in them.
  Matrix probability;
  // The most probable class of each row, as its place in content().classes.
  std::vector<size_t> most_probable;
};

// The answer of a histogram about the bins that queries are in.
struct CountPredictions {
  Vector count;
  Vector sd;
  Vector lower;
  Vector upper;
  Vector fraction;  // of all rows that are in a bin
};

// The density at queries, per unit of volume of the inputs. It integrates to 1
// over the ranges of the inputs.
struct DensityPredictions {
  Vector density;
  Vector lower;
  Vector upper;
};

// The public object: everything an analyst has. Immutable; holds nothing that
// is not public. With several posteriors (hyperparameters averaged over) the
// predictive distribution is their mixture.
class Release {
 public:
  // Throws InvalidInput when sizes do not fit or a number is out of range.
  // Directions are rounded as a file holds them (packed_rows.h), to a billionth
  // of the largest, so that a release that was written and read is the same.
  explicit Release(ReleaseContent content);

  const ReleaseContent& content() const { return content_; }

  // Returns one prediction for each row of `queries`, whose columns are
  // content().inputs in their order. Cost per row: O(M) for the mean, O(M·rank)
  // for the variance.
  Predictions Predict(const Matrix& queries, const PredictOptions& options,
                      const Threads& threads) const;

  // Returns one prediction of the class for each row, where Predict returns f,
  // in logits. Throws InvalidInput unless content().classes has some.
  ClassPredictions PredictClasses(const Matrix& queries,
                                  const Threads& threads) const;

  // Returns the counts of a histogram. Throws InvalidInput for any other task.
  CountPredictions PredictCounts(const Matrix& queries) const;

  // Returns a density. Throws InvalidInput for any other task. The cost per row
  // is that of Predict.
  DensityPredictions PredictDensity(const Matrix& queries, double interval,
                                    const Threads& threads) const;

  // The mean and covariance of f (or of observations) at the rows of `queries`
  // together.
  struct Joint {
    Vector mean;
    Matrix covariance;
  };
  Joint PredictJoint(const Matrix& queries, const PredictOptions& options,
                     const Threads& threads) const;

  // Returns `count` functions drawn from the joint predictive distribution, as
  // columns. The seed makes them repeatable; nothing here is secret.
  Matrix Sample(const Matrix& queries, Index count, unsigned long seed,
                const PredictOptions& options, const Threads& threads) const;

  // Returns the privacy statement in plain words, for somebody who has never
  // heard of ε, ending in what an attacker can and cannot learn.
  std::string PrivacyInWords() const;

 private:
  ReleaseContent content_;
  // Has, for each posterior, the rows [mean; directions] times L_Z⁻¹, so
  // that a prediction is one product with k_Z(x).
  std::vector<Matrix> folded_;
  // Has one for each posterior of a density, and none for other tasks.
  std::vector<DensityPart> density_;
};

}  // namespace cloak

#endif  // CLOAK_RELEASE_RELEASE_H_
