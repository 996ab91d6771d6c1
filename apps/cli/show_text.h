#ifndef CLOAK_APPS_CLI_SHOW_TEXT_H_
#define CLOAK_APPS_CLI_SHOW_TEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "cloak/release/release.h"

namespace cloak {

// The key figures of a release, each with its name, in the order to show them:
// for the terminal and for the page.
std::vector<std::pair<std::string, std::string>> KeyFigures(
    const Release& release);

// The release in plain text. Names in it come from the file and are not yet
// fit for a terminal (printable.h).
std::string ShowText(const Release& release);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_SHOW_TEXT_H_
