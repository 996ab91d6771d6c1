#ifndef CLOAK_DESIGN_DESCENT_H_
#define CLOAK_DESIGN_DESCENT_H_

#include <functional>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// A function of a matrix that does not change when the matrix is normalised,
// so that it may be minimised as if there were no constraint.
struct NormalizedFunction {
  // Puts the matrix back on the constraint.
  std::function<void(Matrix& R)> normalize;
  // The value at a normalised R, and its gradient.
  std::function<double(const Matrix& R, Matrix& gradient)> evaluate;
};

struct DescentOptions {
  int memory = 6;
  int max_iterations = 150;
  // Stop when `window` iterations lower the value by less than this.
  double least_decrease = 1e-4;
  int window = 5;
  // Called after every iteration.
  std::function<void(int iteration)> report = [](int) {};
};

// Improves a normalised R in place by L-BFGS (Nocedal and Wright 2006,
// algorithm 7.4, with backtracking) and returns the number of iterations. R is
// large: the steps remembered are kept in single precision, and every pass
// over them is on all threads, with the same bits on any number of them.
int Descend(const NormalizedFunction& function, Matrix& R,
            const Threads& threads, const DescentOptions& options);

}  // namespace cloak

#endif  // CLOAK_DESIGN_DESCENT_H_
