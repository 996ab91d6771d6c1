#ifndef CLOAK_APPS_CLI_LABEL_REQUEST_H_
#define CLOAK_APPS_CLI_LABEL_REQUEST_H_

#include "apps/cli/arguments.h"
#include "cloak/models/classification.h"

namespace cloak {

// Whether the task has an output of two classes.
bool HasLabels(const ReleaseArguments& arguments);

// The arguments of --task classification or svm that say how labels are
// released, without the columns. Throws InvalidInput that says what is missing
// or wrong, also of options that belong to numbers.
ClassificationOptions CheckLabels(const ReleaseArguments& arguments);

// Throws InvalidInput when an option is given that belongs to labels.
void RefuseLabelOptions(const ReleaseArguments& arguments);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_LABEL_REQUEST_H_
