// The pictures and figures of docs/designs.md: the noise designs volume, trace
// and bayes on the same task.
//
//   designs FOLDER [DATA.csv]
//
// DATA.csv is Howell's census (experiments/README.md). Where it is not at hand
// the simulated survey takes its place. Writes pictures (.svg) and the figures
// behind them (.csv) to FOLDER, and prints the tables. Everything is computed
// from ages: no height has any influence on it.

#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/atomic_file.h"
#include "cloak/data/csv.h"
#include "cloak/data/csv_writer.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "experiments/data_dir.h"
#include "experiments/designs/comparison.h"
#include "experiments/designs/pictures.h"
#include "experiments/smith2021/folds.h"

namespace cloak {
namespace {

using std::filesystem::path;

constexpr Index kQueries = 200;

// The ages of a table, and what the designs are asked about them.
struct Study {
  std::string name;
  Vector ages;
  double oldest = 0;  // query ages are even from 0 to this
  double width = 0;   // of the bounds of the heights
  Budget budget;
  Matrix two_ages = Matrix{{10.0}, {20.0}};
};

struct Prior {
  std::string name;
  std::string kernel;
  double noise_variance = 0;
};

// The first of them is in the pictures.
const std::vector<Prior> kPriors = {
    {"papers", "eq(variance=10, lengthscale=15)", 25},
    {"wide", "bias(1000) + eq(variance=600, lengthscale=15)", 60}};

Study KungWomen(const path& data) {
  return {"287 !Kung women", ReadWomen(data).age, 110,
          kHighestHeight - kLowestHeight, Budget(1, 0.01)};
}

Study SimulatedSurvey() {
  const Table table = ReadCsv(CLOAK_SURVEY, {.numeric = {"age"}});
  return {"simulated survey", table.Numeric({"age"}).col(0), 100, 140,
          Budget(1, 0.001)};
}

DesignTask TaskOf(const Study& study, const Prior& prior, const Matrix& Xs) {
  return {study.ages,
          Xs,
          Kernel::Parse(prior.kernel),
          prior.noise_variance,
          GaussianSigma(study.budget) * study.width,
          study.width};
}

Matrix EvenAges(const Study& study) {
  return Vector::LinSpaced(kQueries, 0, study.oldest);
}

void WriteColumns(const path& file, const std::vector<CsvColumn>& columns) {
  std::ostringstream out;
  WriteCsv(out, columns);
  WriteFileAtomically(file, out.str());
}

void PrintTable(const DesignTask& task, const Comparison& comparison) {
  std::cout
      << "| design | numbers released | objective | certified gap | "
         "iterations | time, ms | noise, cm | error, cm | "
         "the same at the rows' ages | error if decoded by Bayes |\n"
         "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  const auto errors = [&](const Matrix& error) {
    return Text(RoundedText(RootMeanVariance(error), 3), " | ",
                RoundedText(RootMeanVarianceAtRows(task, error), 3), " | ");
  };
  for (const DesignOutcome& outcome : comparison.outcomes) {
    const NoiseDesign& design = outcome.design;
    std::cout << Text(
        "| `", outcome.name, "` | ", design.R.rows(), " | ",
        RoundedText(design.objective, 3), " | ", RoundedText(design.gap, 1),
        " | ", design.iterations, " | ", std::lround(1e3 * outcome.seconds),
        " | ",
        RoundedText(RootMeanVariance(NoiseCovariance(outcome.release)), 3),
        " | ", errors(outcome.error),
        RoundedText(RootMeanVariance(outcome.error_by_bayes), 3), " |\n");
  }
  std::cout << Text(
      "| no privacy | | | | | | 0 | ", errors(comparison.without_privacy),
      " |\n| no data | | | | | | | ", errors(comparison.prior), " |\n\n");
}

void WriteAges(const path& file, const DesignTask& task,
               const Comparison& comparison) {
  const Vector age = task.Xs.col(0);
  std::vector<std::string> names;
  std::vector<Vector> sds;
  const auto add = [&](const std::string& name, const Matrix& covariance) {
    names.push_back(name);
    sds.emplace_back(covariance.diagonal().cwiseMax(0).cwiseSqrt());
  };
  for (const DesignOutcome& outcome : comparison.outcomes) {
    add(outcome.name + "_noise_sd", NoiseCovariance(outcome.release));
    add(outcome.name + "_error_sd", outcome.error);
  }
  add("no_privacy_error_sd", comparison.without_privacy);
  std::vector<CsvColumn> columns = {{"age", age}};
  for (size_t k = 0; k < names.size(); ++k) {
    columns.emplace_back(names[k], sds[k]);
  }
  WriteColumns(file, columns);
}

void WriteRows(const path& file, const DesignTask& task,
               const Comparison& comparison) {
  const Vector age = task.X.col(0);
  std::vector<Vector> values;
  for (const DesignOutcome& outcome : comparison.outcomes) {
    values.emplace_back(outcome.design.R.colwise().squaredNorm());
    values.push_back(RowPulls(task, outcome.release));
  }
  std::vector<CsvColumn> columns = {{"age", age}};
  for (size_t k = 0; k < comparison.outcomes.size(); ++k) {
    const std::string& name = comparison.outcomes[k].name;
    columns.emplace_back(name + "_allowance", values[2 * k]);
    columns.emplace_back(name + "_pull", values[2 * k + 1]);
  }
  WriteColumns(file, columns);
}

void PrintEllipses(const DesignTask& task, const Comparison& comparison) {
  std::cout << "| at two ages | noise area, cm² | noise variances, sum, cm² | "
               "error area, cm² | error variances, sum, cm² |\n"
               "| --- | --- | --- | --- | --- |\n";
  const auto figures = [](const Matrix& covariance) {
    return Text(RoundedText(EllipseArea(covariance), 3), " | ",
                RoundedText(covariance.trace(), 3));
  };
  for (const DesignOutcome& outcome : comparison.outcomes) {
    std::cout << Text("| `", outcome.name, "` | ",
                      figures(NoiseCovariance(outcome.release)), " | ",
                      figures(outcome.error), " |\n");
  }
  std::cout << Text("| no privacy | 0 | 0 | ",
                    figures(comparison.without_privacy), " |\n| no data | | | ",
                    figures(comparison.prior),
                    " |\n\nσ = ", RoundedText(task.s / task.width, 4), "\n\n");
}

void Compare(const Study& study, const path& folder) {
  const Threads threads;
  std::filesystem::create_directories(folder);
  for (const Prior& prior : kPriors) {
    const DesignTask task = TaskOf(study, prior, EvenAges(study));
    const Comparison comparison = CompareDesigns(task, threads);
    std::cout << Text(study.name, ", ", kQueries, " ages from 0 to ",
                      study.oldest, ", kernel ", prior.kernel,
                      ", noise variance ", prior.noise_variance, ":\n\n");
    PrintTable(task, comparison);
    WriteAges(folder / Text("ages-", prior.name, ".csv"), task, comparison);
    WriteRows(folder / Text("rows-", prior.name, ".csv"), task, comparison);
    WriteFileAtomically(folder / Text("designs-noise-", prior.name, ".svg"),
                        NoiseSvg(task, comparison));
    WriteFileAtomically(folder / Text("designs-rows-", prior.name, ".svg"),
                        RowsSvg(task, comparison));
  }
  const DesignTask two = TaskOf(study, kPriors.front(), study.two_ages);
  const Comparison comparison = CompareDesigns(two, threads);
  PrintEllipses(two, comparison);
  WriteFileAtomically(folder / "designs-ellipses.svg",
                      EllipsesSvg(two, comparison));
}

int Main(const path& folder, const std::optional<path>& data) {
  if (data && exists(*data)) {
    Compare(KungWomen(*data), folder);
  } else {
    const std::string missing =
        data ? data->string() : Text("howell1.csv (", kDataHint, ")");
    std::cout << Text("There is no ", missing,
                      ": drawing the simulated survey instead.\n\n");
    Compare(SimulatedSurvey(), folder);
  }
  return 0;
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::cerr << "usage: designs FOLDER [DATA.csv]\n";
    return 2;
  }
  try {
    return cloak::Main(argv[1],
                       argc == 3 ? argv[2] : cloak::FindData("howell1.csv"));
  } catch (const std::exception& error) {
    std::cerr << "designs: " << error.what() << "\n";
    return 2;
  }
}
