#include "cloak/models/check_releasable.h"

#include <utility>

namespace cloak {

void CheckReleasable(ReleaseContent content) {
  content.statistic.step = 1;
  const Release release(std::move(content));
}

void CheckReleasable(ReleaseContent content, const Basis& basis) {
  const Index size = basis.size();
  Posterior posterior;
  posterior.kernel = basis.kernel();
  posterior.jitter = basis.jitter();
  posterior.mean = Vector::Zero(size);
  posterior.explained = Matrix::Identity(size, size);
  posterior.noise = Matrix::Zero(0, size);
  content.basis_points = basis.points();
  content.posteriors = {std::move(posterior)};
  CheckReleasable(std::move(content));
}

}  // namespace cloak
