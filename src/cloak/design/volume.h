#ifndef CLOAK_DESIGN_VOLUME_H_
#define CLOAK_DESIGN_VOLUME_H_

#include "cloak/design/noise_design.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

struct VolumeOptions {
  double tolerance = 1e-5;
  int max_iterations = 200000;
};

// The cloaking noise of Smith 2018: the covariance M of smallest determinant
// with c_iᵀM⁻¹c_i ≤ 1 for every column c_i of C (P x N), that is the smallest
// ellipsoid around ±c_i. Its dual is D-optimal design: M = max_i ω_i · Σ λ_i
// c_i c_iᵀ over weights λ, with ω_i = c_iᵀ(Σ λ c cᵀ)⁻¹c_i, and at the optimum
// max ω = r; max ω / r − 1 is the certified gap.
//
// Frank–Wolfe with away steps and rank-one updates (Wolfe and Atwood; Todd
// and Yıldırım 2007). Throws Error when the tolerance is not reached.
NoiseDesign VolumeDesign(const Matrix& C, const VolumeOptions& options = {});

}  // namespace cloak

#endif  // CLOAK_DESIGN_VOLUME_H_
