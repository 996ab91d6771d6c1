#ifndef CLOAK_SERVER_METRICS_H_
#define CLOAK_SERVER_METRICS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

#include "cloak/server/message.h"

namespace cloak {

// The numbers that Prometheus scrapes. Labels are routes, methods and statuses,
// of which there are few; nothing that a client chooses becomes a label.
class Metrics {
 public:
  void Count(std::string_view method, const HttpResponse& response,
             double seconds);
  void ConnectionOpened() { ++connections_; }
  void ConnectionClosed() { --connections_; }
  int64_t connections() const { return connections_; }
  // A file was read because it was new or had changed.
  void FileServed() { ++files_served_; }
  void FileRefused() { ++files_refused_; }

  // Returns all of them in Prometheus' text format, version 0.0.4.
  std::string Text(size_t releases, bool is_degraded) const;

 private:
  static constexpr std::array<double, 9> kBounds = {
      0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5};
  struct Durations {
    std::array<uint64_t, kBounds.size() + 1> counts = {};
    double sum = 0;
  };

  std::atomic<int64_t> connections_ = 0;
  std::atomic<int64_t> files_served_ = 0;
  std::atomic<int64_t> files_refused_ = 0;
  mutable std::mutex mutex_;
  // Names are constants of the program, so nothing is copied to count.
  std::map<std::tuple<std::string_view, std::string_view, int>, uint64_t>
      requests_;
  std::map<std::string_view, Durations> durations_;  // by route
};

}  // namespace cloak

#endif  // CLOAK_SERVER_METRICS_H_
