#ifndef CLOAK_APPS_CLI_RELEASE_REQUEST_H_
#define CLOAK_APPS_CLI_RELEASE_REQUEST_H_

#include <string>
#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/cli.h"
#include "apps/cli/release_options.h"
#include "cloak/custodian/request.h"
#include "cloak/data/table.h"
#include "cloak/release/release.h"

namespace cloak {

// Returns what the arguments of a release ask for, without any file: query
// points are yet to be read. Throws InvalidInput that says what is missing or
// wrong, and why it matters.
Request RequestOf(const ReleaseArguments& arguments);

// Returns the axes of a histogram of the inputs.
std::vector<HistogramAxis> AxesOf(const ReleaseArguments& arguments,
                                  const std::vector<std::string>& inputs);

// Returns the ranges of inputs whose values are private numbers.
InputRanges PrivateRangesOf(const ReleaseArguments& arguments,
                            const std::vector<std::string>& inputs);

// Returns how private columns are read.
PrivateReading ReadingOf(const ReleaseArguments& arguments);

// Reads the table, and the query points into the request, from the files that
// the arguments name. What is private is read straight into a Secret, or, in a
// dry run, not at all.
Table ReadTables(const ReleaseArguments& arguments, const Streams& streams,
                 Request& request);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_REQUEST_H_
