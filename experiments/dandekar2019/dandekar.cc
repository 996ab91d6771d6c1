// Dandekar, Basu and Bressan 2019, figures 1 to 6: functions as releases.
//
//   dandekar histogram|density [ADULT.csv] [OPTIONS]
//   dandekar time ADULT.csv [OPTIONS]
//   dandekar regression ADULT.csv HOWELL.csv [OPTIONS]
//   dandekar svm ADULT.csv ADULT-TEST.csv IRIS.csv [OPTIONS]
//
// Options: --draws N, --threads N, --csv, --only TEXT (methods with TEXT in
// their name; of svm, data). Without ADULT.csv, figure 6 alone, whose data are
// simulated. Data and the noise of baselines are seeded by the number of the
// draw; the noise of releases is the real thing, so figures move a little from
// run to run.

#include <string>
#include <vector>

#include "experiments/dandekar2019/sections.h"

namespace cloak {
namespace {

// Whether there is such a section, with what it needs.
bool Run(const DrawCommand& command) {
  const std::vector<std::string>& words = command.words;
  const auto is = [&](const char* section, size_t files) {
    return words.size() == files + 1 && words[0] == section;
  };
  const std::string adult = words.size() > 1 ? words[1] : std::string();
  if (is("histogram", 0) || is("histogram", 1)) {
    ReleaseHistograms(adult, command.options);
  } else if (is("density", 0) || is("density", 1)) {
    ReleaseDensities(adult, command.options);
  } else if (is("time", 1)) {
    TimeQueries(adult, command.options);
  } else if (is("regression", 2)) {
    ReleaseRegressions(adult, words[2], command.options);
  } else if (is("svm", 3)) {
    ReleaseMachines(adult, words[2], words[3], command.options);
  } else {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunDraws(
      argc, argv,
      "usage: dandekar histogram|density [ADULT.csv] [OPTIONS]\n"
      "       dandekar time ADULT.csv [OPTIONS]\n"
      "       dandekar regression ADULT.csv HOWELL.csv [OPTIONS]\n"
      "       dandekar svm ADULT.csv ADULT-TEST.csv IRIS.csv [OPTIONS]\n",
      cloak::Run);
}
