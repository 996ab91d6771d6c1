#include "cloak/server/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "cloak/base/text.h"

namespace cloak {
namespace {

std::string Metric(const std::string& name, const std::string& type,
                   const std::string& help, double value) {
  return Text("# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n",
              name, " ", value, "\n");
}

std::string MemoryText() {
  double virtual_pages = 0;
  double resident_pages = 0;
  std::ifstream statm("/proc/self/statm");
  if (!(statm >> virtual_pages >> resident_pages)) return "";
  const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  return Metric("process_virtual_memory_bytes", "gauge",
                "Address space in use.", page * virtual_pages) +
         Metric("process_resident_memory_bytes", "gauge", "Memory in use.",
                page * resident_pages);
}

std::string ProcessorText() {
  rusage usage = {};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return "";
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) +
           1e-6 * static_cast<double>(time.tv_usec);
  };
  return Metric("process_cpu_seconds_total", "counter",
                "Processor time, of the program and of the system for it.",
                seconds(usage.ru_utime) + seconds(usage.ru_stime));
}

// Returns how many entries a directory of /proc has.
double EntriesOf(const char* directory) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(directory, error);
  if (error) return 0;
  return static_cast<double>(std::distance(begin(entries), end(entries)));
}

std::string FilesText() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return "";
  return Metric("process_open_fds", "gauge", "Files that are open.",
                EntriesOf("/proc/self/fd")) +
         Metric("process_max_fds", "gauge", "Files that may be open.",
                static_cast<double>(limit.rlim_cur));
}

}  // namespace

std::string ProcessMetricsText() {
  return MemoryText() + ProcessorText() + FilesText() +
         Metric("process_threads", "gauge", "Threads of this process.",
                EntriesOf("/proc/self/task"));
}

}  // namespace cloak
