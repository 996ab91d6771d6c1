#include "experiments/promises/errors_of_promises.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace cloak {
namespace {

std::string Digits(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

std::string MeanText(const std::optional<Vector>& draws) {
  return draws ? Digits(draws->mean()) : "";
}

// Both in the digits that the standard error leaves.
std::string DifferenceText(const ErrorsOfPromises& errors) {
  if (!errors.outputs || !errors.rows) return "";
  const MeanOfDraws difference = MeanOf(*errors.outputs - *errors.rows);
  const double size = std::max(difference.standard_error, 1e-9);
  const int places =
      std::clamp(1 - static_cast<int>(std::floor(std::log10(size))), 0, 9);
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f ± %.*f", places, difference.mean,
                places, difference.standard_error);
  return text;
}

}  // namespace

MeanOfDraws MeanOf(const Vector& draws) {
  const auto count = static_cast<double>(draws.size());
  const double mean = draws.mean();
  return {mean, std::sqrt((draws.array() - mean).square().sum() /
                          (count * std::max(1.0, count - 1)))};
}

void PrintMarkdownHeader() {
  std::puts(
      "| data set | ε | outputs private | rows private | "
      "outputs − rows ± s.e. | nothing private |\n"
      "| --- | --- | --- | --- | --- | --- |");
}

void PrintMarkdownLine(const Problem& problem, double epsilon,
                       const ErrorsOfPromises& errors) {
  std::printf("| %s | %g | %s | %s | %s | %s |\n", problem.name.c_str(),
              epsilon, MeanText(errors.outputs).c_str(),
              MeanText(errors.rows).c_str(), DifferenceText(errors).c_str(),
              MeanText(errors.nothing).c_str());
  std::fflush(stdout);
}

}  // namespace cloak
