#include "cloak/ledger/fingerprinter.h"

#include <sodium.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cloak/privacy/mechanism_key.h"

namespace cloak {
namespace {

// The same bits for what counts as the same number: one zero, one NaN.
uint64_t CanonicalBits(double value) {
  if (value == 0) return 0;
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<uint64_t>(value);
}

}  // namespace

Fingerprint Fingerprinter::Of(const Secret<Vector>& column) const {
  const MechanismKey open;
  const Vector& values = column.Open(open);
  std::vector<uint64_t> bits(static_cast<size_t>(values.size()));
  std::transform(values.begin(), values.end(), bits.begin(), CanonicalBits);
  // As integers: any order does that does not depend on the rows'.
  std::sort(bits.begin(), bits.end());
  const size_t bytes = bits.size() * sizeof(uint64_t);
  Fingerprint fingerprint(key_.Hash(
      LedgerKey::Purpose::kFingerprint,
      {"column", {reinterpret_cast<const char*>(bits.data()), bytes}}));
  sodium_memzero(bits.data(), bytes);
  return fingerprint;
}

}  // namespace cloak
