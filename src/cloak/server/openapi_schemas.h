#ifndef CLOAK_SERVER_OPENAPI_SCHEMAS_H_
#define CLOAK_SERVER_OPENAPI_SCHEMAS_H_

#include <nlohmann/json_fwd.hpp>

namespace cloak {

struct ApiLimits;

// The shapes of what is sent and answered, by name: components/schemas of the
// OpenAPI document.
nlohmann::ordered_json OpenApiSchemas(const ApiLimits& limits);

// The probability that an interval holds.
nlohmann::ordered_json IntervalSchema();

}  // namespace cloak

#endif  // CLOAK_SERVER_OPENAPI_SCHEMAS_H_
