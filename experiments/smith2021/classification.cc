// Smith et al. 2021, sections 6.4 to 6.6: private labels at (1, 0.01).
// Digits (MNIST, low against high), loans (HMEQ), and simulated stripes.
//
//   classification DATA-FOLDER [--splits N] [--draws N] [--csv] [--only TEXT]
//
// The folder has mnist_4000.csv.gz and hmeq.csv; what is not there is left out.
// Splits are fixed; the noise is the real thing, so figures move a little.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "experiments/smith2021/label_scores.h"

namespace cloak {
namespace {

struct Request {
  std::filesystem::path folder;
  int splits = 10;
  int draws = 25;
  bool csv = false;
  std::string only;
};

struct Table {
  LabelSet set;
  std::vector<LabelCase> cases;
};

std::vector<Table> Tables(const std::filesystem::path& folder) {
  std::vector<Table> tables;
  const auto add = [&](LabelSet set, const Kernel& kernel, Index inducing) {
    std::vector<LabelCase> cases = LabelCases(set, kernel, inducing);
    tables.push_back({std::move(set), std::move(cases)});
  };
  const std::filesystem::path digits = folder / "mnist_4000.csv.gz";
  const std::filesystem::path loans = folder / "hmeq.csv";
  if (std::filesystem::exists(digits)) {
    // In the middle of the light lines of figure 8, where privacy is best.
    add(Digits(digits), Kernel::Eq(1, 1000), 21);
  } else {
    std::cerr << "no " << digits << ": digits are left out\n";
  }
  if (std::filesystem::exists(loans)) {
    add(Loans(loans), Kernel::Eq(1, 4), 5);
  } else {
    std::cerr << "no " << loans << ": loans are left out\n";
  }
  add(Stripes(), Kernel::Eq(1, 3.5), 10);
  return tables;
}

int Main(const Request& request) {
  const Threads threads;
  Randomness randomness = Randomness::FromSystem();
  std::printf(request.csv ? "case,splits,draws,accuracy,standard_error,"
                            "calibration_error\n"
                          : "%-34s %9s %8s %12s\n",
              "case", "accuracy", "± s.e.", "calibration");
  for (const Table& table : Tables(request.folder)) {
    for (const LabelCase& c : table.cases) {
      if (c.name.find(request.only) == std::string::npos) continue;
      const LabelScores scores = ScoreLabels(
          table.set, c, request.splits, request.draws, randomness, threads);
      if (request.csv) {
        std::printf("\"%s\",%d,%d,%.4f,%.4f,%.4f\n", c.name.c_str(),
                    request.splits, request.draws, scores.accuracy,
                    scores.standard_error, scores.calibration_error);
      } else {
        std::printf("%-34s %8.1f%% %7.1f%% %11.1f%%\n", c.name.c_str(),
                    100 * scores.accuracy, 100 * scores.standard_error,
                    100 * scores.calibration_error);
      }
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  cloak::Request request;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--splits") == 0 && i + 1 < argc) {
      request.splits = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--draws") == 0 && i + 1 < argc) {
      request.draws = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      request.only = argv[++i];
    } else if (std::strcmp(argv[i], "--csv") == 0) {
      request.csv = true;
    } else {
      request.folder = argv[i];
    }
  }
  if (request.folder.empty() || request.splits < 1 || request.draws < 1) {
    std::cerr << "usage: classification DATA-FOLDER [--splits N] [--draws N] "
                 "[--csv] [--only TEXT]\n";
    return 2;
  }
  try {
    return cloak::Main(request);
  } catch (const cloak::Error& error) {
    std::cerr << "classification: " << error.what() << "\n";
    return 2;
  }
}
