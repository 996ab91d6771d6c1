#ifndef CLOAK_SERVER_QUERY_H_
#define CLOAK_SERVER_QUERY_H_

#include <cstdint>
#include <string_view>

#include "cloak/linalg/matrix.h"
#include "cloak/release/release.h"

namespace cloak {

// A question to a release, which a client asks in JSON:
//   {"rows": [[2, 11.5], [3, 14]], "interval": 0.95, "latent": false}
// A row is an array, in the order of the release's inputs, or an object that
// names each of them. Of an input with categories, a row has the name of one.
// Samples also have "count" and "seed".
struct Query {
  Matrix rows = {};
  PredictOptions options = {};
  Index count = 1;
  uint64_t seed = 0;
};

// Reads it in one pass, so that a batch costs little more than its prediction;
// the depth and the names it accepts are fixed, so hostile nesting fails at
// once. Throws HttpError (400, or 413 for more than `most_rows`) that says
// which row and column is wrong. Never quotes a value.
Query ParseQuery(std::string_view body, const ReleaseContent& content,
                 Index most_rows);

}  // namespace cloak

#endif  // CLOAK_SERVER_QUERY_H_
