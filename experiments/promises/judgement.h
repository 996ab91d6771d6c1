#ifndef CLOAK_EXPERIMENTS_PROMISES_JUDGEMENT_H_
#define CLOAK_EXPERIMENTS_PROMISES_JUDGEMENT_H_

#include <string>
#include <vector>

#include "cloak/privacy/budget.h"
#include "experiments/promises/problems.h"

namespace cloak {

// Measures of how good predictions are on rows that are held out.
struct Judgement {
  // By this promises are compared: the root mean squared error, or the fraction
  // of labels that are wrong.
  double error = 0;
  // The fraction of outputs in their 95 % intervals, or the mean of minus the
  // logarithm of the probability of the right class.
  double other = 0;
};

Judgement JudgeNumbers(const Vector& mean, const Vector& lower,
                       const Vector& upper, const Vector& truth);
// `second` has the probability of the class that is 1, where the other is -1;
// it counts as 0.001 and 0.999 where it is nearer to 0 and 1.
Judgement JudgeLabels(const Vector& second, const Vector& truth);

// The names of what a draw measures, and the measures.
const std::vector<std::string>& PromiseMeasures(const Problem& problem);
Vector MeasuresOf(const Judgement& judgement, double expected_sd,
                  double seconds);

// The range of outputs: of labels, from -1 to 1.
OutputBounds BoundsOf(const Problem& problem);
Vector Clip(const Vector& outputs, const OutputBounds& bounds);

// The CPU time that this thread takes from now on; others have draws of their
// own.
class CpuClock {
 public:
  CpuClock() : begin_(Now()) {}
  double Seconds() const { return Now() - begin_; }

 private:
  static double Now();

  double begin_;
};

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_PROMISES_JUDGEMENT_H_
