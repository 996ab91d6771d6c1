#ifndef CLOAK_EXPERIMENTS_DANDEKAR2019_SECTIONS_H_
#define CLOAK_EXPERIMENTS_DANDEKAR2019_SECTIONS_H_

#include <string>

#include "experiments/rows_draws.h"

namespace cloak {

// The four models of Dandekar, Basu and Bressan 2019, section 4. Each prints
// its part of figures 1 to 4, with Adult for the census, and of figure 6.

// How many rows there are where: KL divergence and RMSE from the same without
// privacy (figures 1 to 4, with a file), or from the true ones (figure 6).
void ReleaseHistograms(const std::string& adult, const DrawOptions& options);
void ReleaseDensities(const std::string& adult, const DrawOptions& options);

// Hours of work by age and education (figures 1 to 4), heights of !Kung women
// by age (figure 6): RMSE.
void ReleaseRegressions(const std::string& adult, const std::string& howell,
                        const DrawOptions& options);

// Income by the paper's five other columns (figure 4), and Iris (figure 6):
// the fraction of held-out rows on the wrong side.
void ReleaseMachines(const std::string& adult, const std::string& adult_test,
                     const std::string& iris, const DrawOptions& options);

// How long a query takes (figure 5).
void TimeQueries(const std::string& adult, const DrawOptions& options);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_DANDEKAR2019_SECTIONS_H_
