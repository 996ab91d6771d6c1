// What both promises cost, of outputs alone and of whole rows, on every data
// set: the error of releases with nothing given, at delta = 1e-5, and of the
// same model without privacy.
//
//   promises [DATA-FOLDER] [--epsilon E] [--protect outputs|rows|nothing]
//       [--markdown] [OPTIONS]
//
// Options: --draws N (10), --threads N, --csv, --only TEXT (problems with TEXT
// in their name). With --markdown, the table of the README. Without a folder,
// simulated rows alone. The number of a draw
// decides which rows are held out, for both promises alike; the noise is the
// real thing.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "experiments/promises/errors_of_promises.h"
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
  bool markdown = false;

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
    } else if (words[i] == "--markdown") {
      command.markdown = true;
    } else if (command.folder.empty() && words[i].front() != '-') {
      command.folder = words[i];
    } else {
      return std::nullopt;
    }
  }
  return command;
}

// Prints what each draw measured, or one line of a table for both promises.
class PromiseTable {
 public:
  explicit PromiseTable(const DrawOptions& options, bool markdown)
      : options_(options), markdown_(markdown) {
    if (markdown_) {
      PrintMarkdownHeader();
    } else {
      scores_.emplace("promises", options.csv);
    }
  }

  const DrawOptions& options() const { return options_; }

  void PrintScores(const Problem& problem, const std::string& name,
                   double epsilon, const Matrix& scores) const {
    if (!scores_) return;
    scores_->Print(problem.name, name, epsilon, PromiseMeasures(problem),
                   scores);
  }

  void PrintComparison(const Problem& problem, double epsilon,
                       const ErrorsOfPromises& errors) const {
    if (markdown_) {
      PrintMarkdownLine(problem, epsilon, errors);
      return;
    }
    const auto compare = [&](const std::string& name,
                             const std::optional<Vector>& one,
                             const std::optional<Vector>& other) {
      if (!one || !other) return;
      scores_->Print(problem.name, name, epsilon,
                     {PromiseMeasures(problem).front()}, *one - *other);
    };
    compare("outputs-rows", errors.outputs, errors.rows);
    compare("excess, out.", errors.outputs, errors.nothing);
    compare("excess, rows", errors.rows, errors.nothing);
  }

 private:
  DrawOptions options_;
  bool markdown_;
  std::optional<ScoreTable> scores_;
};

void Compare(const Problem& problem, const PromiseCommand& command,
             const PromiseTable& table) {
  const OpenRows all = ReadProblem(problem, command.folder);
  // Returns the errors of all draws, if they are wanted.
  const auto measure = [&](const std::string& name, double epsilon,
                           const auto& score) -> std::optional<Vector> {
    if (!command.Wants(name)) return {};
    const Matrix scores =
        ScoreDraws(table.options(), [&](uint64_t seed, Randomness& randomness) {
          return score(SplitProblem(all, seed), randomness);
        });
    table.PrintScores(problem, name, epsilon, scores);
    return scores.col(0);
  };
  const auto measure_promise = [&](const std::string& name, PromiseMade promise,
                                   double epsilon) {
    const Budget budget(epsilon, kPromiseDelta);
    return measure(
        name, epsilon, [&](const RowHalves& rows, Randomness& randomness) {
          return ScorePromise(problem, promise, budget, rows, randomness);
        });
  };

  ErrorsOfPromises errors;
  errors.nothing = measure("nothing", std::numeric_limits<double>::infinity(),
                           [&](const RowHalves& rows, Randomness&) {
                             return ScoreOpenly(problem, rows);
                           });
  for (const double epsilon : command.epsilons) {
    errors.outputs = measure_promise("outputs", PromiseMade::kOutputs, epsilon);
    errors.rows = measure_promise("rows", PromiseMade::kRows, epsilon);
    table.PrintComparison(problem, epsilon, errors);
  }
}

bool RunPromises(const DrawCommand& words) {
  const std::optional<PromiseCommand> command = ParsePromises(words.words);
  if (!command) return false;
  const PromiseTable table(words.options, command->markdown);
  for (const Problem& problem : PromiseProblems()) {
    if (!words.options.Wants(problem.name)) continue;
    if (command->folder.empty() && !problem.file.empty()) continue;
    Compare(problem, *command, table);
  }
  return true;
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunDraws(
      argc, argv,
      "usage: promises [DATA-FOLDER] [--epsilon E]\n"
      "           [--protect outputs|rows|nothing] [--markdown] [OPTIONS]\n",
      cloak::RunPromises, {.draws = 10});
}
