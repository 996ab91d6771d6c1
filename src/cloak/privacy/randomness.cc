#include "cloak/privacy/randomness.h"

#include <pthread.h>
#include <sodium.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "cloak/base/error.h"
#include "cloak/privacy/integer128.h"

namespace cloak {
namespace {

// How many times this process's line of descent has forked since the first
// generator was made. A child sees one more than its parent does.
std::atomic<uint64_t> fork_generation{0};

void CountFork() { fork_generation.fetch_add(1, std::memory_order_relaxed); }

// Done once, before the first generator exists.
void WatchForks() {
  static const int outcome = pthread_atfork(nullptr, nullptr, &CountFork);
  RequirePrivacy(outcome == 0,
                 "random numbers cannot be protected from fork(): the system "
                 "is out of memory; nothing was released");
}

}  // namespace

Randomness Randomness::FromSystem() { return Randomness(&getentropy); }

Randomness::Randomness(EntropySource entropy) {
  const bool filled = entropy(key_.data(), key_.size()) == 0;
  // A source that succeeds without writing anything is broken as well.
  const bool plausible = sodium_is_zero(key_.data(), key_.size()) == 0;
  RequirePrivacy(filled && plausible,
                 "the operating system gave no entropy for random numbers; "
                 "nothing was released");
  Start();
}

Randomness::Randomness(const Key& key) : key_(key) { Start(); }

Randomness::~Randomness() {
  sodium_memzero(key_.data(), sizeof(key_));
  sodium_memzero(buffer_.data(), sizeof(buffer_));
  sodium_memzero(&bits_, sizeof(bits_));
}

void Randomness::Start() {
  static_assert(kKeyBytes == crypto_stream_chacha20_KEYBYTES);
  RequirePrivacy(sodium_init() >= 0,
                 "libsodium could not be initialised; nothing was released");
  WatchForks();
  generation_ = fork_generation.load(std::memory_order_relaxed);
  Refill();
}

void Randomness::Refill() {
  // A key is used for one buffer only, so the nonce may be constant.
  constexpr unsigned char kNonce[crypto_stream_chacha20_NONCEBYTES] = {};
  RequirePrivacy(
      crypto_stream_chacha20(reinterpret_cast<unsigned char*>(buffer_.data()),
                             sizeof(buffer_), kNonce, key_.data()) == 0,
      "libsodium gave no random numbers; nothing was released");
  std::memcpy(key_.data(), buffer_.data(), kKeyBytes);
  sodium_memzero(buffer_.data(), kKeyBytes);
  next_ = kKeyWords;
}

uint64_t Randomness::Bits64() {
  RequireSameProcess();
  if (next_ == kBufferWords) Refill();
  const uint64_t word = buffer_[next_];
  buffer_[next_] = 0;
  ++next_;
  return word;
}

bool Randomness::Bit() {
  RequireSameProcess();
  if (bits_left_ == 0) {
    bits_ = Bits64();
    bits_left_ = 64;
  }
  const bool bit = (bits_ & 1) != 0;
  bits_ >>= 1;
  --bits_left_;
  return bit;
}

uint64_t Randomness::Below(uint64_t count) {
  if (count == 0) throw PrivacyFailure("a random number below 0 was asked for");
  // Lemire 2019, "Fast random integer generation in an interval": of the 2^64
  // values of a word, 2^64 mod count are refused, and each result is left with
  // equally many.
  Uint128 product = Uint128{Bits64()} * count;
  if (static_cast<uint64_t>(product) < count) {
    const uint64_t refused = (uint64_t{0} - count) % count;
    while (static_cast<uint64_t>(product) < refused) {
      product = Uint128{Bits64()} * count;
    }
  }
  return static_cast<uint64_t>(product >> 64);
}

void Randomness::RequireSameProcess() const {
  if (generation_ != fork_generation.load(std::memory_order_relaxed)) {
    throw PrivacyFailure(
        "random numbers were used after fork(), where they would repeat; make "
        "a new generator in the child; nothing was released");
  }
}

}  // namespace cloak
