#include "experiments/honkela2021/simulated_rows.h"

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/kernels/kernel.h"
#include "cloak/linalg/cholesky.h"
#include "experiments/dice.h"
#include "experiments/honkela2021/sections.h"

namespace cloak {
namespace {

Vector RandomPlaces(Index count, Dice& dice) {
  Vector x(count);
  for (double& place : x) place = kFarthest * (2 * dice.Uniform() - 1);
  return x;
}

Vector Normals(Index count, Dice& dice) {
  Vector z(count);
  for (double& value : z) value = dice.Normal();
  return z;
}

}  // namespace

double DampedSine(double x) { return x == 0 ? 1 : std::sin(2 * x) / (2 * x); }

OpenRows DampedSineRows(Index count, double noise_sd, uint64_t seed) {
  Dice dice(seed);
  const Vector x = RandomPlaces(count, dice);
  return {x, x.unaryExpr(&DampedSine) + noise_sd * Normals(count, dice)};
}

OpenRows DrawnFunctionRows(Index count, double noise_sd, uint64_t seed) {
  Dice dice(seed);
  const Vector x = RandomPlaces(count, dice);
  // Smooth functions have far fewer degrees of freedom than there are rows:
  // without a little jitter the covariance is singular.
  const Threads one(1);
  const Cholesky cholesky(Kernel::Eq(1, 1).Covariance(x, one), one,
                          {.first_jitter = 1e-9});
  if (cholesky.outcome() == Cholesky::kFailed) throw Error(cholesky.message());
  const Vector f = cholesky.L() * Normals(count, dice);
  return {x, f + noise_sd * Normals(count, dice)};
}

SharedSetting SimulatedSetting(Index rows, double bound) {
  return std::make_shared<const Setting>(
      Setting{.input_names = {"x"},
              .inputs = PrivateInputs{rows, Vector::Constant(1, -kFarthest),
                                      Vector::Constant(1, kFarthest)},
              .output = NumberOutput{"y", OutputBounds(-bound, bound)},
              .threads = Threads(1)});
}

Matrix EvenGrid(double end, Index count) {
  return Vector::LinSpaced(count, -end, end);
}

}  // namespace cloak
