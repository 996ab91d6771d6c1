#ifndef CLOAK_PRIVACY_ZCDP_H_
#define CLOAK_PRIVACY_ZCDP_H_

#include "cloak/privacy/budget.h"

namespace cloak {

// Zero-concentrated differential privacy (Bun and Steinke 2016): a mechanism
// is rho-zCDP when for all neighbours its Renyi divergence of every order
// alpha > 1 is at most alpha rho. The rho of several mechanisms add up.
//
// In (epsilon, delta) it is (Canonne, Kamath and Steinke 2020, section 2.3)
//   delta <= exp((alpha - 1)(alpha rho - epsilon)) (1 - 1/alpha)^alpha
//            / (alpha - 1)    for every alpha > 1.                         (1)
// Proof. delta <= E max(0, 1 - e^(epsilon - L)) with L the privacy loss, and
// max(0, 1 - e^(epsilon - z)) <= c e^((alpha - 1) z) with c the largest value
// of e^(-(alpha - 1) z) (1 - e^(epsilon - z)), which is at e^(z - epsilon) =
// alpha/(alpha - 1). E e^((alpha - 1) L) <= e^((alpha - 1) alpha rho).

// A double that is at least the smallest right-hand side of (1). Throws
// InvalidInput unless rho is finite and positive and 0 < epsilon <=
// Budget::kMaxEpsilon.
double ZcdpDeltaUpper(double rho, double epsilon);

// The largest double rho that (1) is certified to turn into this budget.
// Throws PrivacyFailure when there is none.
double ZcdpRho(const Budget& budget);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_ZCDP_H_
