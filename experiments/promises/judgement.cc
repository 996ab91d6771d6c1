#include "experiments/promises/judgement.h"

#include <cmath>
#include <ctime>

namespace cloak {

Judgement JudgeNumbers(const Vector& mean, const Vector& lower,
                       const Vector& upper, const Vector& truth) {
  const auto held =
      (truth.array() >= lower.array()) && (truth.array() <= upper.array());
  return {std::sqrt((mean - truth).squaredNorm() /
                    static_cast<double>(truth.size())),
          held.cast<double>().mean()};
}

Judgement JudgeLabels(const Vector& second, const Vector& truth) {
  const Vector sure = second.cwiseMax(0.001).cwiseMin(0.999);
  const Vector right =
      (truth.array() > 0).select(sure.array(), 1 - sure.array());
  return {(right.array() < 0.5).cast<double>().mean(),
          -right.array().log().mean()};
}

const std::vector<std::string>& PromiseMeasures(const Problem& problem) {
  static const std::vector<std::string> numbers = {
      "RMSE", "in 95 % intervals", "sd expected", "seconds of CPU"};
  static const std::vector<std::string> labels = {
      "labels wrong", "log loss", "sd expected", "seconds of CPU"};
  return problem.HasLabels() ? labels : numbers;
}

Vector MeasuresOf(const Judgement& judgement, double expected_sd,
                  double seconds) {
  return Eigen::Vector4d(judgement.error, judgement.other, expected_sd,
                         seconds);
}

OutputBounds BoundsOf(const Problem& problem) {
  return problem.HasLabels()
             ? OutputBounds(-1, 1)
             : OutputBounds(problem.output.lower, problem.output.upper);
}

Vector Clip(const Vector& outputs, const OutputBounds& bounds) {
  return outputs.cwiseMax(bounds.lower()).cwiseMin(bounds.upper());
}

double CpuClock::Now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace cloak
