#ifndef CLOAK_LEDGER_FINGERPRINT_H_
#define CLOAK_LEDGER_FINGERPRINT_H_

#include <string>

#include "cloak/data/secret.h"
#include "cloak/ledger/ledger_key.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// What a ledger knows a private column by. It is a function of private values
// without noise, so it must not be published: nobody but the ledger can read
// it, compare it or print it (tests/compile_fail proves that it does not
// compile), and no release contains it.
class Fingerprint {
 private:
  friend class Fingerprinter;
  friend class Ledger;

  explicit Fingerprint(std::string hex) : hex_(std::move(hex)) {}

  std::string hex_;
};

// Fingerprints columns with the key of a ledger: BLAKE2b of the values in
// increasing order. The order of rows, the name of the column, the other
// columns and how numbers are written make no difference; a row more, a row
// less or another value do.
//
// To somebody without the key a fingerprint says nothing of the values, under
// the usual assumption that keyed BLAKE2b is a pseudo-random function, except
// that two are alike. Somebody with the key can test a guess of the whole
// column.
class Fingerprinter {
 public:
  explicit Fingerprinter(const LedgerKey& key) : key_(key) {}

  Fingerprint Of(const Secret<Vector>& column) const;

 private:
  const LedgerKey& key_;
};

}  // namespace cloak

#endif  // CLOAK_LEDGER_FINGERPRINT_H_
