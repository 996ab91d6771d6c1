#include "benchmarks/away_step.h"

#include <Eigen/Cholesky>
#include <chrono>
#include <cmath>

namespace cloak {

AwayStepResult AwayStepEllipsoid(const Matrix& V, double gap,
                                 double most_seconds) {
  const Index n = V.cols();
  const auto r = static_cast<double>(V.rows());
  Vector weights = Vector::Constant(n, 1 / static_cast<double>(n));
  Matrix inverse = (V * weights.asDiagonal() * V.transpose())
                       .llt()
                       .solve(Matrix::Identity(V.rows(), V.rows()));
  Vector omega = V.cwiseProduct(inverse * V).colwise().sum();
  AwayStepResult result;
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    Index far = 0;
    Index near = 0;
    const double largest = omega.maxCoeff(&far);
    result.gap = largest / r - 1;
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - begin;
    if (result.gap <= gap || taken.count() > most_seconds) return result;
    const double smallest =
        (weights.array() > 0).select(omega, largest).minCoeff(&near);
    const bool towards = largest / r - 1 >= 1 - smallest / r;
    const Index j = towards ? far : near;
    double step = (omega(j) / r - 1) / (omega(j) - 1);
    bool drop = false;
    if (!towards) {
      const double most = -weights(j) / (1 - weights(j));
      drop = omega(j) <= 1 || step <= most;
      if (drop) step = most;
    }
    const Vector direction = inverse * V.col(j);
    const Vector cross = V.transpose() * direction;
    const double shrink = step / (1 - step + step * omega(j));
    omega = (omega - shrink * cross.cwiseAbs2()) / (1 - step);
    inverse =
        (inverse - shrink * direction * direction.transpose()) / (1 - step);
    weights *= 1 - step;
    weights(j) = drop ? 0 : weights(j) + step;
    ++result.iterations;
  }
}

}  // namespace cloak
