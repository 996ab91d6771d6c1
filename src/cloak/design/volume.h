#ifndef CLOAK_DESIGN_VOLUME_H_
#define CLOAK_DESIGN_VOLUME_H_

#include "cloak/design/interior_point.h"
#include "cloak/design/noise_design.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// The cloaking noise of Smith 2018: the covariance M of smallest determinant
// with c_iᵀM⁻¹c_i ≤ 1 for every column c_i of C (P x N), that is the smallest
// ellipsoid around ±c_i. Its dual is D-optimal design: M = Σ λ_i c_i c_iᵀ with
// the λ ≥ 0 that maximise log det M − Σ λ_i.
//
// Certificate, for ω_i = c_iᵀM⁻¹c_i: log det M is within r log(1 + gap) of the
// smallest, 1 + gap = max_i ω_i · Σ λ / r.
//
// With units, the outputs of one unit g move at once, and M must hold every
// Σ_(i ∈ g) σ_i c_i, σ_i = ±1 (linalg/signed_sum.h), in the place of c_i. R
// then moves by at most 1 when the outputs of one unit move by 1 each. For
// units too large to enumerate that is a bound, and counts in the gap.
NoiseDesign VolumeDesign(const Matrix& C, const PrivacyUnits& units,
                         const Threads& threads,
                         const InteriorPointOptions& options = {});
NoiseDesign VolumeDesign(const Matrix& C, const Threads& threads,
                         const InteriorPointOptions& options = {});

}  // namespace cloak

#endif  // CLOAK_DESIGN_VOLUME_H_
