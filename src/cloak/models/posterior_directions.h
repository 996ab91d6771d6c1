#ifndef CLOAK_MODELS_POSTERIOR_DIRECTIONS_H_
#define CLOAK_MODELS_POSTERIOR_DIRECTIONS_H_

#include "cloak/gp/basis.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/release/release.h"

namespace cloak {

// Gives the posterior the covariance that was inferred of the weights of
// `basis`, in as few directions and digits as standard deviations of f allow:
// at no basis point do they change by more than about 1e-4 of themselves.
//
// With EᵀE what is explained and NᵀN the noise, the eigenvectors of EᵀE + NᵀN =
// VΓVᵀ that matter are kept, and N V Γ^(−½) = Q diag(√t) Yᵀ gives both at once:
//   D = Yᵀ Γ^½ Vᵀ,  EᵀE = Dᵀ diag(1 − t) D,  NᵀN = Dᵀ diag(t) D.
void SetDirections(const Basis& basis, const LinearPosterior& inferred,
                   Posterior& posterior);

}  // namespace cloak

#endif  // CLOAK_MODELS_POSTERIOR_DIRECTIONS_H_
