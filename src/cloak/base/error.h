#ifndef CLOAK_BASE_ERROR_H_
#define CLOAK_BASE_ERROR_H_

#include <stdexcept>

#include "cloak/base/text.h"

namespace cloak {

// The one way Cloak reports errors: exceptions of this hierarchy. A message
// names the argument, the rule, the value and the way out, for example
//   epsilon must be finite and positive, but is -1
//
// A message never contains the content of a private cell.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The caller can mend it: a wrong argument, a malformed file, a path that
// cannot be read or written.
class InvalidInput : public Error {
 public:
  using Error::Error;
};

// Something the guarantee rests on does not hold (the operating system gave no
// entropy, a design is degenerate, an integer would overflow). Nothing was
// released.
class PrivacyFailure : public Error {
 public:
  using Error::Error;
};

// Something failed, in whatever way, after the ledger was charged: that budget
// stays spent.
class SpentInVain : public Error {
 public:
  using Error::Error;
};

// Throws InvalidInput unless `condition` holds. The message is the text of
// `parts` (Text in text.h), which is put together only then.
template <typename... Parts>
void RequireInput(bool condition, const Parts&... parts) {
  if (!condition) [[unlikely]]
    throw InvalidInput(Text(parts...));
}

// Throws PrivacyFailure in the same way. Unlike assert, it is there in release
// builds.
template <typename... Parts>
void RequirePrivacy(bool condition, const Parts&... parts) {
  if (!condition) [[unlikely]]
    throw PrivacyFailure(Text(parts...));
}

}  // namespace cloak

#endif  // CLOAK_BASE_ERROR_H_
