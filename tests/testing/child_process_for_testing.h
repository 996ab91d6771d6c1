#ifndef CLOAK_TESTS_TESTING_CHILD_PROCESS_FOR_TESTING_H_
#define CLOAK_TESTS_TESTING_CHILD_PROCESS_FOR_TESTING_H_

#include <functional>

namespace cloak {

// Whether `use` throws PrivacyFailure in a child process, where a generator of
// this process refuses to work. False when the child returns, throws something
// else or dies.
bool IsRefusedInChild(const std::function<void()>& use);

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_CHILD_PROCESS_FOR_TESTING_H_
