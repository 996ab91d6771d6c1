#ifndef CLOAK_PRIVACY_ACCOUNTANT_H_
#define CLOAK_PRIVACY_ACCOUNTANT_H_

#include <cstdint>

#include "cloak/privacy/composition.h"
#include "cloak/privacy/event.h"

namespace cloak {

// Computes what several releases of the same data cost together.
//
//   Accountant<Neighbours::kOutput> spent;
//   spent.Add(GaussianEvent(mechanism.noise().mu()));
//   spent.Add(BoundedRangeEvent(0.1), 12);
//   spent.Epsilon(1e-5);    // is (this, 1e-5)-differentially private
//
// The relation between neighbours is part of the type: what protects an output
// and what protects a row do not add up, because that does not compile
// (tests/compile_fail).
//
// Every number that comes out is an upper bound of the true one, however it
// was rounded. How tight, and the proofs: composition.h.
//
// The data of each release may depend on what was released before (adaptive
// composition). The *events* may not: Delta and Epsilon hold for a list of
// events that was fixed before the first release. Where the next event, or
// whether there is one, is decided by looking at earlier releases, as a
// custodian with a ledger does, use a PrivacyFilter (privacy_filter.h). For
// Gaussian events alone the two agree.
//
// Not for sharing between threads: results are kept until the next Add.
template <Neighbours kNeighbours>
class Accountant {
 public:
  static constexpr Neighbours kRelation = kNeighbours;

  // Throws InvalidInput unless 1 <= times <= Composition::kMaxTimes.
  void Add(const PrivacyEvent& event, int64_t times = 1) {
    composition_.Add(event, times);
  }
  void Add(const Accountant& other) { composition_.Add(other.composition_); }

  // The smallest known delta for which everything together is (epsilon,
  // delta)-private: in [0, 1]. Throws InvalidInput unless 0 <= epsilon <=
  // kMaxEventSize.
  double Delta(double epsilon) const { return composition_.Delta(epsilon); }

  // The smallest known epsilon at this delta; infinity when there is none up
  // to kMaxEventSize. Throws InvalidInput unless 0 <= delta < 1.
  double Epsilon(double delta) const { return composition_.Epsilon(delta); }

  // Bounds the Rényi divergence of one order > 1: with probability 1 - delta,
  // as it were, it is at most epsilon. delta is 0 unless there are approximate
  // events.
  RenyiBound Renyi(double order) const { return composition_.Renyi(order); }

 private:
  Composition composition_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_ACCOUNTANT_H_
