#ifndef CLOAK_BASE_PROGRESS_H_
#define CLOAK_BASE_PROGRESS_H_

#include <functional>
#include <string_view>

namespace cloak {

// Called now and then by long work: what is being done, and how much of it
// (0 to 1) is behind us. It sees only public quantities.
using Progress = std::function<void(std::string_view stage, double fraction)>;

// Reports to nobody.
inline void NoProgress(std::string_view, double) {}

}  // namespace cloak

#endif  // CLOAK_BASE_PROGRESS_H_
