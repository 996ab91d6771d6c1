#ifndef CLOAK_LINALG_THREADS_H_
#define CLOAK_LINALG_THREADS_H_

#include <functional>

#include "cloak/linalg/matrix.h"

namespace cloak {

// How many threads a computation may use. Results never depend on it: work is
// cut into blocks whose size does not depend on the number of threads, each
// block is computed by one thread with a single-threaded BLAS, and partial
// sums are added in the order of the blocks. That is what makes a release
// reproducible bit for bit (up to its noise) on any number of cores.
//
// Making one sets OpenBLAS to a single thread for the whole process.
class Threads {
 public:
  // All cores of the machine.
  Threads();
  // Throws InvalidInput unless 1 <= count <= 1024.
  explicit Threads(int count);

  int count() const { return count_; }

  // Calls body(begin, end) for the blocks [0, block), [block, 2 block), … of
  // [0, size), on any thread, in any order. The first exception thrown by a
  // block is thrown again here after all threads have stopped.
  void ForBlocks(Index size, Index block,
                 const std::function<void(Index begin, Index end)>& body) const;

 private:
  int count_;
};

}  // namespace cloak

#endif  // CLOAK_LINALG_THREADS_H_
