#include "cloak/linalg/blas_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstddef>
#include <mutex>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

// OpenBLAS' own: takes a buffer from those that it has, or a new one, and gives
// it back to them. Null with a BLAS that has no such functions.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
[[gnu::weak]] void* blas_memory_alloc(int process);
[[gnu::weak]] void blas_memory_free(void* buffer);
}
// NOLINTEND(readability-identifier-naming)

namespace cloak {
namespace {

constexpr size_t kMebibyte = size_t{1} << 20;
// A buffer, with what OpenBLAS takes besides.
constexpr size_t kBufferBytes = 129 * kMebibyte;
// The memory that the program itself should still find when a buffer is taken:
// the first, which it cannot do without, and a further one.
constexpr size_t kLeftByFirst = 48 * kMebibyte;
constexpr size_t kLeftByOthers = 256 * kMebibyte;

rlim_t AddressSpace() {
  rlimit limit = {};
  return getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

// Whether so much address space is left.
bool IsRoomFor(size_t bytes) {
  void* const room = mmap(nullptr, bytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, bytes);
  return true;
}

}  // namespace

bool HasLittleAddressSpace() { return AddressSpace() != RLIM_INFINITY; }

int ThreadsThatFit(int wanted) {
  if (!HasLittleAddressSpace() || blas_memory_alloc == nullptr ||
      blas_memory_free == nullptr) {
    return wanted;
  }
  // The buffers that OpenBLAS has already come first, and need no room.
  static std::mutex mutex;
  static std::vector<void*> known;
  const std::scoped_lock lock(mutex);
  std::vector<void*> taken;
  while (static_cast<int>(taken.size()) < wanted &&
         (taken.size() < known.size() ||
          IsRoomFor(kBufferBytes +
                    (taken.empty() ? kLeftByFirst : kLeftByOthers)))) {
    taken.push_back(blas_memory_alloc(0));
  }
  for (void* const buffer : taken) blas_memory_free(buffer);
  if (taken.size() > known.size()) known = taken;
  RequireInput(
      !taken.empty(), "this process may have ", AddressSpace() / kMebibyte,
      " MiB of address space (ulimit -v), of which too little is left: "
      "linear algebra takes ",
      (kBufferBytes + kLeftByFirst) / kMebibyte,
      " MiB more; raise the limit, or run it without one (ulimit -v "
      "unlimited)");
  return static_cast<int>(taken.size());
}

}  // namespace cloak
