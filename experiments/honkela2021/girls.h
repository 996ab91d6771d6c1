#ifndef CLOAK_EXPERIMENTS_HONKELA2021_GIRLS_H_
#define CLOAK_EXPERIMENTS_HONKELA2021_GIRLS_H_

#include <filesystem>

#include "experiments/rows_draws.h"

namespace cloak {

// The girls of a growth study with both height and weight: age (years) and
// weight (kg), and height (cm). The file has the columns age, sex, height and
// weight; a cell that is missing is empty.
OpenRows ReadGirls(const std::filesystem::path& path);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_HONKELA2021_GIRLS_H_
