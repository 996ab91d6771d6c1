#ifndef CLOAK_APPS_SERVER_ACCESS_LOG_H_
#define CLOAK_APPS_SERVER_ACCESS_LOG_H_

#include <condition_variable>
#include <cstddef>
#include <fstream>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "cloak/server/message.h"

namespace cloak {

// One line of JSON for each request. By default nothing a client chose is in
// it: the route is the server's own pattern, and a release is named only when
// there is one of that name. What somebody asks a health model about may be
// private to them.
//
// Lines are written by a thread of its own, so that no answer waits for a disk
// or for whoever reads the log. If they come faster than they can be written,
// the newest are left out, and how many is said. So it is if they cannot be
// written at all (a full disk, a reader that has gone): the server lives on,
// and the log goes on when it can.
class AccessLog {
 public:
  struct Options {
    bool requests = true;
    // Target and the beginning of the body as well.
    bool queries = false;
    size_t most_pending_bytes = size_t{16} << 20;
    // Lines are added to this file, unless it is empty, instead of `out`.
    std::string file = {};
  };
  // Throws InvalidInput when the file cannot be written.
  AccessLog(std::ostream& out, Options options);
  // Writes what is pending first.
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void Record(const HttpRequest& request, const HttpResponse& response,
              const std::string& client, double seconds);
  // Lines from now on go to the file that has the log's name then: whoever
  // renamed the one before has it for themselves.
  void Reopen();
  // Something that happened to the server itself.
  void Note(const std::string& message);

 private:
  void Add(const std::string& line);
  void WriteLines();
  std::string TakeLines();

  std::ostream& Out();

  std::ostream& stream_;
  Options options_;
  std::ofstream file_;  // is used by the writer alone
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string pending_;
  size_t lost_ = 0;
  bool ending_ = false;
  bool reopen_ = false;
  std::thread writer_;
};

}  // namespace cloak

#endif  // CLOAK_APPS_SERVER_ACCESS_LOG_H_
