#include "cloak/privacy/randomness.h"

#include <gtest/gtest.h>
#include <sodium.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <new>
#include <type_traits>
#include <vector>

#include "cloak/base/error.h"
#include "tests/testing/child_process_for_testing.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

static_assert(!std::is_copy_constructible_v<Randomness>);
static_assert(!std::is_move_constructible_v<Randomness>);
static_assert(!std::is_default_constructible_v<Randomness>);

TEST(RandomnessTest, FailingEntropyIsAPrivacyFailure) {
  EXPECT_THROW(RandomnessForTesting::WithFailingEntropy(), PrivacyFailure);
}

TEST(RandomnessTest, EntropyThatIsNotThereIsAPrivacyFailure) {
  EXPECT_THROW(RandomnessForTesting::WithEmptyEntropy(), PrivacyFailure);
}

TEST(RandomnessTest, TwoSystemGeneratorsDiffer) {
  Randomness a = Randomness::FromSystem();
  Randomness b = Randomness::FromSystem();
  EXPECT_NE(a.Bits64(), b.Bits64());
}

TEST(RandomnessTest, TheStreamIsChaCha20WithTheKeyReplacedAtEachRefill) {
  Randomness random = RandomnessForTesting::Seeded(7);
  std::array<unsigned char, 32> key{};
  key[0] = 7;
  const std::array<unsigned char, crypto_stream_chacha20_NONCEBYTES> nonce{};
  for (int refill = 0; refill < 3; ++refill) {
    std::array<uint64_t, 512> block{};
    ASSERT_EQ(
        crypto_stream_chacha20(reinterpret_cast<unsigned char*>(block.data()),
                               sizeof(block), nonce.data(), key.data()),
        0);
    std::memcpy(key.data(), block.data(), key.size());
    for (size_t i = 4; i < block.size(); ++i) {
      ASSERT_EQ(random.Bits64(), block[i]) << refill << " " << i;
    }
  }
}

TEST(RandomnessTest, BitsAreFairAndIndependent) {
  Randomness random = RandomnessForTesting::Seeded(1);
  // Groups of eight, so that neighbours that depend on each other show.
  std::vector<uint64_t> counts(256);
  for (int i = 0; i < 200000; ++i) {
    size_t group = 0;
    for (int j = 0; j < 8; ++j) group = 2 * group + (random.Bit() ? 1 : 0);
    ++counts[group];
  }
  EXPECT_GT(ChiSquarePValue(counts, std::vector<double>(256, 1 / 256.0)),
            kFalseAlarm);
}

TEST(RandomnessTest, BelowIsUniform) {
  Randomness random = RandomnessForTesting::Seeded(2);
  for (const uint64_t count : {1, 2, 3, 6, 7, 100}) {
    std::vector<uint64_t> counts(count);
    for (int i = 0; i < 100000; ++i) ++counts.at(random.Below(count));
    const double each = 1 / static_cast<double>(count);
    EXPECT_GT(ChiSquarePValue(counts, std::vector<double>(count, each)),
              kFalseAlarm)
        << count;
  }
}

TEST(RandomnessTest, BelowIsUniformWhereAQuarterOfTheWordsMustBeRefused) {
  Randomness random = RandomnessForTesting::Seeded(3);
  const uint64_t count = uint64_t{3} << 62;
  std::vector<uint64_t> counts(3);
  for (int i = 0; i < 100000; ++i) ++counts.at(random.Below(count) >> 62);
  EXPECT_GT(ChiSquarePValue(counts, {1 / 3.0, 1 / 3.0, 1 / 3.0}), kFalseAlarm);
}

TEST(RandomnessTest, BelowZeroIsRefused) {
  Randomness random = RandomnessForTesting::Seeded(4);
  EXPECT_THROW(random.Below(0), PrivacyFailure);
}

TEST(RandomnessTest, AChildProcessCannotRepeatItsParentsNumbers) {
  Randomness random = Randomness::FromSystem();
  random.Bit();
  EXPECT_TRUE(IsRefusedInChild([&] { random.Bits64(); }));
  EXPECT_TRUE(IsRefusedInChild([&] { random.Bit(); }));
  EXPECT_TRUE(IsRefusedInChild([&] { random.Below(10); }));
  EXPECT_NO_THROW(random.Bits64());
}

TEST(RandomnessTest, AChildProcessCanMakeItsOwnGenerator) {
  EXPECT_FALSE(IsRefusedInChild([] { Randomness::FromSystem().Bits64(); }));
}

TEST(RandomnessTest, NothingOfTheStreamIsLeftAfterDestruction) {
  alignas(Randomness) std::array<unsigned char, sizeof(Randomness)> memory{};
  auto* random =
      ::new (memory.data()) Randomness(RandomnessForTesting::Seeded(5));
  random->Bit();
  random->~Randomness();
  // The position in the buffer and two counters may stay.
  EXPECT_LE(std::count_if(memory.begin(), memory.end(),
                          [](unsigned char byte) { return byte != 0; }),
            8);
}

}  // namespace
}  // namespace cloak
