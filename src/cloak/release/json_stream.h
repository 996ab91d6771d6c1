#ifndef CLOAK_RELEASE_JSON_STREAM_H_
#define CLOAK_RELEASE_JSON_STREAM_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cloak/release/json_bytes.h"
#include "cloak/release/json_value.h"
#include "cloak/release/sealed_bytes.h"

namespace cloak {

// Limits to the size of a document, and to what is kept of it.
struct JsonLimits {
  JsonBytes::Limits document;
  size_t items = 0;         // of one list
  size_t numbers = 0;       // of all lists
  size_t other_values = 0;  // texts, lists and objects
  size_t text_bytes = 0;    // of all texts
};

// The parts of a document that are kept. A field is named by the path to it,
// with [] for the items of a list: "inputs", "inputs[].name". A field that is
// not among them is read over, whatever is in it.
struct JsonFields {
  std::span<const std::string_view> known;
  // Called with the text of the field `sealed` as soon as that was read.
  std::string_view sealed;
  std::function<void(const std::string&)> on_sealed;
};

// Reads a document byte by byte and keeps only the fields that are known, so
// that memory is bounded by the limits, whoever wrote it. Throws InvalidInput
// that says what is wrong.
JsonValue ReadJsonStream(SealedBytes& sealed, const JsonFields& fields,
                         const JsonLimits& limits);

}  // namespace cloak

#endif  // CLOAK_RELEASE_JSON_STREAM_H_
