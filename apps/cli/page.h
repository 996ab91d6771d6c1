#ifndef CLOAK_APPS_CLI_PAGE_H_
#define CLOAK_APPS_CLI_PAGE_H_

#include <string>

#include "cloak/linalg/threads.h"
#include "cloak/release/release.h"

namespace cloak {

// A release as one HTML page that needs nothing else: no network, no script,
// no other file. `file` is what its predict command calls the release.
std::string ReleasePage(const Release& release, const std::string& file,
                        const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_PAGE_H_
