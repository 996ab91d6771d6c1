#ifndef CLOAK_APPS_CLI_VERSION_H_
#define CLOAK_APPS_CLI_VERSION_H_

#include <string>

namespace cloak {

// Returns the version, the commit it was built from where that is known, and
// the type of the build: "0.1.0 (bcc2bbb0e50d, Release)".
std::string VersionText();

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_VERSION_H_
