// Smith et al. 2021, Table 1: heights of !Kung women from their age (and
// weight) at (1, 0.01)-differential privacy, root mean squared error over 14
// folds, mean over many draws of the noise.
//
//   kung DATA.csv [--draws N] [--csv] [--only TEXT]
//
// DATA.csv has the columns height, weight, age, male (Howell's census).
// Seeds of folds are fixed; the noise is the real thing, so figures move a
// little from run to run (the last column is the standard error).

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "experiments/smith2021/folds.h"

namespace cloak {
namespace {

std::vector<KungCase> Cases() {
  std::vector<KungCase> cases;
  for (const std::vector<std::string>& inputs :
       {std::vector<std::string>{"age"}, {"age", "weight"}}) {
    cases.push_back(OptimalGiven(inputs));
    cases.push_back(OptimalLearned(inputs));
    cases.push_back(Cloaking(inputs, Regression::kVolume));
    cases.push_back(Cloaking(inputs, Regression::kTrace));
    cases.push_back(SparseCloaking(inputs, Regression::kVolume));
    cases.push_back(SparseCloaking(inputs, Regression::kTrace));
    cases.push_back(NonstationaryCloaking(inputs, Regression::kVolume));
    cases.push_back(NonstationaryCloaking(inputs, Regression::kTrace));
    cases.push_back(Baseline(inputs, Regression::kBinning));
    cases.push_back(Baseline(inputs, Regression::kIntegralBinning));
    cases.push_back(Baseline(inputs, Regression::kFunctional));
    cases.push_back(Published(inputs, Regression::kCloaking));
    cases.push_back(Published(inputs, Regression::kSparseCloaking));
  }
  return cases;
}

int Main(const std::string& path, int draws, bool csv,
         const std::string& only) {
  const Women women = ReadWomen(path);
  const Threads threads;
  Randomness randomness = Randomness::FromSystem();
  if (csv) {
    std::printf("case,rmse,standard_error,coverage\n");
  } else {
    std::printf("%-44s %8s %8s %10s\n", "case", "RMSE cm", "± s.e.",
                "95 % cover");
  }
  for (const KungCase& c : Cases()) {
    if (c.name.find(only) == std::string::npos) continue;
    const FoldScores scores =
        CrossValidate(women, c, draws, randomness, threads);
    std::printf(csv ? "\"%s\",%.3f,%.3f,%.4f\n" : "%-44s %8.2f %8.2f %10.3f\n",
                c.name.c_str(), scores.rmse, scores.standard_error,
                scores.coverage);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  std::string path;
  int draws = 40;
  bool csv = false;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--draws") == 0 && i + 1 < argc) {
      draws = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else if (std::strcmp(argv[i], "--csv") == 0) {
      csv = true;
    } else {
      path = argv[i];
    }
  }
  if (path.empty() || draws < 1) {
    std::cerr << "usage: kung DATA.csv [--draws N] [--csv] [--only TEXT]\n";
    return 2;
  }
  try {
    return cloak::Main(path, draws, csv, only);
  } catch (const cloak::Error& error) {
    std::cerr << "kung: " << error.what() << "\n";
    return 2;
  }
}
