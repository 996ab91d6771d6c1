#ifndef CLOAK_EXPERIMENTS_DESIGNS_PICTURES_H_
#define CLOAK_EXPERIMENTS_DESIGNS_PICTURES_H_

#include <string>

#include "cloak/linalg/matrix.h"
#include "experiments/designs/comparison.h"

namespace cloak {

// The pictures of docs/designs.md, each a whole SVG file. The input of the
// task is an age in years and its output a length in cm.

// For a task with two query ages: how far single rows can pull the two
// predictions, the noise that hides it, and the error that is left.
std::string EllipsesSvg(const DesignTask& task, const Comparison& comparison);

// Noise and error along the query ages.
std::string NoiseSvg(const DesignTask& task, const Comparison& comparison);

// How much of its allowance each row uses, and how far it pulls predictions.
std::string RowsSvg(const DesignTask& task, const Comparison& comparison);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_DESIGNS_PICTURES_H_
