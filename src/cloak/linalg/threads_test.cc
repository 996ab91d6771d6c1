#include "cloak/linalg/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "cloak/base/error.h"

namespace cloak {
namespace {

TEST(ThreadsTest, EveryIndexIsVisitedOnceWhateverTheNumberOfThreads) {
  for (const int count : {1, 2, 3}) {
    Vector visits = Vector::Zero(1001);
    Threads(count).ForBlocks(1001, 64, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) visits(i) += 1;
    });
    EXPECT_EQ(visits.minCoeff(), 1);
    EXPECT_EQ(visits.maxCoeff(), 1);
  }
}

TEST(ThreadsTest, AnExceptionInABlockReachesTheCaller) {
  for (const int count : {1, 2}) {
    EXPECT_THROW(Threads(count).ForBlocks(100, 10,
                                          [](Index begin, Index) {
                                            if (begin == 50)
                                              throw InvalidInput("at fifty");
                                          }),
                 InvalidInput);
  }
}

TEST(ThreadsTest, BlocksMayHaveBlocks) {
  const Threads threads(3);
  std::atomic<int> visits = 0;
  threads.ForBlocks(20, 1, [&](Index, Index) {
    threads.ForBlocks(
        50, 3, [&](Index begin, Index end) { visits += int(end - begin); });
  });
  EXPECT_EQ(visits, 1000);
}

TEST(ThreadsTest, ManyMayCallAtOnce) {
  std::atomic<int> visits = 0;
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 8; ++caller) {
      callers.emplace_back([&] {
        for (int call = 0; call < 500; ++call) {
          Threads(2 + call % 3).ForBlocks(7, 1, [&](Index, Index) {
            ++visits;
          });
        }
      });
    }
  }
  EXPECT_EQ(visits, 8 * 500 * 7);
}

TEST(ThreadsTest, NobodyWaitsForThreadsThatHaveNotBegun) {
  // Another call holds up the thread that could help.
  const Threads threads(2);
  threads.ForBlocks(2, 1, [](Index, Index) {});
  std::atomic<bool> go_on = false;
  std::atomic<int> held = 0;
  std::jthread other([&] {
    threads.ForBlocks(2, 1, [&](Index, Index) {
      ++held;
      while (!go_on) std::this_thread::yield();
    });
  });
  while (held == 0) std::this_thread::yield();
  std::atomic<int> visits = 0;
  for (int call = 0; call < 100; ++call) {
    threads.ForBlocks(10, 1, [&](Index, Index) { ++visits; });
  }
  EXPECT_EQ(visits, 1000);
  go_on = true;
}

TEST(ThreadsTest, AnImpossibleCountIsRefused) {
  EXPECT_THROW(Threads(0), InvalidInput);
  EXPECT_THROW(Threads(-3), InvalidInput);
}

}  // namespace
}  // namespace cloak
