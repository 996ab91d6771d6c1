#include "cloak/linalg/threads.h"

#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/blas_memory.h"

namespace cloak {
namespace {

constexpr int kMostThreads = 1024;

int Cores() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1,
                    kMostThreads);
}

using Body = std::function<void(Index begin, Index end)>;

// The blocks of one call of ForBlocks. Whoever is free takes the next one.
class Blocks {
 public:
  Blocks(Index size, Index block, const Body& body)
      : size_(size), block_(block), body_(body) {}

  void Work() {
    for (;;) {
      const Index begin = next_.fetch_add(1) * block_;
      if (begin >= size_ || failed_) return;
      try {
        body_(begin, std::min(size_, begin + block_));
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        if (!failed_) failure_ = std::current_exception();
        failed_ = true;
      }
    }
  }

  // To be called when nobody works any more.
  void RethrowFailure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const Index size_;
  const Index block_;
  const Body& body_;
  std::atomic<Index> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

// Threads that wait for work, for the whole process: starting one takes longer
// than most blocks. A caller works too, and waits in the end only for those who
// have begun: on a busy machine a thread that is woken may not run for long,
// and by then there is nothing left for it.
class Pool {
 public:
  // Never destroyed: its threads sleep in it until the process ends.
  static Pool& OfProcess() {
    static Pool* pool = new Pool;
    return *pool;
  }

  void Work(Blocks& blocks, int helpers) {
    Call call{&blocks, helpers};
    {
      const std::scoped_lock lock(mutex_);
      while (threads_ < helpers) {
        // Without another thread there is only less help.
        try {
          std::thread([this] { Help(); }).detach();
        } catch (const std::system_error&) {
          break;
        }
        ++threads_;
      }
      calls_.push_back(&call);
    }
    if (helpers == 1) {
      wake_.notify_one();
    } else {
      wake_.notify_all();
    }
    blocks.Work();
    std::unique_lock lock(mutex_);
    std::erase(calls_, &call);
    call.left.wait(lock, [&call] { return call.helping == 0; });
  }

 private:
  struct Call {
    Blocks* blocks;
    int wanted;
    int helping = 0;
    std::condition_variable left = {};
  };

  [[noreturn]] void Help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return !calls_.empty(); });
      Call& call = *calls_.front();
      ++call.helping;
      if (--call.wanted == 0) calls_.pop_front();
      lock.unlock();
      call.blocks->Work();
      lock.lock();
      // What is left of the call needs no more help.
      std::erase(calls_, &call);
      if (--call.helping == 0) call.left.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Call*> calls_;
  int threads_ = 0;
};

}  // namespace

Threads::Threads() : Threads(Cores()) {}

Threads::Threads(int count) : count_(count) {
  // A message that nobody needs would cost more than predicting a point.
  if (count < 1 || count > kMostThreads) {
    throw InvalidInput(Text("threads must be between 1 and ", kMostThreads,
                            ", but is ", count));
  }
  openblas_set_num_threads(1);
  // Here, because whoever uses BLAS has made one of these first.
  static const int most =
      HasLittleAddressSpace() ? ThreadsThatFit(Cores()) : kMostThreads;
  count_ = std::min(count_, most);
}

void Threads::ForBlocks(Index size, Index block, const Body& body) const {
  const Index count = (size + block - 1) / block;
  Blocks blocks(size, block, body);
  const int helpers = static_cast<int>(std::min<Index>(count_, count)) - 1;
  if (helpers < 1) {
    blocks.Work();
  } else {
    Pool::OfProcess().Work(blocks, helpers);
  }
  blocks.RethrowFailure();
}

}  // namespace cloak
