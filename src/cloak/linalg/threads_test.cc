#include "cloak/linalg/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

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

TEST(ThreadsTest, AnImpossibleCountIsRefused) {
  EXPECT_THROW(Threads(0), InvalidInput);
  EXPECT_THROW(Threads(-3), InvalidInput);
}

}  // namespace
}  // namespace cloak
