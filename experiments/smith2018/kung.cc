// Smith et al. 2018, Table 1: heights of !Kung women from their age (and
// weight) at (1, 0.01)-differential privacy, root mean squared error over 14
// folds, mean over many draws of the noise.
//
//   kung DATA.csv [--draws N] [--csv]
//
// DATA.csv has the columns height, weight, age, male (Howell's census).
// Seeds of folds are fixed; the noise is the real thing, so figures move a
// little from run to run (the last column is the standard error).

#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/models/regression.h"
#include "experiments/smith2018/folds.h"

namespace cloak {
namespace {

struct Case {
  std::string name;
  std::vector<std::string> inputs;
  RegressionOptions options;
  bool at_test_points = false;
};

std::vector<Case> Cases() {
  const std::vector<std::string> age = {"age"};
  const std::vector<std::string> both = {"age", "weight"};
  std::vector<Case> cases;
  for (const auto& inputs : {age, both}) {
    const std::string suffix = inputs.size() == 1 ? " 1-d" : " 2-d";
    RegressionOptions given;
    given.input_names = inputs;
    given.output_name = "height";
    given.kernel =
        Kernel::Parse("bias(1000) + eq(variance=600, lengthscale=15)");
    given.noise_variance = 60;
    cases.push_back({"optimal, kernel given" + suffix, inputs, given});
    RegressionOptions learned = given;
    learned.kernel.reset();
    learned.noise_variance.reset();
    cases.push_back({"optimal, all learned" + suffix, inputs, learned});
    // The paper's kernel, with a bias in place of the mean it subtracts.
    RegressionOptions volume = given;
    volume.kernel =
        Kernel::Parse("bias(1000) + eq(variance=10, lengthscale=15)");
    volume.noise_variance = 25;
    volume.method = RegressionOptions::kCloaking;
    volume.design = RegressionOptions::kVolume;
    cases.push_back({"cloaking, volume" + suffix, inputs, volume, true});
    RegressionOptions trace = volume;
    trace.design = RegressionOptions::kTrace;
    cases.push_back({"cloaking, trace" + suffix, inputs, trace, true});
  }
  return cases;
}

int Main(const std::string& path, int draws, bool csv) {
  const Women women = ReadWomen(path);
  const Threads threads;
  if (csv) {
    std::printf("case,rmse,standard_error,coverage\n");
  } else {
    std::printf("%-32s %8s %8s %10s\n", "case", "RMSE cm", "± s.e.",
                "95 % cover");
  }
  for (const Case& c : Cases()) {
    const FoldScores scores = CrossValidate(women, c.inputs, c.options,
                                            c.at_test_points, draws, threads);
    std::printf(csv ? "\"%s\",%.3f,%.3f,%.4f\n" : "%-32s %8.2f %8.2f %10.3f\n",
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
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--draws") == 0 && i + 1 < argc) {
      draws = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--csv") == 0) {
      csv = true;
    } else {
      path = argv[i];
    }
  }
  if (path.empty() || draws < 1) {
    std::cerr << "usage: kung DATA.csv [--draws N] [--csv]\n";
    return 2;
  }
  try {
    return cloak::Main(path, draws, csv);
  } catch (const cloak::Error& error) {
    std::cerr << "kung: " << error.what() << "\n";
    return 2;
  }
}
