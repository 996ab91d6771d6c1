#include "cloak/release/answer_bound.h"

#include "cloak/base/error.h"

namespace cloak {
namespace {

constexpr double kLargestVariance = 1e300;

struct Box {
  Vector lower;
  Vector upper;
};

// Returns the ranges of the inputs as the kernels see them.
Box BoxOf(const ReleaseContent& content) {
  const auto inputs = static_cast<Index>(content.inputs.size());
  Box box{Vector(inputs), Vector(inputs)};
  for (Index j = 0; j < inputs; ++j) {
    box.lower(j) = content.inputs[static_cast<size_t>(j)].lower;
    box.upper(j) = content.inputs[static_cast<size_t>(j)].upper;
  }
  if (!content.projection) return box;
  const Matrix& directions = content.projection->directions;
  const Vector middle =
      directions * (box.lower / 2 + box.upper / 2 - content.projection->centre);
  const Vector reach = directions.cwiseAbs() * (box.upper / 2 - box.lower / 2);
  return {middle - reach, middle + reach};
}

}  // namespace

// |k(z, x)| ≤ √(k(z, z) k(x, x)), so a row a of `folded` has
// |aᵀk_Z(x)| ≤ Σ_z |a_z| √k(z, z) · √k(x, x).
void RequireFiniteAnswers(const ReleaseContent& content,
                          const Posterior& posterior, const Matrix& folded) {
  const Box box = BoxOf(content);
  const Kernel& kernel = posterior.kernel;
  const Vector rows =
      folded.cwiseAbs() * kernel.Variances(content.basis_points).cwiseSqrt();
  const double largest =
      kernel.VarianceBound(box.lower, box.upper) * (1 + rows.squaredNorm()) +
      posterior.noise_variance;
  RequireInput(box.lower.allFinite() && box.upper.allFinite() &&
                   largest <= kLargestVariance,
               "a posterior's numbers are too large for its kernel: its "
               "answers would not be finite");
}

}  // namespace cloak
