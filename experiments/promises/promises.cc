// What both promises cost, of outputs alone and of whole rows, on every data
// set: the error of releases with nothing given, at delta = 1e-5, and of the
// same model without privacy.
//
//   promises [DATA-FOLDER] [--epsilon E] [--protect outputs|rows|nothing]
//       [OPTIONS]
//
// Options: --draws N (10), --threads N, --csv, --only TEXT (problems with TEXT
// in their name). Without a folder, simulated rows alone. The number of a draw
// decides which rows are held out, for both promises alike; the noise is the
// real thing.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "experiments/promises/judgement.h"
#include "experiments/promises/open_scores.h"
#include "experiments/promises/promise_scores.h"

namespace cloak {
namespace {

constexpr double kPromiseDelta = 1e-5;

struct PromiseCommand {
  std::string folder;  // empty: none
  std::vector<double> epsilons = {0.1, 0.3, 1};
  std::string protect = {};  // empty: all, and nothing

  bool Wants(const std::string& name) const {
    return protect.empty() || protect == name;
  }
};

// Absent where the words make no sense.
std::optional<PromiseCommand> ParsePromises(
    const std::vector<std::string>& words) {
  PromiseCommand command;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    if (words[i] == "--epsilon" && !last) {
      command.epsilons = {ParseNumber(words[++i], "--epsilon")};
    } else if (words[i] == "--protect" && !last) {
      command.protect = words[++i];
    } else if (command.folder.empty() && words[i].front() != '-') {
      command.folder = words[i];
    } else {
      return std::nullopt;
    }
  }
  return command;
}

// How much larger the error of one is than that of another, draw by draw.
void PrintDifference(const ScoreTable& table, const Problem& problem,
                     const std::string& name, double epsilon, const Matrix& one,
                     const Matrix& other) {
  table.Print(problem.name, name, epsilon, {PromiseMeasures(problem).front()},
              one.col(0) - other.col(0));
}

void Compare(const Problem& problem, const PromiseCommand& command,
             const DrawOptions& options, const ScoreTable& table) {
  const OpenRows all = ReadProblem(problem, command.folder);
  const auto measure = [&](const std::string& name, double epsilon,
                           const auto& score) {
    const Matrix scores =
        ScoreDraws(options, [&](uint64_t seed, Randomness& randomness) {
          return score(SplitProblem(all, seed), randomness);
        });
    table.Print(problem.name, name, epsilon, PromiseMeasures(problem), scores);
    return scores;
  };
  const auto measure_promise = [&](const std::string& name, PromiseMade promise,
                                   double epsilon) {
    const Budget budget(epsilon, kPromiseDelta);
    return measure(
        name, epsilon, [&](const RowHalves& rows, Randomness& randomness) {
          return ScorePromise(problem, promise, budget, rows, randomness);
        });
  };

  std::optional<Matrix> nothing;
  if (command.Wants("nothing")) {
    nothing = measure("nothing", std::numeric_limits<double>::infinity(),
                      [&](const RowHalves& rows, Randomness&) {
                        return ScoreOpenly(problem, rows);
                      });
  }
  for (const double epsilon : command.epsilons) {
    std::optional<Matrix> outputs;
    std::optional<Matrix> rows;
    if (command.Wants("outputs")) {
      outputs = measure_promise("outputs", PromiseMade::kOutputs, epsilon);
    }
    if (command.Wants("rows")) {
      rows = measure_promise("rows", PromiseMade::kRows, epsilon);
    }
    const auto compare = [&](const std::string& name, const auto& one,
                             const auto& other) {
      if (one && other) {
        PrintDifference(table, problem, name, epsilon, *one, *other);
      }
    };
    compare("outputs-rows", outputs, rows);
    compare("excess, out.", outputs, nothing);
    compare("excess, rows", rows, nothing);
  }
}

bool RunPromises(const DrawCommand& words) {
  const std::optional<PromiseCommand> command = ParsePromises(words.words);
  if (!command) return false;
  const ScoreTable table("promises", words.options.csv);
  for (const Problem& problem : PromiseProblems()) {
    if (!words.options.Wants(problem.name)) continue;
    if (command->folder.empty() && !problem.file.empty()) continue;
    Compare(problem, *command, words.options, table);
  }
  return true;
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunDraws(
      argc, argv,
      "usage: promises [DATA-FOLDER] [--epsilon E]\n"
      "           [--protect outputs|rows|nothing] [OPTIONS]\n",
      cloak::RunPromises, {.draws = 10});
}
