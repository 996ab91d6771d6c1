#include "cloak/audit/release_audit.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <memory>

#include "cloak/audit/noise_grid.h"
#include "cloak/audit/number_evidence.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/released_numbers.h"
#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {
namespace {

using Binomial = boost::math::binomial_distribution<double>;

constexpr Index kFewestReleases = 10000;
constexpr Index kMostReleases = 100000000;
constexpr Index kBlock = 500;
constexpr Index kRound = 10000;

// The relative rounding error of an epsilon computed back from the noise.
constexpr double kStatisticRounding = 1e-6;

constexpr size_t kThresholds = 3;
// Statements that may be wrong by chance, besides those about each number: two
// sets for each threshold, two bounds of mu, and the grid. All but the grid's
// and the variance's need two binomial bounds.
constexpr int kStatements = 2 * (2 * kThresholds + 1) + 1 + kGridTests;

// So many numbers are enough to see a grid.
constexpr Index kGridNumbers = 200000;

// The figures that are kept of one table's releases.
struct Sample {
  std::vector<double> scores;
  std::vector<Int128> noise;  // of all numbers of some releases
  NumberSums numbers;
};

// The numbers that would be published of a table without noise. Where they are
// not known, those of one release stand for them.
struct Origin {
  std::vector<Int128> numbers;

  // In standard deviations of the noise.
  Vector Scaled(double sd) const {
    Vector scaled(static_cast<Index>(numbers.size()));
    for (Index k = 0; k < scaled.size(); ++k) {
      scaled(k) = static_cast<double>(
          static_cast<long double>(numbers[static_cast<size_t>(k)]) / sd);
    }
    return scaled;
  }
};

Origin OriginOf(const std::vector<Int128>& statistic,
                const std::vector<Int128>& example) {
  RequireInput(example.size() >= statistic.size(), "the release has ",
               example.size(), " numbers, but its statistic ",
               statistic.size());
  Origin origin{example};
  std::copy(statistic.begin(), statistic.end(), origin.numbers.begin());
  return origin;
}

// m.(v - t)/|m|^2 of the numbers that are known.
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
    }
    for (long double& move : move_) move /= squared;
  }

  double Score(const std::vector<Int128>& published) const {
    long double score = 0;
    for (size_t k = 0; k < origin_.size(); ++k) {
      score += move_[k] *
               static_cast<long double>(CheckedAdd(published[k], -origin_[k]));
    }
    return static_cast<double>(score);
  }

 private:
  std::vector<Int128> origin_;
  std::vector<long double> move_;
};

// Releases one table many times.
class Sampler {
 public:
  Sampler(const AuditedRelease& release, const MadeUpRows& table,
          const Origin& origin, const Scorer& scorer, double sd)
      : release_(release),
        table_(table),
        origin_(origin.numbers),
        scorer_(scorer),
        sd_(sd) {}

  // Rounds of blocks, each block with a generator made in its order, so that
  // the sample does not depend on the threads.
  Sample Draw(Index count, const Threads& threads,
              const RandomnessSource& randomness,
              const std::function<void(double)>& progress) const {
    const auto size = static_cast<Index>(origin_.size());
    const Index kept = std::min(count, kGridNumbers / size + 1);
    Sample sample;
    sample.scores.resize(static_cast<size_t>(count));
    sample.noise.resize(static_cast<size_t>(kept * size));
    for (Index begin = 0; begin < count; begin += kRound) {
      progress(static_cast<double>(begin) / static_cast<double>(count));
      const Index length = std::min(kRound, count - begin);
      std::vector<std::unique_ptr<Randomness>> generators;
      for (Index first = 0; first < length; first += kBlock) {
        generators.emplace_back(new Randomness(randomness()));
      }
      std::vector<NumberSums> sums(generators.size());
      threads.ForBlocks(length, kBlock, [&](Index first, Index end) {
        const auto block = static_cast<size_t>(first / kBlock);
        for (Index j = first; j < end; ++j) {
          DrawOne(begin + j, kept, *generators[block], sums[block], sample);
        }
      });
      for (const NumberSums& block : sums) sample.numbers.Add(block);
    }
    return sample;
  }

 private:
  void DrawOne(Index i, Index kept, Randomness& random, NumberSums& sums,
               Sample& sample) const {
    const std::vector<Int128> published = release_(table_, random);
    RequireInput(published.size() == origin_.size(), "the release has ",
                 published.size(), " numbers, but had ", origin_.size(),
                 " before");
    Vector scaled(static_cast<Index>(origin_.size()));
    for (size_t k = 0; k < origin_.size(); ++k) {
      const Int128 noise = CheckedAdd(published[k], -origin_[k]);
      scaled(static_cast<Index>(k)) = static_cast<double>(noise) / sd_;
      if (i < kept) {
        sample.noise[static_cast<size_t>(i) * origin_.size() + k] = noise;
      }
    }
    sums.Add(scaled);
    sample.scores[static_cast<size_t>(i)] = scorer_.Score(published);
  }

