#ifndef CLOAK_DESIGN_FIRST_GUESS_H_
#define CLOAK_DESIGN_FIRST_GUESS_H_

#include <vector>

#include "cloak/design/bayes.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// The prior in fewer weights: along the principal directions of Φ over the
// rows, without those that would get no share of R by far even if nothing else
// mattered than this prior. They become part of D, like all that a basis
// leaves out.
DesignPrior Condensed(const DesignPrior& prior, double s,
                      const Threads& threads);

// Where the optimiser of the bayes design starts: rows of R along the
// principal directions of all priors side by side, each with the share of the
// columns' squared norm that is best when the places that matter are like the
// rows. Not normalised.
Matrix FirstGuess(const std::vector<DesignPrior>& priors, double s,
                  Index max_rank, const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_DESIGN_FIRST_GUESS_H_
