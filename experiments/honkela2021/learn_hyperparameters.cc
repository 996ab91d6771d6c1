#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "experiments/honkela2021/rows_methods.h"
#include "experiments/honkela2021/sections.h"
#include "experiments/honkela2021/simulated_rows.h"

namespace cloak {
namespace {

constexpr Index kRows = 2048;
constexpr double kNoiseSd = 0.1;

// The candidates: each three times the one before.
using Candidates = std::array<double, 3>;
constexpr Candidates kLengthscales = {1.0 / 3, 1, 3};
constexpr Candidates kNoiseSds = {0.1 / 3, 0.1, 0.3};

std::vector<RowsMethod> Methods() {
  std::vector<KnownModel> candidates;
  for (const double lengthscale : kLengthscales) {
    for (const double noise_sd : kNoiseSds) {
      candidates.push_back(
          {Kernel::Eq(1, lengthscale), noise_sd * noise_sd, EvenGrid(3, 9)});
    }
  }
  return {Selected(candidates, SelectionAccounting::kPublished),
          Selected(candidates, SelectionAccounting::kRenyi), OptimalLearned()};
}

// The weight that a release gives to each candidate, a value counting for the
// one nearest to it in ratio.
class Votes {
 public:
  explicit Votes(const Candidates& candidates) : candidates_(candidates) {}

  void Add(double value, double weight) {
    const double steps = std::log(value / candidates_[0]) / std::log(3.0);
    votes_(static_cast<Index>(std::lround(std::clamp(steps, 0.0, 2.0)))) +=
        weight;
  }
  // 1 for the candidate with most votes, 0 for the others.
  Vector Winner() const {
    Index winner = 0;
    votes_.maxCoeff(&winner);
    return Vector::Unit(3, winner);
  }

 private:
  Candidates candidates_;
  Vector votes_ = Vector::Zero(3);
};

double LengthscaleOf(const Kernel& kernel) {
  for (const KernelParameter& parameter : kernel.Parameters()) {
    if (parameter.path.find("lengthscale") != std::string::npos) {
      return parameter.value;
    }
  }
  throw Error(Text("no lengthscale in ", kernel.ToString()));
}

// Which lengthscale was found, and which noise: two times three numbers.
Vector Found(const Release& release) {
  Votes lengthscales(kLengthscales);
  Votes noises(kNoiseSds);
  for (const Posterior& posterior : release.content().posteriors) {
    lengthscales.Add(LengthscaleOf(posterior.kernel), posterior.weight);
    noises.Add(std::sqrt(posterior.noise_variance), posterior.weight);
  }
  Vector found(6);
  found << lengthscales.Winner(), noises.Winner();
  return found;
}

}  // namespace

void LearnHyperparameters(const DrawOptions& options) {
  std::vector<std::string> measures;
  for (const double l : kLengthscales) {
    measures.push_back(Text("lengthscale ", std::round(100 * l) / 100));
  }
  for (const double sd : kNoiseSds) {
    measures.push_back(Text("noise ", std::round(1000 * sd) / 1000));
  }
  const ScoreTable table("5.3", options.csv);
  for (const double epsilon : {1.0, 3.0, 10.0, 30.0}) {
    for (const RowsMethod& method : Methods()) {
      if (!options.Wants(method.name)) continue;
      const auto plan =
          method.plan(SimulatedSetting(kRows, 1.2), Budget(epsilon, kDelta));
      const auto score = [&](uint64_t seed, Randomness& randomness) {
        const OpenRows rows = DampedSineRows(kRows, kNoiseSd, seed);
        return Found(plan->Execute(rows.Keep(), randomness));
      };
      table.Print(method.name, "", epsilon, measures,
                  ScoreDraws(options, score));
    }
  }
}

}  // namespace cloak
