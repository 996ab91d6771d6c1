#ifndef CLOAK_MODELS_OUTPUTS_CONCLUSION_H_
#define CLOAK_MODELS_OUTPUTS_CONCLUSION_H_

#include <optional>
#include <vector>

#include "cloak/models/nuisance_parameters.h"
#include "cloak/models/outputs/optimal_model.h"
#include "cloak/release/release.h"

namespace cloak {

// The belief about the outputs at the sites, given hyperparameters and what
// was published.
struct OutputBelief {
  // S: of f over the rows of a site, less the prior mean; empty where only how
  // much will be known is asked for.
  Vector mean;
  // S: how far f at a row is expected to be from that mean. Of the square, one
  // part is what is believed of the mean, and the other how much f differs
  // among the rows of a site beforehand, whatever was published.
  Vector variance;
  Matrix features;        // M x S: of the sum over a site, what sites share
  Vector D;               // S: the rest, and the noise of the observations
  Vector noise;           // S: of one observation, the mean over a site
  Matrix query_features;  // M x places: of f at the places that matter
};

// `statistic` must not be empty.
OutputBelief Believe(const OptimalModel& model, const Hyperparameters& theta,
                     const OutputStatistic& statistic);

// A number that was published beside the sums of a round, with its noise.
struct PublishedNumber {
  double value = 0;
  double noise_sd = 0;
};

// What a round published, and all that inference needs to know of how: it is
// public, and a release file can hold it. The round saw an output y of a site
// as far as it lies within half_width of the centre there:
//   value = R (sums over sites of gain (y − centre)) + N(0, noise_sd² I),
// gain = (d/2)/half_width for bounds of the width d.
struct PublishedRound {
  Matrix R;           // r x S
  Vector centre;      // S
  Vector half_width;  // S
  Vector value;       // r
  double noise_sd = 0;
  PublishedNumber present = {};  // the share of outputs that are not missing
  // The sum of ((y − centre)/half_width)²; absent where nothing is learned from
  // it.
  std::optional<PublishedNumber> squares = {};
};

// What can be concluded from rounds by whoever sees what they published and
// knows the sites: the custodian between rounds, and the reader of a release
// file at the end.
class Conclusion {
 public:
  // `model`: with its basis; `width`: of the bounds. Refers to the model.
  Conclusion(const OptimalModel& model, double prior_mean, double width);

  // Takes in one more round, and brings all beliefs in line with it.
  void Add(PublishedRound round);

  const std::vector<PublishedRound>& rounds() const { return rounds_; }
  // What is believed of hyperparameters, of the noise in particular.
  const HyperPrior& prior() const { return prior_; }
  const Hyperparameters& theta() const { return theta_; }
  // Before the first round, its mean alone.
  const OutputBelief& belief() const { return belief_; }
  const OutputStatistic& statistic() const { return statistic_; }

 private:
  friend std::vector<Posterior> Conclude(const OptimalModel& model,
                                         double prior_mean, double width,
                                         std::vector<PublishedRound> rounds);
  void Update();
  void Gather();
  void Learn();
  double NoiseVariance() const;

  const OptimalModel& model_;
  double prior_mean_;
  double width_;
  std::vector<PublishedRound> rounds_;
  double share_ = 1;  // of the outputs, that are not missing
  OutputStatistic statistic_;
  HyperPrior prior_;
  Hyperparameters theta_;
  std::optional<Vector> mode_;  // theta in the coordinates of the prior
  OutputBelief belief_;
};

// Returns the posteriors that follow from all rounds together. They depend on
// nothing else, whatever was concluded between the rounds: the file of a
// release has all that this takes.
std::vector<Posterior> Conclude(const OptimalModel& model, double prior_mean,
                                double width,
                                std::vector<PublishedRound> rounds);

// Adds what a round published, in units of its noise, if this share of the
// outputs is not missing. The noise that missing ones add (AddMissingOutputs)
// is left out where nothing is believed of the outputs yet.
void AppendRound(const OptimalModel& model, double prior_mean, double width,
                 const PublishedRound& round, double share,
                 const OutputBelief& belief, OutputStatistic& statistic);

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_CONCLUSION_H_
