#include "cloak/audit/release_audit.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <memory>

#include "cloak/audit/noise_grid.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {
namespace {

using Binomial = boost::math::binomial_distribution<double>;

constexpr Index kFewestReleases = 10000;
constexpr Index kMostReleases = 100000000;
constexpr Index kBlock = 500;
constexpr Index kRound = 10000;

// Of an epsilon computed back from the noise, relative.
constexpr double kStatisticRounding = 1e-6;

constexpr size_t kThresholds = 3;
// Statements that may be wrong by chance: two sets for each threshold, two
// bounds of mu, and the grid. All but the grid's and the variance's need two
// binomial bounds.
constexpr int kStatements = 2 * (2 * kThresholds + 1) + 1 + kGridTests;

// What is left of one table's releases.
struct Sample {
  std::vector<double> scores;
  std::vector<Int128> noise;  // of one published number
};

// m.(v - t)/|m|^2, and the noise in the number that moves most.
class Scorer {
 public:
  explicit Scorer(const NeighbouringTables& neighbours)
      : origin_(neighbours.statistic) {
    long double squared = 0;
    for (size_t k = 0; k < origin_.size(); ++k) {
      const Int128 move =
          CheckedAdd(neighbours.other_statistic[k], -origin_[k]);
      move_.push_back(static_cast<long double>(move));
      squared += move_[k] * move_[k];
      if (std::abs(move_[k]) > std::abs(move_[farthest_])) farthest_ = k;
    }
    for (long double& move : move_) move /= squared;
  }

  double Score(const std::vector<Int128>& published) const {
    RequireInput(published.size() == origin_.size(),
                 Text("the release has ", published.size(),
                      " numbers, but its statistic ", origin_.size()));
    long double score = 0;
    for (size_t k = 0; k < published.size(); ++k) {
      score += move_[k] *
               static_cast<long double>(CheckedAdd(published[k], -origin_[k]));
    }
    return static_cast<double>(score);
  }
  size_t farthest() const { return farthest_; }

 private:
  std::vector<Int128> origin_;
  std::vector<long double> move_;
  size_t farthest_ = 0;
};

// Rounds of blocks, each block with a generator made in its order, so that
// the sample does not depend on the threads.
Sample Draw(const AuditedRelease& release, const Vector& outputs,
            const std::vector<Int128>& statistic, const Scorer& scorer,
            Index count, const Threads& threads,
            const RandomnessSource& randomness,
            const std::function<void(double)>& progress) {
  Sample sample;
  sample.scores.resize(static_cast<size_t>(count));
  sample.noise.resize(static_cast<size_t>(count));
  const size_t k = scorer.farthest();
  for (Index begin = 0; begin < count; begin += kRound) {
    progress(static_cast<double>(begin) / static_cast<double>(count));
    const Index size = std::min(kRound, count - begin);
    std::vector<std::unique_ptr<Randomness>> generators;
    for (Index first = 0; first < size; first += kBlock) {
      generators.emplace_back(new Randomness(randomness()));
    }
    threads.ForBlocks(size, kBlock, [&](Index first, Index end) {
      Randomness& random = *generators[static_cast<size_t>(first / kBlock)];
      for (Index j = first; j < end; ++j) {
        const std::vector<Int128> published = release(outputs, random);
        const auto i = static_cast<size_t>(begin + j);
        sample.scores[i] = scorer.Score(published);
        sample.noise[i] = CheckedAdd(published[k], -statistic[k]);
      }
    });
  }
  return sample;
}

double CountAbove(const std::vector<double>& scores, double threshold) {
  return static_cast<double>(
      std::count_if(scores.begin(), scores.end(),
                    [=](double score) { return score > threshold; }));
}

// The two samples' evidence. alpha: the chance to be wrong of each statement.
class Evidence {
 public:
  Evidence(const std::vector<double>& near, const std::vector<double>& far,
           double alpha)
      : near_(near),
        far_(far),
        n_(static_cast<double>(near.size())),
        alpha_(alpha) {}

  // The larger bound of epsilon from z > c and from z <= 1 - c.
  double EpsilonAt(double c, double delta) const {
    return std::max(Epsilon(CountAbove(far_, c), CountAbove(near_, c), delta),
                    Epsilon(n_ - CountAbove(near_, 1 - c),
                            n_ - CountAbove(far_, 1 - c), delta));
  }

  double MuFromErrors() const {
    const double wrong = Upper(CountAbove(near_, 0.5));
    const double missed = Upper(n_ - CountAbove(far_, 0.5));
    if (wrong >= 1 || missed >= 1) return 0;
    const boost::math::normal_distribution<double> normal;
    return std::max(0.0, -quantile(normal, wrong) - quantile(normal, missed));
  }

  double MuFromVariance() const {
    const double freedom = 2 * n_ - 2;
    const double sum = SquaresAroundMean(near_) + SquaresAroundMean(far_);
    const double largest_variance =
        sum /
        boost::math::quantile(
            boost::math::chi_squared_distribution<double>(freedom), alpha_);
    // No noise at all: any mu is refuted.
    return largest_variance > 0 ? 1 / std::sqrt(largest_variance) : kLargestMu;
  }

