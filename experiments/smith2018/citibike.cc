// Smith et al. 2018, Table 1: how long bicycle journeys take, from where they
// begin and end, at δ = 0.01; root mean squared error in seconds, mean over
// folds and its 95 % confidence interval.
//
//   citibike DATA.csv [--folds N] [--csv] [--only cloaking|optimal]
//
// DATA.csv has the columns tripduration, start_lat, start_lon, end_lat and
// end_lon. Folds and the noise of published methods are seeded; the noise of
// releases is the real thing, so their figures move a little.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/linalg/threads.h"
#include "experiments/smith2018/journey_scores.h"

namespace cloak {
namespace {

const std::vector<double> kEpsilons = {1, 0.5, 0.2};
const std::vector<double> kLengthscales = {0.781, 0.312, 0.125, 0.05, 0.02};

struct Command {
  std::string path;
  Index folds = 30;
  bool csv = false;
  std::string only = {};

  bool Wants(const std::string& method) const {
    return only.empty() || only == method;
  }
};

std::vector<JourneyScore> ScoreAll(const Command& command,
                                   const JourneyFold& fold, Index number) {
  std::vector<JourneyScore> scores;
  for (const double lengthscale : kLengthscales) {
    if (!command.Wants("cloaking")) break;
    const std::vector<JourneyScore> cloaked = ScoreCloaking(
        fold, lengthscale, kEpsilons, static_cast<uint64_t>(number));
    scores.insert(scores.end(), cloaked.begin(), cloaked.end());
  }
  if (!command.Wants("optimal")) return scores;
  Randomness randomness = Randomness::FromSystem();
  for (const double epsilon : kEpsilons) {
    const OptimalScore score = ScoreOptimal(fold, epsilon, randomness);
    scores.push_back({"optimal, all learned", epsilon, score.rmse});
    scores.push_back(
        {"optimal: % inside 95 % interval", epsilon, 100 * score.coverage});
  }
  return scores;
}

// Mean over folds, and half the width of its 95 % confidence interval.
struct Summary {
  double mean = 0;
  double half_width = 0;
};

Summary Summarize(const std::vector<double>& values) {
  const Eigen::Map<const Vector> v(values.data(),
                                   static_cast<Index>(values.size()));
  const double n = static_cast<double>(values.size());
  const double mean = v.mean();
  const double variance = (v.array() - mean).square().sum() / (n - 1);
  return {mean, n > 1 ? 1.96 * std::sqrt(variance / n) : 0};
}

// By method in the order of the first fold, then by ε.
using Scores = std::map<std::pair<std::string, double>, std::vector<double>>;

void PrintCsv(const std::vector<std::string>& methods, const Scores& scores) {
  std::printf("method,epsilon,mean,half_width\n");
  for (const std::string& method : methods) {
    for (const auto& [key, values] : scores) {
      if (key.first != method) continue;
      const Summary summary = Summarize(values);
      std::printf("\"%s\",%g,%.2f,%.2f\n", method.c_str(), key.second,
                  summary.mean, summary.half_width);
    }
  }
}

void PrintTable(const std::vector<std::string>& methods, const Scores& scores) {
  std::printf("%-46s %13s", "RMSE in seconds", "no DP");
  for (const double epsilon : kEpsilons) std::printf("     ε = %-5g", epsilon);
  std::printf("\n");
  for (const std::string& method : methods) {
    std::printf("%-46s", method.c_str());
    std::vector<double> columns = {std::numeric_limits<double>::infinity()};
    columns.insert(columns.end(), kEpsilons.begin(), kEpsilons.end());
    for (const double epsilon : columns) {
      const auto found = scores.find({method, epsilon});
      if (found == scores.end()) {
        std::printf(" %13s", "");
        continue;
      }
      const Summary summary = Summarize(found->second);
      std::printf(" %7.1f ±%5.1f", summary.mean, summary.half_width);
    }
    std::printf("\n");
  }
}

int Main(const Command& command) {
  const Journeys all = ReadJourneys(command.path);
  std::vector<std::vector<JourneyScore>> by_fold(
      static_cast<size_t>(command.folds));
  // A fold on each thread: nothing inside one is worth dividing.
  Threads().ForBlocks(command.folds, 1, [&](Index number, Index) {
    by_fold[static_cast<size_t>(number)] =
        ScoreAll(command, SampleFold(all, number), number);
    std::fprintf(stderr, ".");
  });
  std::fprintf(stderr, "\n");
  Scores scores;
  std::vector<std::string> methods;
  for (const std::vector<JourneyScore>& fold : by_fold) {
    for (const JourneyScore& score : fold) {
      if (std::find(methods.begin(), methods.end(), score.method) ==
          methods.end()) {
        methods.push_back(score.method);
      }
      scores[{score.method, score.epsilon}].push_back(score.rmse);
    }
  }
  (command.csv ? PrintCsv : PrintTable)(methods, scores);
  return 0;
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  cloak::Command command;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--folds") == 0 && i + 1 < argc) {
      command.folds = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      command.only = argv[++i];
    } else if (std::strcmp(argv[i], "--csv") == 0) {
      command.csv = true;
    } else {
      command.path = argv[i];
    }
  }
  if (command.path.empty() || command.folds < 1) {
    std::cerr << "usage: citibike DATA.csv [--folds N] [--csv] "
                 "[--only cloaking|optimal]\n";
    return 2;
  }
  try {
    return cloak::Main(command);
  } catch (const cloak::Error& error) {
    std::cerr << "citibike: " << error.what() << "\n";
    return 2;
  }
}
