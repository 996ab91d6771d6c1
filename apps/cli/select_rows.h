#ifndef CLOAK_APPS_CLI_SELECT_ROWS_H_
#define CLOAK_APPS_CLI_SELECT_ROWS_H_

#include "apps/cli/arguments.h"
#include "apps/cli/cli.h"

namespace cloak {

// `cloak select --protect rows`: candidates are tried at random, each trained
// on one half of the rows and scored on the other, privately, and the best is
// released (models/selected_plan.h). Choice and release are one.
void SelectRows(const SelectArguments& arguments, const Streams& streams,
                const RandomnessSource& randomness);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_SELECT_ROWS_H_
