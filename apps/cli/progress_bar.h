#ifndef CLOAK_APPS_CLI_PROGRESS_BAR_H_
#define CLOAK_APPS_CLI_PROGRESS_BAR_H_

#include <ostream>
#include <string>
#include <string_view>

#include "cloak/base/progress.h"

namespace cloak {

// One line on a terminal that says what is being done and how far it is, and
// is gone when the work is. Draws nothing when it is not enabled, as in a
// pipe.
class ProgressBar {
 public:
  ProgressBar(std::ostream& terminal, bool enabled);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Fits cloak/base/progress.h.
  void Show(std::string_view stage, double fraction);
  void Erase();
  // Returns a function that shows on this bar, which must outlive it.
  Progress AsProgress() {
    return [this](std::string_view stage, double done) { Show(stage, done); };
  }

 private:
  std::ostream& terminal_;
  bool enabled_;
  std::string line_;  // on the terminal now
};

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_PROGRESS_BAR_H_
