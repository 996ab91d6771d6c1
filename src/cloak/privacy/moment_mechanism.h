#ifndef CLOAK_PRIVACY_MOMENT_MECHANISM_H_
#define CLOAK_PRIVACY_MOMENT_MECHANISM_H_

#include <cstdint>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/clipped_rows.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/moment_scales.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// Everything public about the rows whose moments are released.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
struct MomentSetting {
  Index rows = 0;
  // Where inputs lie. A row outside counts as the nearest inside.
  Vector lower;
  Vector upper;
  OutputBounds bounds;
  // Outputs are counted from here, within the bounds.
  double centre = 0;
  // How many features a row has, and the largest norm they can have. When they
  // are longer they are shrunk: the guarantee does not depend on it.
  Index features = 0;
  double norm = 0;
  Budget budget;
};

struct MomentOptions {
  // σ_a/σ_b, the noise on A over the noise on B (the c of Honkela and Melkas's
  // Algorithm 1), in what outputs and features are measured in.
  double ratio = 1;
  MomentBound bound = MomentBound::kExact;
};

// The result of a MomentMechanism. Public.
struct NoisyMoments {
  // The release itself: integers, those of A in steps of first_step(), those
  // of B, row by row of its lower triangle, in steps of second_step().
  std::vector<Int128> first_integers;
  std::vector<Int128> second_integers;
  Vector A;
  Matrix B;  // both triangles
};

// The exact Gaussian release of A = Σ k_i y_i and B = Σ k_i k_iᵀ over private
// rows (x_i, y_i), with features k_i = k(x_i) and outputs y_i (Honkela and
// Melkas 2021, equations (3) and (5)). Neighbours differ by substituting one
// row, inputs and output; the number of rows is public.
//
// Integers only, from features to published numbers. With K = 2^22, M
// features, r the largest norm, d the width of the bounds:
//   p_i = round(k_i/v), v = r/(K - √M/2 - 1), shrunk so that |p_i| <= K,
//   q_i = the output in units of d/2^20, less the centre, |q_i| <= Q,
//   t   = (Σ p_ij q_i; Σ p_ij p_ik for k <= j),
//   published: t plus independent round(s N), N exact standard normals, where s
//         is s_a for the first, s_b for j = k and s_o >= s_b/√2 for k < j.
// A row of which a cell is missing (not a number) has p_i = 0, and adds
// nothing. (p_i, q_i) depends on row i only, and |p_i| <= K and |q_i| <= Q are
// enforced on integers (integer_moments.h, quantized_output.h), whatever
// floating point did before and whatever the row is. The proof of what that
// costs: moment_scales.h. As rounding is post-processing (exact_normal.h), it
// is mu()-Gaussian-DP exactly.
//
// All but Release() is public and fixed before any row is looked at.
class MomentMechanism {
 public:
  static constexpr Index kMaxFeatures = 1000;

  // Throws InvalidInput when a number in the setting or the ratio is out of
  // range, PrivacyFailure when the budget needs more noise than 2^100 units.
  MomentMechanism(const MomentSetting& setting, const MomentOptions& options);

  const MomentSetting& setting() const { return setting_; }
  // The centre that is really subtracted from outputs: that of the setting to
  // within d/2^21.
  double centre() const { return centre_; }

  // The noise on entries of A, of the diagonal of B, and off it.
  double first_sd() const {
    return static_cast<double>(scales_.first) * first_step_;
  }
  double diagonal_sd() const {
    return static_cast<double>(scales_.diagonal) * second_step_;
  }
  double off_diagonal_sd() const {
    return static_cast<double>(scales_.off_diagonal) * second_step_;
  }
  // How far a row can move (A, B σ_a/σ_b), B by its Frobenius norm: the paper's
  // Δ, exactly but for rounding up; and by its equation (6).
  double sensitivity() const { return sensitivity_; }
  double published_sensitivity() const { return published_sensitivity_; }
  double mu() const { return mu_; }

  // The same in integers.
  const MomentScales& scales() const { return scales_; }
  int64_t largest_output() const { return largest_output_; }
  // v.
  double feature_step() const { return feature_step_; }
  double first_step() const { return first_step_; }
  double second_step() const { return second_step_; }

  // Publishes A and B with noise. Each call spends the whole budget again. The
  // integers do not depend on the number of threads.
  //
  // Throws InvalidInput if the columns do not fit the setting or `features`
  // gives another number of them than it says (tried on the middle of the
  // ranges), and PrivacyFailure if random numbers fail, before any row is read.
  NoisyMoments Release(const std::vector<Secret<Vector>>& inputs,
                       const Secret<Vector>& outputs,
                       const FeatureMap& features, Randomness& random,
                       const Threads& threads) const;

 private:
  using Columns = std::vector<const Vector*>;

  // The exact moments of all rows, without noise: private.
  struct Sums;
  void AddMoments(const Columns& inputs, const Vector& outputs,
                  const FeatureMap& features, const Threads& threads,
                  Sums& sums) const;
  // The q of some rows.
  Vector QuantizeRows(const Vector& outputs, Index begin, Index end) const;

  MomentSetting setting_;
  int64_t centre_units_ = 0;
  int64_t largest_output_ = 0;
  double centre_ = 0;
  double feature_step_ = 0;
  double first_step_ = 0;
  double second_step_ = 0;
  MomentScales scales_;
  double mu_ = 0;
  double sensitivity_ = 0;
  double published_sensitivity_ = 0;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_MOMENT_MECHANISM_H_
