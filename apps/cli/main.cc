#include <unistd.h>

#include <iostream>

#include "apps/cli/cli.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return cloak::RunCli(
      {argv + 1, argv + argc},
      {std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) == 1},
      cloak::Randomness::FromSystem);
}
