#ifndef CLOAK_PRIVACY_RENYI_H_
#define CLOAK_PRIVACY_RENYI_H_

#include <functional>

#include "cloak/privacy/event.h"

namespace cloak {

// Rényi differential privacy (Mironov 2017) of events, and back to (epsilon,
// delta). Everything is rounded up. An order is above 1 and finite.

// The Rényi divergence of this order between what neighbours release, in
// either direction, is at most this. Of an approximate event it is that of its
// pure part, the other having probability delta.
//   gaussian       a mu^2/2
//   zcdp           a rho
//   pure           epsilon - log((1 + e^-epsilon)/(1 +
//   e^-(2a-1)epsilon))/(a-1),
//                  that of randomised response, which dominates
//   bounded range  the lesser of that and a epsilon^2/8 (Cesar and Rogers 2021,
//                  "Bounding, Concentrating, and Truncating": an interval of
//                  length epsilon is sub-Gaussian as in Hoeffding's lemma)
//   selection      Papernot and Steinke 2022, Theorems 2 and 6
double RenyiUpper(const PrivacyEvent& event, double order);

// rho for which the event is rho-zCDP (its pure part, for an approximate
// event); infinity for selections.
double ZcdpUpper(const PrivacyEvent& event);

// The logarithm of the delta at this epsilon of what has Rényi divergence
// `renyi` at order a,
//   delta = exp((a - 1)(renyi - epsilon)) (1 - 1/a)^a/(a - 1)
// (Canonne, Kamath and Steinke 2020, "The Discrete Gaussian for Differential
// Privacy", Proposition 12).
double RenyiLogDelta(double renyi, double order, double epsilon);

// The same formula solved for epsilon, which may be negative; infinity when
// delta is 0.
double RenyiEpsilon(double renyi, double order, double delta);

// An order that nearly minimises `objective`. For RenyiLogDelta, convex in the
// order, and RenyiEpsilon it is the best one; any order gives a valid bound.
double BestOrder(const std::function<double(double)>& objective);

// The smallest known delta of one event at epsilon >= 0: exact for all but zCDP
// and selections, whose Rényi divergences are converted.
//   gaussian       analytic_gaussian.h
//   approximate    delta + (1 - delta) (1 - e^(x - epsilon))_+/(1 + e^-epsilon)
//   pure           the same without delta
//   bounded range  (1 - e^((x - epsilon)/2))_+^2/(1 - e^-epsilon)
// at x. The last is the largest of all mechanisms of bounded range: for a pair
// of neighbours whose loss lies in [t - epsilon, t], the worst has its loss at
// the two ends (Dong, Durfee and Rogers 2020, Lemma 3.2), with
//   (1 - e^(t - epsilon))(1 - e^(x - t))/(1 - e^-epsilon)
// at x, largest for t = (x + epsilon)/2.
double DeltaUpper(const PrivacyEvent& event, double epsilon);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_RENYI_H_
