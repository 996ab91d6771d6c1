#ifndef CLOAK_SERVER_PROCESS_METRICS_H_
#define CLOAK_SERVER_PROCESS_METRICS_H_

#include <string>

namespace cloak {

// Memory, processor time, threads and open files of this process, in
// Prometheus' text format and under the names that are usual there. What the
// system does not tell is left out.
std::string ProcessMetricsText();

}  // namespace cloak

#endif  // CLOAK_SERVER_PROCESS_METRICS_H_
