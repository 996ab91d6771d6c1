#include "cloak/server/metrics.h"

#include <algorithm>

#include "cloak/base/text.h"
#include "cloak/server/process_metrics.h"

namespace cloak {
namespace {

// A method that no route has may be any word of the client's.
std::string_view MethodLabel(std::string_view method) {
  for (const std::string_view known : {"GET", "HEAD", "POST"}) {
    if (method == known) return known;
  }
  return "other";
}

std::string Help(const std::string& name, const std::string& type,
                 const std::string& text) {
  return cloak::Text("# HELP ", name, " ", text, "\n# TYPE ", name, " ", type,
                     "\n");
}

}  // namespace

void Metrics::Count(std::string_view method, const HttpResponse& response,
                    double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{MethodLabel(method), response.route, response.status}];
  Durations& durations = durations_[response.route];
  const size_t place =
      std::lower_bound(kBounds.begin(), kBounds.end(), seconds) -
      kBounds.begin();
  ++durations.counts.at(place);
  durations.sum += seconds;
}

std::string Metrics::Text(size_t releases, bool is_degraded) const {
  std::string text = cloak::Text(
      Help("cloak_releases", "gauge", "Releases that are served."),
      "cloak_releases ", releases, "\n",
      Help("cloak_degraded", "gauge",
           "1 where a directory that is served cannot be read, else 0."),
      "cloak_degraded ", is_degraded ? 1 : 0, "\n",
      Help("cloak_connections", "gauge", "Connections that are open."),
      "cloak_connections ", connections_.load(), "\n",
      Help("cloak_files_total", "counter",
           "Release files read because they were new or had changed."),
      "cloak_files_total{outcome=\"served\"} ", files_served_.load(), "\n",
      "cloak_files_total{outcome=\"refused\"} ", files_refused_.load(), "\n",
      Help("cloak_requests_total", "counter", "Requests that were answered."));
  const std::lock_guard lock(mutex_);
  for (const auto& [labels, count] : requests_) {
    const auto& [method, route, status] = labels;
    text += cloak::Text("cloak_requests_total{method=\"", method, "\",route=\"",
                        route, "\",status=\"", status, "\"} ", count, "\n");
  }
  text += Help("cloak_request_seconds", "histogram",
               "Time from a complete request to its answer.");
  for (const auto& [route, durations] : durations_) {
    const std::string label = cloak::Text("route=\"", route, "\"");
    uint64_t below = 0;
    for (size_t i = 0; i < durations.counts.size(); ++i) {
      below += durations.counts.at(i);
      text +=
          cloak::Text("cloak_request_seconds_bucket{", label, ",le=\"",
                      i < kBounds.size() ? NumberText(kBounds.at(i)) : "+Inf",
                      "\"} ", below, "\n");
    }
    text +=
        cloak::Text("cloak_request_seconds_sum{", label, "} ", durations.sum,
                    "\ncloak_request_seconds_count{", label, "} ", below, "\n");
  }
  text += ProcessMetricsText();
  return text;
}

}  // namespace cloak
