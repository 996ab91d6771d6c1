#ifndef CLOAK_PRIVACY_SCRATCH_H_
#define CLOAK_PRIVACY_SCRATCH_H_

#include <sodium.h>

#include <cstddef>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// Un-noised numbers, zero at first, that are wiped when they are no longer
// needed.
template <typename T>
class Scratch {
 public:
  explicit Scratch(Index size) : values_(static_cast<size_t>(size), T{0}) {}
  ~Scratch() { sodium_memzero(values_.data(), values_.size() * sizeof(T)); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Index size() const { return static_cast<Index>(values_.size()); }
  T& operator[](Index i) { return values_[static_cast<size_t>(i)]; }
  T operator[](Index i) const { return values_[static_cast<size_t>(i)]; }

 private:
  std::vector<T> values_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_SCRATCH_H_