  const AuditedRelease& release_;
  const MadeUpRows& table_;
  const std::vector<Int128>& origin_;
  const Scorer& scorer_;
  double sd_;
};

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

void AccuseRelease(double alpha, AuditReport& report) {
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
  accuse(report.mu_lower > report.claimed_mu * (1 + kStatisticRounding),
         Text("there is less noise than the claim needs: mu is at least ",
              RoundedText(report.mu_lower), ", not ",
              RoundedText(report.claimed_mu)));
  accuse(report.grid_p_value < alpha,
         "the noise leaves out numbers: it lies on a grid, and shows which of "
         "two tables was released");
}

// Adds to the report what the scores of all numbers together say.
void WeighScores(const Evidence& evidence, AuditReport& report) {
  const double mu = report.claimed_mu;
  for (size_t i = 0; i < kThresholds; ++i) {
    const double c = 0.5 + report.claimed_epsilon / (mu * mu) *
                               static_cast<double>(i) / (kThresholds - 1);
    report.epsilon_lower =
        std::max(report.epsilon_lower, evidence.EpsilonAt(c, report.delta));
  }
  report.mu_lower =
      std::max(evidence.MuFromErrors(), evidence.MuFromVariance());
}

}  // namespace

AuditedRelease ReleaseOf(const GaussianMechanism& mechanism) {
  return [&mechanism](const MadeUpRows& rows, Randomness& random) {
    return AllNumbers(mechanism,
                      mechanism.Release(Secret<Vector>(rows.outputs), random));
  };
}

AuditClaim ClaimOf(const GaussianMechanism& mechanism) {
  return {mechanism.noise().mu(), mechanism.noise().sensitivity_squared(),
          mechanism.budget().delta()};
}

void AuditOptions::Validate() const {
  RequireInput(releases >= kFewestReleases && releases <= kMostReleases,
               "an audit needs ", kFewestReleases, " to ", kMostReleases,
               " releases, but ", releases, " were asked for");
  RequireInput(confidence > 0.5 && confidence < 1,
               "the confidence must be above 0.5 and below 1, but is ",
               confidence);
}

AuditReport AuditRelease(const AuditedRelease& release,
                         const NeighbouringTables& neighbours,
                         const AuditClaim& claim, const AuditOptions& options,
                         const Threads& threads,
                         const RandomnessSource& randomness,
                         const Progress& progress) {
  options.Validate();
  RequireInput(claim.sensitivity_squared > 0 && claim.mu > 0,
               "the declared sensitivity and mu must be positive");
  const double sd =
      std::sqrt(static_cast<double>(claim.sensitivity_squared)) / claim.mu;
  Randomness first(randomness());
  const std::vector<Int128> example = release(neighbours.table, first);
  const Scorer scorer(neighbours);
  const auto draw = [&](const MadeUpRows& table, const Origin& origin,
                        double behind) {
    return Sampler(release, table, origin, scorer, sd)
        .Draw(options.releases, threads, randomness, [&](double fraction) {
          progress("auditing", behind + fraction / 2);
        });
  };
  const Origin origin = OriginOf(neighbours.statistic, example);
  const Origin other_origin = OriginOf(neighbours.other_statistic, example);
  const Sample near = draw(neighbours.table, origin, 0);
  const Sample far = draw(neighbours.other, other_origin, 0.5);

  // One half of what may go wrong is for all numbers together, the other for
  // each by itself.
  const double half = (1 - options.confidence) / 2;
  AuditReport report;
  report.releases = options.releases;
  report.numbers = static_cast<Index>(example.size());
  report.confidence = options.confidence;
  report.claimed_mu = claim.mu;
  report.claimed_epsilon = GaussianEpsilonOfMu(claim.mu, claim.delta);
  report.delta = claim.delta;
  report.declared_sensitivity_squared = claim.sensitivity_squared;
  report.measured_sensitivity_squared = neighbours.distance_squared;
  WeighScores(Evidence(near.scores, far.scores, half / kStatements), report);
  const NumberEvidence numbers = WeighNumbers(
      near.numbers, origin.Scaled(sd), far.numbers, other_origin.Scaled(sd),
      static_cast<Index>(neighbours.statistic.size()), half);
  report.mu_lower = std::max(report.mu_lower, numbers.mu_lower);
  report.gaussian_epsilon_lower =
      GaussianEpsilonOfMu(report.mu_lower, claim.delta);
  std::vector<Int128> noise = near.noise;
  noise.insert(noise.end(), far.noise.begin(), far.noise.end());
  report.grid_p_value = NoiseGridPValue(std::move(noise), sd);
  AccuseRelease(half / kStatements, report);
  if (numbers.distance_lower > claim.mu * (1 + kStatisticRounding)) {
    report.accusations.emplace_back(
        "one number alone is farther apart in two neighbouring tables than the "
        "declared sensitivity");
  }
  report.accusations.insert(report.accusations.end(),
                            numbers.accusations.begin(),
                            numbers.accusations.end());
  return report;
}

}  // namespace cloak
