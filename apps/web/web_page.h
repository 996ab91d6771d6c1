#ifndef CLOAK_APPS_WEB_WEB_PAGE_H_
#define CLOAK_APPS_WEB_WEB_PAGE_H_

#include <span>
#include <string>
#include <string_view>

#include "cloak/server/assets.h"

namespace cloak {

// The page as a server sends it: it asks the server for everything.
std::span<const Asset> WebAssets();

// The same page as one file that asks nobody: `json` has one release and its
// plots (see File in src/source.ts). Nothing in it can become HTML or script:
// the page runs no script but its own, which its policy knows by its hash.
std::string WebPageFile(std::string_view json);

}  // namespace cloak

#endif  // CLOAK_APPS_WEB_WEB_PAGE_H_
