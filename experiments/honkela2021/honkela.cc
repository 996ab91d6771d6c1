// Honkela and Melkas 2021, sections 5.1 to 5.4: rows private as a whole.
//
//   honkela function|calibration|hyperparameters [OPTIONS]
//   honkela heights DATA.csv [OPTIONS]
//
// Options: --draws N, --threads N, --csv, --only TEXT (methods with TEXT in
// their name). DATA.csv has the columns age, sex, height and weight.
// Data are seeded by the number of the draw; the noise is the real thing, so
// figures move a little from run to run.

#include <string>
#include <vector>

#include "experiments/honkela2021/sections.h"

namespace cloak {
namespace {

// Whether there is such a section, with what it needs.
bool Run(const DrawCommand& command) {
  const std::vector<std::string>& words = command.words;
  if (words.size() == 2 && words[0] == "heights") {
    PredictHeights(words[1], command.options);
    return true;
  }
  if (words.size() != 1) return false;
  if (words[0] == "function") {
    InferFunction(command.options);
  } else if (words[0] == "calibration") {
    Calibrate(command.options);
  } else if (words[0] == "hyperparameters") {
    LearnHyperparameters(command.options);
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
      "usage: honkela function|calibration|hyperparameters [OPTIONS]\n"
      "       honkela heights DATA.csv [OPTIONS]\n",
      cloak::Run);
}
