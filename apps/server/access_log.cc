#include "apps/server/access_log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// RFC 3339, in UTC, to the millisecond.
std::string Now() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm parts = {};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> date = {};
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S.", &parts);
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(
      now.time_since_epoch());
  const std::string milliseconds = std::to_string(1000 + since.count() % 1000);
  return Text(date.data(), milliseconds.substr(1), "Z");
}

// `text` in quotes, in ASCII alone: a name in a log must not turn the direction
// of what is around it.
std::string AsciiJson(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', /*ensure_ascii=*/true,
                                   nlohmann::json::error_handler_t::replace);
}

std::string NoteLine(const std::string& message) {
  return Text("{\"time\":\"", Now(), "\",\"message\":", AsciiJson(message),
              "}\n");
}

}  // namespace

AccessLog::AccessLog(std::ostream& out, Options options)
    : stream_(out), options_(std::move(options)) {
  if (!options_.file.empty()) {
    file_.open(options_.file, std::ios::app);
    RequireInput(file_.good(), "cannot write the log '", options_.file,
                 "': ", std::strerror(errno));
  }
  writer_ = std::thread([this] { WriteLines(); });
}

std::ostream& AccessLog::Out() {
  if (options_.file.empty()) return stream_;
  const std::unique_lock lock(mutex_);
  if (std::exchange(reopen_, false)) {
    file_.close();
    file_.open(options_.file, std::ios::app);
  }
  return file_;
}

void AccessLog::Reopen() {
  const std::lock_guard lock(mutex_);
  reopen_ = true;
}

AccessLog::~AccessLog() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  writer_.join();
}

void AccessLog::Record(const HttpRequest& request, const HttpResponse& response,
                       const std::string& client, double seconds) {
  if (!options_.requests) return;
  const bool usual = request.method == "GET" || request.method == "POST" ||
                     request.method == "HEAD";
  std::string line = Text(
      "{\"time\":\"", Now(), "\",\"id\":\"", request.id, "\",\"client\":\"",
      client, "\",\"method\":\"", usual ? request.method : "other",
      "\",\"route\":\"", response.route, "\",\"status\":", response.status,
      ",\"seconds\":", seconds, ",\"request_bytes\":", request.body.size(),
      ",\"response_bytes\":", response.body.size());
  if (!response.release.empty()) {
    line += Text(",\"release\":", AsciiJson(response.release));
  }
  if (!response.failure.empty()) {
    line += Text(",\"reason\":", AsciiJson(response.failure));
  }
  if (options_.queries) {
    constexpr size_t kMostBytes = 1000;
    line +=
        Text(",\"target\":", AsciiJson(request.target.substr(0, kMostBytes)),
             ",\"body\":", AsciiJson(request.body.substr(0, kMostBytes)));
  }
  line += "}\n";
  Add(line);
}

void AccessLog::Note(const std::string& message) { Add(NoteLine(message)); }

void AccessLog::Add(const std::string& line) {
  {
    const std::lock_guard lock(mutex_);
    if (pending_.size() + line.size() > options_.most_pending_bytes) {
      ++lost_;
      return;
    }
    pending_ += line;
    // It looks again before it sleeps.
    if (pending_.size() > line.size()) return;
  }
  changed_.notify_one();
}

// Waits for them; none when the log ends.
std::string AccessLog::TakeLines() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !pending_.empty() || ending_; });
  std::string lines = std::exchange(pending_, {});
  if (const size_t lost = std::exchange(lost_, 0); lost > 0) {
    lines += NoteLine(Text(lost,
                           " lines were left out of this log: they "
                           "came faster than they could be written"));
  }
  return lines;
}

void AccessLog::WriteLines() {
  size_t failed = 0;
  for (;;) {
    const std::string lines = TakeLines();
    if (lines.empty()) return;
    std::ostream& out = Out();
    if (failed > 0) {
      // What was written in vain may end in the middle of a line.
      out << "\n"
          << NoteLine(Text(failed,
                           " lines are missing in this log: they could not "
                           "be written"));
    }
    out << lines << std::flush;
    failed = out ? 0 : failed + std::count(lines.begin(), lines.end(), '\n');
    out.clear();
  }
}

}  // namespace cloak
