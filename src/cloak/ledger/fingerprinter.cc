#include "cloak/ledger/fingerprinter.h"

#include <sodium.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "cloak/data/cell_text.h"
#include "cloak/privacy/mechanism_key.h"

namespace cloak {
namespace {

// The same bits for what counts as the same number: one zero, one NaN.
uint64_t CanonicalBits(double value) {
  if (value == 0) return 0;
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<uint64_t>(value);
}

// Hashes numbers in the order of their bits: any order does that does not
// depend on the rows'.
std::string HashOfNumbers(const LedgerKey& key, std::vector<uint64_t> bits) {
  std::sort(bits.begin(), bits.end());
  const size_t bytes = bits.size() * sizeof(uint64_t);
  std::string hash =
      key.Hash(LedgerKey::Purpose::kFingerprint,
               {"column", {reinterpret_cast<const char*>(bits.data()), bytes}});
  sodium_memzero(bits.data(), bytes);
  return hash;
}

}  // namespace

Fingerprint Fingerprinter::Of(const std::string& name,
                              const Secret<Vector>& column) const {
  const MechanismKey open;
  const Vector& values = column.Open(open);
  std::vector<uint64_t> bits(static_cast<size_t>(values.size()));
  std::transform(values.begin(), values.end(), bits.begin(), CanonicalBits);
  return {name, HashOfNumbers(key_, std::move(bits))};
}

Fingerprint Fingerprinter::Of(
    const std::string& name,
    const Secret<std::vector<std::string>>& cells) const {
  const MechanismKey open;
  std::vector<uint64_t> bits;
  // Cells that are no numbers are hashed as they are written, beside the
  // numbers.
  std::vector<std::string> words;
  for (const std::string& cell : cells.Open(open)) {
    const std::string_view text = WithoutBlanks(cell);
    const std::optional<double> number = CellNumber(text);
    if (number.has_value()) {
      bits.push_back(CanonicalBits(*number));
    } else {
      words.emplace_back(text);
    }
  }
  std::string numbers = HashOfNumbers(key_, std::move(bits));
  if (words.empty()) return {name, std::move(numbers)};
  std::sort(words.begin(), words.end());
  std::vector<std::string_view> parts = {"cells", numbers};
  parts.insert(parts.end(), words.begin(), words.end());
  Fingerprint fingerprint(name,
                          key_.Hash(LedgerKey::Purpose::kFingerprint, parts));
  for (std::string& word : words) sodium_memzero(word.data(), word.size());
  return fingerprint;
}

}  // namespace cloak
