#ifndef CLOAK_APPS_WEB_WEB_ASSETS_H_
#define CLOAK_APPS_WEB_WEB_ASSETS_H_

#include <string_view>

namespace cloak {

// The bundled page; bundle.mjs writes the values while Cloak is built.
extern const std::string_view kIndexHtml;
extern const std::string_view kAppScript;
extern const std::string_view kAppStyle;
// As a Content-Security-Policy names them.
extern const std::string_view kAppScriptHash;
extern const std::string_view kAppStyleHash;

}  // namespace cloak

#endif  // CLOAK_APPS_WEB_WEB_ASSETS_H_
