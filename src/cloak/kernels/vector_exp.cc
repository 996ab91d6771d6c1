// Compiled with -ffast-math (see CMakeLists.txt): without it GCC does not
// call libmvec. Nothing here rests on infinities, NaN or the order of sums.
#include "cloak/kernels/vector_exp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "cloak/base/instruction_sets.h"

namespace cloak {
namespace {

// As many doubles as the widest vectors hold.
constexpr Index kLanes = 8;

// Beyond this, libmvec falls back to one slow call per number.
constexpr double kSmallestExponent = -707;

// The loops below see whole vectors only (n is a multiple of kLanes), because
// the remainder of a loop would be computed by another implementation of exp.

CLOAK_FOR_EACH_INSTRUCTION_SET
void ExpVectors(double* values, Index n, double rate, double factor) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const double x = rate * values[i];
    const bool vanishes = x < kSmallestExponent;
    const double result = factor * std::exp(vanishes ? kSmallestExponent : x);
    values[i] = vanishes ? 0 : result;
  }
}

CLOAK_FOR_EACH_INSTRUCTION_SET
void Log1pVectors(double* values, Index n) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) values[i] = std::log1p(values[i]);
}

CLOAK_FOR_EACH_INSTRUCTION_SET
void SinPiVectors(double* values, Index n) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    values[i] = std::sin(std::numbers::pi * values[i]);
  }
}

// Calls loop(values, count) on whole vectors, the last filled up with zeros.
template <typename Loop>
void ByWholeVectors(double* values, Index n, const Loop& loop) {
  const Index whole = n / kLanes * kLanes;
  loop(values, whole);
  if (whole == n) return;
  std::array<double, kLanes> last{};
  std::copy(values + whole, values + n, last.begin());
  loop(last.data(), kLanes);
  std::copy_n(last.begin(), n - whole, values + whole);
}

}  // namespace

void ExpInPlace(double* values, Index n) { ScaledExpInPlace(values, n, 1, 1); }

void ScaledExpInPlace(double* values, Index n, double rate, double factor) {
  ByWholeVectors(values, n, [&](double* part, Index count) {
    ExpVectors(part, count, rate, factor);
  });
}

void Log1pInPlace(double* values, Index n) {
  ByWholeVectors(values, n, Log1pVectors);
}

void SinPiInPlace(double* values, Index n) {
  ByWholeVectors(values, n, SinPiVectors);
}

}  // namespace cloak
