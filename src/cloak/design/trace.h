#ifndef CLOAK_DESIGN_TRACE_H_
#define CLOAK_DESIGN_TRACE_H_

#include "cloak/design/noise_design.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

struct TraceOptions {
  double tolerance = 1e-4;
  int max_iterations = 20000;
};

// The noise covariance M of smallest Σ_p weight_p M_pp, the mean squared error
// that noise adds at the query points, with c_iᵀM⁻¹c_i ≤ 1 for every column
// c_i of C (P x N). In coordinates where the weights are 1 its dual is
//   max (tr S^½)²,  S = Σ λ_i c_i c_iᵀ over weights λ,
// with M = max_i g_i · S^½, g_i = c_iᵀS^(−½)c_i, and max g / tr S^½ − 1 the
// certified gap. Fixed point λ_i ← λ_i g_i.
//
// Throws Error when the tolerance is not reached, InvalidInput when a weight
// is not positive.
NoiseDesign TraceDesign(const Matrix& C, const Vector& weights,
                        const TraceOptions& options = {});

}  // namespace cloak

#endif  // CLOAK_DESIGN_TRACE_H_
