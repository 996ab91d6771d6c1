#ifndef CLOAK_RELEASE_BYTE_SOURCE_H_
#define CLOAK_RELEASE_BYTE_SOURCE_H_

#include <cstddef>
#include <functional>

namespace cloak {

// Fills `room` with up to `size` bytes of a file and returns how many there
// were; 0 at the end.
using ByteSource = std::function<size_t(char* room, size_t size)>;

}  // namespace cloak

#endif  // CLOAK_RELEASE_BYTE_SOURCE_H_
