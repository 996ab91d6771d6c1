#ifndef CLOAK_PRIVACY_COMPOSITION_H_
#define CLOAK_PRIVACY_COMPOSITION_H_

#include <cstdint>

#include "cloak/privacy/event.h"

namespace cloak {

struct ZcdpBound {
  double rho = 0;
  double delta = 0;
};
struct RenyiBound {
  double epsilon = 0;
  double delta = 0;
};

class Composition {
 public:
  static constexpr int64_t kMaxTimes = 1'000'000'000;

  void Add(const PrivacyEvent& event, int64_t times);
  void Add(const Composition& other);
  double Delta(double epsilon) const;
  double Epsilon(double delta) const;
  ZcdpBound Zcdp() const;
  RenyiBound Renyi(double order) const;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_COMPOSITION_H_
