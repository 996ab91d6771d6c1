#ifndef CLOAK_EXPERIMENTS_DANDEKAR2019_CENSUS_H_
#define CLOAK_EXPERIMENTS_DANDEKAR2019_CENSUS_H_

#include <string>

#include "experiments/rows_draws.h"

namespace cloak {

// The columns of Adult that are like those of the paper's census.
Vector ReadAges(const std::string& adult);
// Age and years of education; hours of work in a week.
OpenRows ReadHours(const std::string& adult);
// Age, years of education, and whether somebody is male, white, and married;
// 1 where the income is above 50000 dollars, −1 elsewhere.
OpenRows ReadIncomes(const std::string& adult);

// Iris: four lengths; 1 where the species is `positive`, −1 elsewhere, without
// those that are `without`.
OpenRows ReadIris(const std::string& iris, const std::string& positive,
                  const std::string& without);

// Age of !Kung women; their height.
OpenRows ReadHeights(const std::string& howell);

// The first `train` rows in an order by chance, and up to `test` of the others.
RowHalves Sample(const OpenRows& rows, Index train, Index test, uint64_t seed);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_DANDEKAR2019_CENSUS_H_
