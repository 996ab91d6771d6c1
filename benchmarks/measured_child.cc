#include "benchmarks/measured_child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

double SecondsIn(const timeval& time) {
  return static_cast<double>(time.tv_sec) +
         1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

ProcessUse RunMeasured(std::vector<std::string> command,
                       const std::filesystem::path& output) {
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (std::string& argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const auto begin = std::chrono::steady_clock::now();
  const pid_t pid = fork();
  if (pid == 0) {
    const int file = open(output.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  const bool waited = pid > 0 && wait4(pid, &status, 0, &usage) == pid;
  const std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - begin;
  if (!waited || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::ifstream wrote(output);
    throw InvalidInput(
        Text(command[0], " did not end well: ",
             std::string(std::istreambuf_iterator<char>(wrote), {})));
  }
  constexpr double kMegabyte = 1024;  // of what ru_maxrss is in
  return {taken.count(), SecondsIn(usage.ru_utime) + SecondsIn(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) / kMegabyte};
}

}  // namespace cloak
