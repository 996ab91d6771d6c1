#ifndef CLOAK_SERVER_OPENAPI_H_
#define CLOAK_SERVER_OPENAPI_H_

#include <string>

namespace cloak {

// The description of the service (OpenAPI 3.0). A test holds it against the
// routes there are and against what they answer.
const std::string& OpenApiDocument();

}  // namespace cloak

#endif  // CLOAK_SERVER_OPENAPI_H_
