#ifndef CLOAK_LEDGER_LEDGER_KEY_H_
#define CLOAK_LEDGER_LEDGER_KEY_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cloak/privacy/randomness.h"

namespace cloak {

// The secret of one ledger, made with it and kept in it. From it come two keys
// of BLAKE2b (libsodium), so that a tag is never a fingerprint: one for the
// chain of entries, one for the fingerprints of columns. Wiped when it goes.
class LedgerKey {
 public:
  static constexpr size_t kBytes = 32;

  enum class Purpose { kChain = 1, kFingerprint = 2 };

  static LedgerKey Generate(Randomness& random);
  // Throws PrivacyFailure unless `hex` is what Hex() gave.
  static LedgerKey FromHex(std::string_view hex);
  ~LedgerKey();
  LedgerKey(const LedgerKey&) = default;
  LedgerKey& operator=(const LedgerKey&) = default;

  // For the ledger's own table, and nowhere else.
  std::string Hex() const;

  // The 256-bit keyed hash of `parts`, in hexadecimal. Each part is preceded
  // by its length, so that no two lists of parts are hashed alike.
  std::string Hash(Purpose purpose,
                   const std::vector<std::string_view>& parts) const;

 private:
  LedgerKey() = default;

  std::array<unsigned char, kBytes> bytes_{};
};

}  // namespace cloak

#endif  // CLOAK_LEDGER_LEDGER_KEY_H_
