#include "experiments/rows_draws.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "experiments/dice.h"

namespace cloak {

PrivateRows OpenRows::Keep() const {
  std::vector<Secret<Vector>> inputs;
  for (Index j = 0; j < X.cols(); ++j) {
    inputs.emplace_back(Vector(X.col(j)));
  }
  return {std::move(inputs), Secret<Vector>(y)};
}

RowHalves Halve(const OpenRows& rows, uint64_t seed) {
  const std::vector<Index> order = Dice(seed).Shuffled(rows.y.size());
  const auto middle = order.begin() + rows.y.size() / 2;
  const std::vector<Index> train(order.begin(), middle);
  const std::vector<Index> test(middle, order.end());
  return {{rows.X(train, Eigen::all), rows.y(train)},
          {rows.X(test, Eigen::all), rows.y(test)}};
}

int RunDraws(int argc, char** argv, const std::string& usage,
             const std::function<bool(const DrawCommand&)>& run,
             const DrawOptions& defaults) {
  try {
    DrawCommand command{.options = defaults};
    for (int i = 1; i < argc; ++i) {
      if (std::strcmp(argv[i], "--draws") == 0 && i + 1 < argc) {
        command.options.draws = std::atoi(argv[++i]);
      } else if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
        command.options.threads = Threads(std::atoi(argv[++i]));
      } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
        command.options.only = argv[++i];
      } else if (std::strcmp(argv[i], "--csv") == 0) {
        command.options.csv = true;
      } else {
        command.words.emplace_back(argv[i]);
      }
    }
    if (command.options.draws >= 1 && run(command)) return 0;
  } catch (const Error& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
  std::cerr << usage << "options: --draws N, --threads N, --csv, --only TEXT\n";
  return 2;
}

Matrix ScoreDraws(
    const DrawOptions& options,
    const std::function<Vector(uint64_t seed, Randomness& randomness)>& score) {
  std::vector<Vector> scores(static_cast<size_t>(options.draws));
  options.threads.ForBlocks(options.draws, 1, [&](Index draw, Index) {
    Randomness randomness = Randomness::FromSystem();
    scores[static_cast<size_t>(draw)] =
        score(static_cast<uint64_t>(draw), randomness);
  });
  Matrix all(options.draws, scores.front().size());
  for (Index draw = 0; draw < all.rows(); ++draw) {
    all.row(draw) = scores[static_cast<size_t>(draw)];
  }
  return all;
}

ScoreTable::ScoreTable(std::string section, bool csv)
    : section_(std::move(section)), csv_(csv) {
  if (csv_) {
    std::printf(
        "section,method,scenario,epsilon,measure,draws,mean,standard_error\n");
  } else {
    std::printf("%-28s %-12s %8s  %-24s %9s %9s\n", "method", "scenario", "ε",
                "measure", "mean", "± s.e.");
  }
}

void ScoreTable::Print(const std::string& method, const std::string& scenario,
                       double epsilon, const std::vector<std::string>& measures,
                       const Matrix& scores) const {
  const auto draws = static_cast<double>(scores.rows());
  for (size_t k = 0; k < measures.size(); ++k) {
    const Vector values = scores.col(static_cast<Index>(k));
    const double mean = values.mean();
    const double error = std::sqrt((values.array() - mean).square().sum() /
                                   (draws * std::max(1.0, draws - 1)));
    if (csv_) {
      std::printf("%s,\"%s\",\"%s\",%g,\"%s\",%g,%.6g,%.3g\n", section_.c_str(),
                  method.c_str(), scenario.c_str(), epsilon,
                  measures[k].c_str(), draws, mean, error);
    } else {
      std::printf("%-28s %-12s %7g  %-24s %9.4g %9.2g\n", method.c_str(),
                  scenario.c_str(), epsilon, measures[k].c_str(), mean, error);
    }
  }
  std::fflush(stdout);
}

}  // namespace cloak
