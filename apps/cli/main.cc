#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "apps/cli/cli.h"
#include "cloak/linalg/blas_memory.h"

namespace {

// OpenBLAS starts threads of its own before main, which Cloak never uses, and
// each takes 128 MiB of address space, or waits for it until it has some. Where
// that is limited, the program begins again and tells it not to.
void BeginWithoutBlasThreads(char** argv) {
  constexpr char kVariable[] = "OPENBLAS_NUM_THREADS";
  const char* const threads = std::getenv(kVariable);
  const bool has_none = threads != nullptr && std::string_view(threads) == "1";
  if (has_none || !cloak::HasLittleAddressSpace()) return;
  setenv(kVariable, "1", /*overwrite=*/1);
  execv("/proc/self/exe", argv);
}

}  // namespace

int main(int argc, char** argv) {
  BeginWithoutBlasThreads(argv);
  std::ios::sync_with_stdio(false);
  return cloak::RunCli(
      {argv + 1, argv + argc},
      {std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) == 1},
      cloak::Randomness::FromSystem);
}
