#include "tests/testing/child_process_for_testing.h"

#include <sys/wait.h>
#include <unistd.h>

#include "cloak/base/error.h"

namespace cloak {
namespace {

constexpr int kRefused = 42;

}  // namespace

bool IsRefusedInChild(const std::function<void()>& use) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      use();
    } catch (const PrivacyFailure&) {
      _exit(kRefused);
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child &&
         WIFEXITED(status) && WEXITSTATUS(status) == kRefused;
}

}  // namespace cloak
