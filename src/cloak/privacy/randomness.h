#ifndef CLOAK_PRIVACY_RANDOMNESS_H_
#define CLOAK_PRIVACY_RANDOMNESS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace cloak {

// Uniform random bits that nobody can predict: ChaCha20 (libsodium) keyed by
// the operating system, with fast key erasure (Bernstein 2017): each refill of
// the buffer overwrites the key by the first 32 bytes of the stream, and each
// word is wiped as it is handed out, so that memory read later does not give
// back noise used earlier.
//
// Not for sharing between threads; make one for each. A process that fork()s
// must make a new one in the child: using the parent's throws PrivacyFailure,
// because the same noise on two releases would cancel.
//
// A generator with a chosen seed exists in a test target only
// (tests/testing/randomness_for_testing.h).
class Randomness {
 public:
  // Throws PrivacyFailure when the system gives no entropy.
  static Randomness FromSystem();
  ~Randomness();

  Randomness(const Randomness&) = delete;
  Randomness& operator=(const Randomness&) = delete;

  // 64 independent fair bits.
  uint64_t Bits64();

  // One fair bit.
  bool Bit();

  // Exactly uniform on {0, …, count - 1}. Throws PrivacyFailure if count is 0.
  uint64_t Below(uint64_t count);

 private:
  friend class RandomnessForTesting;

  static constexpr size_t kKeyBytes = 32;
  static constexpr size_t kKeyWords = kKeyBytes / sizeof(uint64_t);
  static constexpr size_t kBufferWords = 512;

  using Key = std::array<unsigned char, kKeyBytes>;
  // Works as getentropy(3): fills the buffer and returns 0, or returns -1.
  using EntropySource = int (*)(void* buffer, size_t length);

  explicit Randomness(EntropySource entropy);
  explicit Randomness(const Key& key);

  void Start();
  void Refill();
  void RequireSameProcess() const;

  Key key_{};
  std::array<uint64_t, kBufferWords> buffer_{};
  size_t next_ = kBufferWords;
  // The number of fork()s above this process when the generator was made.
  uint64_t generation_ = 0;
  // Bits left over from Bit().
  uint64_t bits_ = 0;
  int bits_left_ = 0;
};

// Makes a generator for each release, or for each thread; tests pass one that
// makes seeded ones.
using RandomnessSource = std::function<Randomness()>;

}  // namespace cloak

#endif  // CLOAK_PRIVACY_RANDOMNESS_H_
