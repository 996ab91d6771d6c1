#ifndef CLOAK_LEDGER_FINGERPRINT_H_
#define CLOAK_LEDGER_FINGERPRINT_H_

#include <string>
#include <utility>

namespace cloak {

// A ledger knows a column by this: its name, if it has one, and a fingerprint
// of its values. That is a function of private values without noise, so it must
// not be published: nobody but the ledger can read it, compare it or print it
// (tests/compile_fail proves that it does not compile), and no release contains
// it.
class Fingerprint {
 private:
  friend class Fingerprinter;
  friend class Ledger;

  Fingerprint(std::string name, std::string hex)
      : name_(std::move(name)), hex_(std::move(hex)) {}

  std::string name_;
  std::string hex_;
};

}  // namespace cloak

#endif  // CLOAK_LEDGER_FINGERPRINT_H_
