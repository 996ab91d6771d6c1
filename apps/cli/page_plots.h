#ifndef CLOAK_APPS_CLI_PAGE_PLOTS_H_
#define CLOAK_APPS_CLI_PAGE_PLOTS_H_

#include <string>

#include "cloak/linalg/threads.h"
#include "cloak/release/release.h"

namespace cloak {

// The plots of a release as HTML, each with a legend or colour bar and its
// values as a table:
//   one input    the curve with its bands
//   two inputs   maps of the mean and of its uncertainty
//   more         a curve for each, with the others at their middle
std::string PlotsHtml(const Release& release, const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_PAGE_PLOTS_H_
