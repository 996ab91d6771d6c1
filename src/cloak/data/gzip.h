#ifndef CLOAK_DATA_GZIP_H_
#define CLOAK_DATA_GZIP_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace cloak {

// Whether `bytes` begins as every gzip file does.
bool IsGzip(std::string_view bytes);

// The decompressed content of all members of a gzip file. Throws InvalidInput,
// calling the file `name`, when it is truncated, corrupt, or decompresses to
// more than `max_bytes` (a small file can ask for a great deal of memory).
std::string Gunzip(std::string_view bytes, const std::string& name,
                   size_t max_bytes);

// `bytes` as a gzip file.
std::string Gzip(std::string_view bytes);

}  // namespace cloak

#endif  // CLOAK_DATA_GZIP_H_
