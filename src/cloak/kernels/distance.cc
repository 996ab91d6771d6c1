// Compiled with -ffp-contract=off (see CMakeLists.txt): x·y + z is then
// rounded alike on machines with and without fused multiply-add, and in the
// vectorised loop and its remainder.
#include "cloak/kernels/distance.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/instruction_sets.h"

namespace cloak {
namespace {

constexpr double kCap = 1e300;

double Shared(const std::vector<double>& values, Index d) {
  return values[values.size() == 1 ? 0 : static_cast<size_t>(d)];
}

// out = min(cap, [out +] Σ_d (inverse_d (x_d − y_d))²) over kInputs inputs, a
// few at a time to spare loads and stores. Always inlined, so that it is
// compiled for each instruction set.
template <int kInputs, bool kFirst>
[[gnu::always_inline]] inline void SumSquares(const double* x, Index stride,
                                              const double* y,
                                              const double* inverse, Index rows,
                                              double* out) {
#pragma omp simd
  for (Index i = 0; i < rows; ++i) {
    double sum = kFirst ? 0 : out[i];
    for (int d = 0; d < kInputs; ++d) {
      const double scaled = inverse[d] * (x[i + d * stride] - y[d]);
      sum += scaled * scaled;
    }
    out[i] = sum < kCap ? sum : kCap;
  }
}

template <int kInputs>
[[gnu::always_inline]] inline void AddSquares(const double* x, Index stride,
                                              const double* y,
                                              const double* inverse, bool first,
                                              Index rows, double* out) {
  if (first) {
    SumSquares<kInputs, true>(x, stride, y, inverse, rows, out);
  } else {
    SumSquares<kInputs, false>(x, stride, y, inverse, rows, out);
  }
}

// y and inverse are given for each input.
CLOAK_FOR_EACH_INSTRUCTION_SET
void SquaredDistancesOfColumn(const double* x, Index stride, Index inputs,
                              const double* y, const double* inverse,
                              Index rows, double* out) {
  Index d = 0;
  if (inputs == 0) std::fill_n(out, rows, 0.0);
  for (; inputs - d >= 4; d += 4) {
    AddSquares<4>(x + d * stride, stride, y + d, inverse + d, d == 0, rows,
                  out);
  }
  for (; inputs - d >= 2; d += 2) {
    AddSquares<2>(x + d * stride, stride, y + d, inverse + d, d == 0, rows,
                  out);
  }
  for (; d < inputs; ++d) {
    AddSquares<1>(x + d * stride, stride, y + d, inverse + d, d == 0, rows,
                  out);
  }
}

CLOAK_FOR_EACH_INSTRUCTION_SET
double WeightedSquaresOfColumn(const double* x, double y, double inverse,
                               const double* weights, Index rows) {
  double total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < rows; ++i) {
    const double scaled = inverse * (x[i] - y);
    const double square = scaled * scaled;
    total += weights[i] * (square < kCap ? square : kCap);
  }
  return total;
}

CLOAK_FOR_EACH_INSTRUCTION_SET
void PeriodsOfColumn(const double* x, double y, double inverse, Index rows,
                     double* out) {
#pragma omp simd
  for (Index i = 0; i < rows; ++i) {
    const double periods = inverse * (x[i] - y);
    const double below = periods < kCap ? periods : kCap;
    out[i] = below > -kCap ? below : -kCap;
  }
}

CLOAK_FOR_EACH_INSTRUCTION_SET
void SubtractNearestIntegers(double* values, Index n) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) values[i] -= std::rint(values[i]);
}

// variance · (x y), not (variance · x) y: symmetric in x and y to the bit.
CLOAK_FOR_EACH_INSTRUCTION_SET
void AddProducts(const double* x, double y, double variance, Index rows,
                 double* out) {
#pragma omp simd
  for (Index i = 0; i < rows; ++i) out[i] += variance * (x[i] * y);
}

CLOAK_FOR_EACH_INSTRUCTION_SET
double SumOfProducts(const double* a, const double* b, Index n) {
  double total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < n; ++i) total += a[i] * b[i];
  return total;
}

}  // namespace

void SquaredDistances(const Tile& tile, const std::vector<double>& inverse,
                      double* out) {
  std::vector<double> y(static_cast<size_t>(tile.inputs));
  std::vector<double> factors(y.size());
  for (Index d = 0; d < tile.inputs; ++d) {
    factors[static_cast<size_t>(d)] = Shared(inverse, d);
  }
  for (Index j = 0; j < tile.columns; ++j) {
    for (Index d = 0; d < tile.inputs; ++d) {
      y[static_cast<size_t>(d)] = tile.Y(j, d);
    }
    SquaredDistancesOfColumn(tile.x, tile.x_stride, tile.inputs, y.data(),
                             factors.data(), tile.rows, out + j * tile.rows);
  }
}

double WeightedSquares(const Tile& tile, Index d, double inverse,
                       const double* weights) {
  double total = 0;
  for (Index j = 0; j < tile.columns; ++j) {
    total +=
        WeightedSquaresOfColumn(tile.x + d * tile.x_stride, tile.Y(j, d),
                                inverse, weights + j * tile.rows, tile.rows);
  }
  return total;
}

void Periods(const Tile& tile, Index d, double inverse, double* out) {
  for (Index j = 0; j < tile.columns; ++j) {
    PeriodsOfColumn(tile.x + d * tile.x_stride, tile.Y(j, d), inverse,
                    tile.rows, out + j * tile.rows);
  }
}

void Phases(const Tile& tile, Index d, double inverse, double* out) {
  Periods(tile, d, inverse, out);
  SubtractNearestIntegers(out, tile.size());
}

void WeightedProducts(const Tile& tile, const std::vector<double>& variance,
                      double* out) {
  std::fill_n(out, tile.size(), 0.0);
  for (Index j = 0; j < tile.columns; ++j) {
    for (Index d = 0; d < tile.inputs; ++d) {
      AddProducts(tile.x + d * tile.x_stride, tile.Y(j, d), Shared(variance, d),
                  tile.rows, out + j * tile.rows);
    }
  }
}

double WeightedProductSum(const Tile& tile, Index d, const double* weights) {
  double total = 0;
  for (Index j = 0; j < tile.columns; ++j) {
    total += tile.Y(j, d) * SumOfProducts(tile.x + d * tile.x_stride,
                                          weights + j * tile.rows, tile.rows);
  }
  return total;
}

double Dot(const double* a, const double* b, Index n) {
  return SumOfProducts(a, b, n);
}

}  // namespace cloak
