#include "cloak/linalg/threads.h"

#include <cblas.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

Threads::Threads()
    : Threads(std::clamp(static_cast<int>(std::thread::hardware_concurrency()),
                         1, 1024)) {}

Threads::Threads(int count) : count_(count) {
  RequireInput(count >= 1 && count <= 1024,
               Text("threads must be between 1 and 1024, but is ", count));
  openblas_set_num_threads(1);
}

void Threads::ForBlocks(
    Index size, Index block,
    const std::function<void(Index begin, Index end)>& body) const {
  const Index blocks = (size + block - 1) / block;
  if (count_ == 1 || blocks <= 1) {
    for (Index b = 0; b < blocks; ++b) {
      body(b * block, std::min(size, (b + 1) * block));
    }
    return;
  }
  std::exception_ptr failure;
#pragma omp parallel for num_threads(count_) schedule(dynamic, 1)
  for (Index b = 0; b < blocks; ++b) {
    try {
      body(b * block, std::min(size, (b + 1) * block));
    } catch (...) {
#pragma omp critical(cloak_threads_failure)
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace cloak
