// The Matérn family: smoothness 1/2, 3/2, 5/2, and its limit, the
// exponentiated quadratic (Rasmussen and Williams 2006, equations 4.9, 4.14,
// 4.17). f and s as in stationary.h, r = √s.
//
// s is at most 1e300, so a polynomial in r times an exponential that has
// underflowed to 0 is 0 and not NaN.
#include <cmath>
#include <memory>

#include "cloak/kernels/parameter.h"
#include "cloak/kernels/stationary.h"
#include "cloak/kernels/vector_exp.h"

namespace cloak {
namespace {

// WithParameters for a kernel with no parameters but those of Stationary.
template <typename Leaf>
class StationaryShape : public Stationary {
 public:
  using Stationary::Stationary;

  NodePointer WithParameters(std::span<const double> values) const override {
    const PerInput variance = TakeLike(Stationary::variance(), &values);
    return std::make_shared<Leaf>(name(), variance[0],
                                  TakeLike(lengthscale(), &values));
  }
};

// f = exp(−s/2), −2f' = f.
class Eq final : public StationaryShape<Eq> {
 public:
  using StationaryShape::StationaryShape;

  NodePointer ReplaceEq(const EqReplacement& make) const override {
    return make(variance(), lengthscale());
  }

  // exp of a sum over inputs.
  KernelShape Shape() const override {
    KernelShape shape = Stationary::Shape();
    shape.product = true;
    return shape;
  }

  std::vector<BoxTerm> BoxTerms(Index inputs) const override {
    BoxTerm term{.factor = variance(), .rates = Vector(inputs)};
    for (Index d = 0; d < inputs; ++d) {
      term.rates(d) = 1 / lengthscale()[d];
    }
    return {term};
  }

 protected:
  void Profile(double* values, Index n, double factor, double*) const override {
    ScaledExpInPlace(values, n, -0.5, factor);
  }
  void ProfileAndSlope(const double* s, Index n, double* f,
                       double* slope) const override {
    for (Index i = 0; i < n; ++i) f[i] = s[i];
    ScaledExpInPlace(f, n, -0.5, 1);
    for (Index i = 0; i < n; ++i) slope[i] = f[i];
  }
};

// f = exp(−r), −2f' = exp(−r)/r.
class Matern12 final : public StationaryShape<Matern12> {
 public:
  using StationaryShape::StationaryShape;

 protected:
  void Profile(double* values, Index n, double factor, double*) const override {
    for (Index i = 0; i < n; ++i) values[i] = std::sqrt(values[i]);
    ScaledExpInPlace(values, n, -1, factor);
  }
  void ProfileAndSlope(const double* s, Index n, double* f,
                       double* slope) const override {
    for (Index i = 0; i < n; ++i) f[i] = std::sqrt(s[i]);
    ScaledExpInPlace(f, n, -1, 1);
    for (Index i = 0; i < n; ++i) {
      slope[i] = s[i] > 0 ? f[i] / std::sqrt(s[i]) : 0;
    }
  }
};

// f = (1 + a) exp(−a) with a = √3 r, −2f' = 3 exp(−a).
class Matern32 final : public StationaryShape<Matern32> {
 public:
  using StationaryShape::StationaryShape;

 protected:
  void Profile(double* values, Index n, double factor,
               double* scratch) const override {
    for (Index i = 0; i < n; ++i) {
      scratch[i] = values[i] = std::sqrt(3 * values[i]);
    }
    ScaledExpInPlace(values, n, -1, factor);
    for (Index i = 0; i < n; ++i) values[i] *= 1 + scratch[i];
  }
  void ProfileAndSlope(const double* s, Index n, double* f,
                       double* slope) const override {
    for (Index i = 0; i < n; ++i) f[i] = slope[i] = std::sqrt(3 * s[i]);
    ScaledExpInPlace(slope, n, -1, 1);
    for (Index i = 0; i < n; ++i) {
      f[i] = (1 + f[i]) * slope[i];
      slope[i] *= 3;
    }
  }
};

// f = (1 + a + a²/3) exp(−a) with a = √5 r, −2f' = 5/3 (1 + a) exp(−a).
class Matern52 final : public StationaryShape<Matern52> {
 public:
  using StationaryShape::StationaryShape;

 protected:
  void Profile(double* values, Index n, double factor,
               double* scratch) const override {
    for (Index i = 0; i < n; ++i) {
      scratch[i] = values[i] = std::sqrt(5 * values[i]);
    }
    ScaledExpInPlace(values, n, -1, factor);
    for (Index i = 0; i < n; ++i) {
      values[i] *= 1 + scratch[i] * (1 + scratch[i] / 3);
    }
  }
  void ProfileAndSlope(const double* s, Index n, double* f,
                       double* slope) const override {
    for (Index i = 0; i < n; ++i) f[i] = slope[i] = std::sqrt(5 * s[i]);
    ScaledExpInPlace(slope, n, -1, 1);
    for (Index i = 0; i < n; ++i) {
      const double a = f[i];
      f[i] = (1 + a * (1 + a / 3)) * slope[i];
      slope[i] *= 5 * (1 + a) / 3;
    }
  }
};

}  // namespace

NodePointer MakeEq(double variance, const PerInput& lengthscale) {
  return std::make_shared<Eq>("eq", variance, lengthscale);
}
NodePointer MakeMatern12(double variance, const PerInput& lengthscale) {
  return std::make_shared<Matern12>("matern12", variance, lengthscale);
}
NodePointer MakeMatern32(double variance, const PerInput& lengthscale) {
  return std::make_shared<Matern32>("matern32", variance, lengthscale);
}
NodePointer MakeMatern52(double variance, const PerInput& lengthscale) {
  return std::make_shared<Matern52>("matern52", variance, lengthscale);
}

}  // namespace cloak