 private:
  static constexpr double kLargestMu = 1e9;

  double Upper(double successes) const {
    return Binomial::find_upper_bound_on_p(n_, successes, alpha_);
  }
  double Epsilon(double in, double in_other, double delta) const {
    const double p = Binomial::find_lower_bound_on_p(n_, in, alpha_) - delta;
    return p > 0 ? std::max(0.0, std::log(p / Upper(in_other))) : 0;
  }
  static double SquaresAroundMean(const std::vector<double>& values) {
    double mean = 0;
    for (const double value : values) mean += value;
    mean /= static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return sum;
  }

  const std::vector<double>& near_;
  const std::vector<double>& far_;
  double n_;
  double alpha_;
};

void Accuse(AuditReport& report, double alpha) {
  const auto accuse = [&](bool refuted, const std::string& why) {
    if (refuted) report.accusations.push_back(why);
  };
  accuse(
      report.measured_sensitivity_squared > report.declared_sensitivity_squared,
      "two neighbouring tables are farther apart than the declared "
      "sensitivity: the noise is made for less");
  accuse(report.epsilon_lower > report.claimed_epsilon,
         Text("the releases of two neighbouring tables can be told apart "
              "better than the claim allows: epsilon is at least ",
              RoundedText(report.epsilon_lower)));
  accuse(report.gaussian_epsilon_lower > report.claimed_epsilon,
         Text("there is less noise than the claim needs: epsilon is at least ",
              RoundedText(report.gaussian_epsilon_lower)));
  accuse(report.grid_p_value < alpha,
         "the noise leaves out numbers: it lies on a grid, and shows which of "
         "two tables was released");
}

}  // namespace

AuditedRelease ReleaseOf(const GaussianMechanism& mechanism) {
  return [&mechanism](const Vector& outputs, Randomness& random) {
    return mechanism.Release(Secret<Vector>(outputs), random).units;
  };
}

AuditClaim ClaimOf(const GaussianMechanism& mechanism) {
  const Budget& budget = mechanism.budget();
  const double own = GaussianEpsilonOfMu(mechanism.mu(), budget.delta());
  // It is the budget's up to rounding where it has all of that.
  const bool has_a_share =
      own > 0 && own < (1 - kStatisticRounding) * budget.epsilon();
  return {has_a_share ? Budget(own, budget.delta()) : budget,
          mechanism.sensitivity_squared_units()};
}

void AuditOptions::Validate() const {
  RequireInput(releases >= kFewestReleases && releases <= kMostReleases,
               Text("an audit needs ", kFewestReleases, " to ", kMostReleases,
                    " releases, but ", releases, " were asked for"));
  RequireInput(confidence > 0.5 && confidence < 1,
               Text("the confidence must be above 0.5 and below 1, but is ",
                    confidence));
}

AuditReport AuditRelease(const AuditedRelease& release,
                         const NeighbouringTables& neighbours,
                         const AuditClaim& claim, const AuditOptions& options,
                         const Threads& threads,
                         const RandomnessSource& randomness,
                         const Progress& progress) {
  options.Validate();
  RequireInput(claim.sensitivity_squared > 0,
               "the declared sensitivity must be positive, but is 0");
  const Scorer scorer(neighbours);
  const auto draw = [&](const Vector& outputs,
                        const std::vector<Int128>& statistic, double behind) {
    return Draw(release, outputs, statistic, scorer, options.releases, threads,
                randomness, [&](double fraction) {
                  progress("auditing", behind + fraction / 2);
                });
  };
  const Sample near = draw(neighbours.outputs, neighbours.statistic, 0);
  const Sample far =
      draw(neighbours.other_outputs, neighbours.other_statistic, 0.5);

  const double alpha = (1 - options.confidence) / kStatements;
  const double mu = GaussianMu(claim.budget);
  const double epsilon = claim.budget.epsilon();
  const double delta = claim.budget.delta();
  AuditReport report;
  report.releases = options.releases;
  report.confidence = options.confidence;
  report.claimed_epsilon = epsilon;
  report.delta = delta;
  const Evidence evidence(near.scores, far.scores, alpha);
  for (size_t i = 0; i < kThresholds; ++i) {
    const double c =
        0.5 + epsilon / (mu * mu) * static_cast<double>(i) / (kThresholds - 1);
    report.epsilon_lower =
        std::max(report.epsilon_lower, evidence.EpsilonAt(c, delta));
  }
  report.gaussian_epsilon_lower = GaussianEpsilonOfMu(
      std::max(evidence.MuFromErrors(), evidence.MuFromVariance()), delta);
  report.declared_sensitivity_squared = claim.sensitivity_squared;
  report.measured_sensitivity_squared = neighbours.distance_squared;
  std::vector<Int128> noise = near.noise;
  noise.insert(noise.end(), far.noise.begin(), far.noise.end());
  report.grid_p_value = NoiseGridPValue(
      std::move(noise),
      std::sqrt(static_cast<double>(claim.sensitivity_squared)) / mu);
  Accuse(report, alpha);
  return report;
}

}  // namespace cloak
