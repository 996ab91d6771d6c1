#ifndef CLOAK_APPS_CLI_PAGE_H_
#define CLOAK_APPS_CLI_PAGE_H_

#include <string>

#include "cloak/linalg/threads.h"
#include "cloak/release/release.h"

namespace cloak {

// A release as one HTML page that needs nothing else: no network and no other
// file. It is the page of `cloak serve`, with the plots computed beforehand at
// every position of its sliders. `file` is what its commands call the release.
std::string ReleasePage(const Release& release, const std::string& file,
                        const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_PAGE_H_
