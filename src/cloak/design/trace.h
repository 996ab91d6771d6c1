#ifndef CLOAK_DESIGN_TRACE_H_
#define CLOAK_DESIGN_TRACE_H_

#include "cloak/design/interior_point.h"
#include "cloak/design/noise_design.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// The noise covariance M of smallest Σ_p weight_p M_pp, the squared error that
// noise adds at the query points, with c_iᵀM⁻¹c_i ≤ 1 for every column c_i of
// C (P x N). In coordinates where the weights are 1, M = S^½ with
// S = Σ λ_i c_i c_iᵀ and the λ ≥ 0 that maximise 2 tr S^½ − Σ λ_i.
//
// Certificate, for g_i = c_iᵀS^(−½)c_i: the objective is within the fraction
// gap of the smallest, 1 + gap = max_i g_i · Σ λ / tr S^½.
//
// With units, as for VolumeDesign: Σ_(i ∈ g) σ_i c_i in the place of c_i.
//
// Throws InvalidInput when a weight is not positive.
NoiseDesign TraceDesign(const Matrix& C, const PrivacyUnits& units,
                        const Vector& weights, const Threads& threads,
                        const InteriorPointOptions& options = {
                            .tolerance = 1e-4});
NoiseDesign TraceDesign(const Matrix& C, const Vector& weights,
                        const Threads& threads,
                        const InteriorPointOptions& options = {
                            .tolerance = 1e-4});

}  // namespace cloak

#endif  // CLOAK_DESIGN_TRACE_H_
