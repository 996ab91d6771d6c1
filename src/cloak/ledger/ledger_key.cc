#include "cloak/ledger/ledger_key.h"

#include <sodium.h>

#include <cstdint>
#include <cstring>

#include "cloak/base/error.h"

namespace cloak {
namespace {

static_assert(LedgerKey::kBytes == crypto_kdf_KEYBYTES);
static_assert(LedgerKey::kBytes == crypto_generichash_KEYBYTES);

// Separates Cloak's keys from those of anybody else who has the same one.
constexpr char kContext[] = "cloakldg";
static_assert(sizeof(kContext) == crypto_kdf_CONTEXTBYTES + 1);

constexpr size_t kTagBytes = crypto_generichash_BYTES;

std::string HexOf(const unsigned char* bytes, size_t size) {
  std::string hex(2 * size + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), bytes, size);
  hex.pop_back();
  return hex;
}

class KeyedHash {
 public:
  explicit KeyedHash(const unsigned char* key) {
    crypto_generichash_init(&state_, key, crypto_generichash_KEYBYTES,
                            kTagBytes);
  }
  ~KeyedHash() { sodium_memzero(&state_, sizeof(state_)); }
  KeyedHash(const KeyedHash&) = delete;
  KeyedHash& operator=(const KeyedHash&) = delete;

  void Add(std::string_view part) {
    std::array<unsigned char, sizeof(uint64_t)> length{};
    uint64_t rest = part.size();
    for (unsigned char& byte : length) {
      byte = static_cast<unsigned char>(rest & 0xff);
      rest >>= 8;
    }
    crypto_generichash_update(&state_, length.data(), length.size());
    crypto_generichash_update(
        &state_, reinterpret_cast<const unsigned char*>(part.data()),
        part.size());
  }
  std::string Finish() {
    std::array<unsigned char, kTagBytes> tag{};
    crypto_generichash_final(&state_, tag.data(), tag.size());
    return HexOf(tag.data(), tag.size());
  }

 private:
  crypto_generichash_state state_{};
};

}  // namespace

LedgerKey LedgerKey::Generate(Randomness& random) {
  LedgerKey key;
  for (size_t i = 0; i < kBytes; i += sizeof(uint64_t)) {
    const uint64_t word = random.Bits64();
    std::memcpy(key.bytes_.data() + i, &word, sizeof(word));
  }
  return key;
}

LedgerKey LedgerKey::FromHex(std::string_view hex) {
  LedgerKey key;
  size_t size = 0;
  const int code =
      sodium_hex2bin(key.bytes_.data(), key.bytes_.size(), hex.data(),
                     hex.size(), nullptr, &size, nullptr);
  RequirePrivacy(code == 0 && size == kBytes && hex.size() == 2 * kBytes,
                 "the key of the ledger is damaged");
  return key;
}

LedgerKey::~LedgerKey() { sodium_memzero(bytes_.data(), bytes_.size()); }

std::string LedgerKey::Hex() const {
  return HexOf(bytes_.data(), bytes_.size());
}

std::string LedgerKey::Hash(Purpose purpose,
                            const std::vector<std::string_view>& parts) const {
  std::array<unsigned char, kBytes> key{};
  crypto_kdf_derive_from_key(key.data(), key.size(),
                             static_cast<uint64_t>(purpose), kContext,
                             bytes_.data());
  KeyedHash hash(key.data());
  sodium_memzero(key.data(), key.size());
  for (const std::string_view part : parts) hash.Add(part);
  return hash.Finish();
}

}  // namespace cloak
