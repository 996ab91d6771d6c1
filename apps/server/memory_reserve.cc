#include "apps/server/memory_reserve.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace cloak {
namespace {

constexpr size_t kReservedBytes = size_t{4} << 20;

std::atomic<void*>& Reserve() {
  static std::atomic<void*> reserve = nullptr;
  return reserve;
}

void GiveBackReserve() {
  std::free(Reserve().exchange(nullptr));
  throw std::bad_alloc();
}

}  // namespace

void KeepMemoryReserve() {
  if (Reserve() == nullptr) {
    // Another one may have been faster.
    std::free(Reserve().exchange(std::malloc(kReservedBytes)));
  }
  std::set_new_handler(GiveBackReserve);
}

}  // namespace cloak
