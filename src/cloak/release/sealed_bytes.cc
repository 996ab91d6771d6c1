#include "cloak/release/sealed_bytes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cloak {
namespace {

constexpr size_t kChunk = size_t{1} << 16;
// There is room for the digits of a checksum and the quote behind them.
constexpr size_t kHeldBack = 128;

const unsigned char* Octets(const std::string& bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

SealedBytes::SealedBytes(ByteSource source) : source_(std::move(source)) {
  crypto_hash_sha256_init(&state_);
}

void SealedBytes::Refill() {
  const size_t held = std::min(buffer_.size(), kHeldBack);
  const size_t hashed = buffer_.size() - held;
  crypto_hash_sha256_update(&state_, Octets(buffer_), hashed);
  buffer_.erase(0, hashed);
  dropped_ += hashed;
  buffer_.resize(held + kChunk);
  const size_t count = source_(buffer_.data() + held, kChunk);
  buffer_.resize(held + count);
  place_ = held;
}

bool SealedBytes::BlankDigits(std::string_view digits) {
  if (place_ < digits.size() + 1 || digits.size() >= kHeldBack) return false;
  const size_t begin = place_ - 1 - digits.size();
  if (buffer_.compare(begin, digits.size(), digits) != 0) return false;
  buffer_.replace(begin, digits.size(), digits.size(), '0');
  return true;
}

std::string SealedBytes::Hash() {
  crypto_hash_sha256_update(&state_, Octets(buffer_), buffer_.size());
  buffer_.clear();
  place_ = 0;
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256_final(&state_, hash.data());
  std::string digits(2 * hash.size() + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), hash.data(), hash.size());
  digits.pop_back();
  return digits;
}

}  // namespace cloak
