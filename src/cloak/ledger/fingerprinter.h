#ifndef CLOAK_LEDGER_FINGERPRINTER_H_
#define CLOAK_LEDGER_FINGERPRINTER_H_

#include <string>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/ledger/fingerprint.h"
#include "cloak/ledger/ledger_key.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// Fingerprints columns with the key of a ledger: BLAKE2b of the values in
// increasing order. The order of rows, the name of the column, the other
// columns, blanks around cells and how numbers are written make no difference;
// a row more, a row less or another value do. A column of cells that are all
// numbers has the fingerprint of these numbers.
//
// To somebody without the key a fingerprint says nothing of the values, under
// the usual assumption that keyed BLAKE2b is a pseudo-random function, except
// that two are alike. Somebody with the key can test a guess of the whole
// column.
class Fingerprinter {
 public:
  explicit Fingerprinter(const LedgerKey& key) : key_(key) {}

  Fingerprint Of(const std::string& name, const Secret<Vector>& column) const;
  Fingerprint Of(const std::string& name,
                 const Secret<std::vector<std::string>>& cells) const;

 private:
  const LedgerKey& key_;
};

}  // namespace cloak

#endif  // CLOAK_LEDGER_FINGERPRINTER_H_
