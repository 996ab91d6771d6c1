#ifndef CLOAK_SERVER_ASSETS_H_
#define CLOAK_SERVER_ASSETS_H_

#include <string_view>

namespace cloak {

// A file of a web page, inside the program.
struct Asset {
  std::string_view path;  // as it is asked for: "/", "/app.js"
  std::string_view content_type;
  std::string_view content;
  // The name of the content in If-None-Match, and the content as a gzip file;
  // both may be left out.
  std::string_view tag = {};
  std::string_view gzipped = {};
};

}  // namespace cloak

#endif  // CLOAK_SERVER_ASSETS_H_
