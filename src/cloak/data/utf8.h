#ifndef CLOAK_DATA_UTF8_H_
#define CLOAK_DATA_UTF8_H_

#include <cstddef>
#include <string_view>

namespace cloak {

// Where the first byte that is not part of valid UTF-8 stands; bytes.size()
// when all are.
size_t FirstInvalidUtf8(std::string_view bytes);

}  // namespace cloak

#endif  // CLOAK_DATA_UTF8_H_
