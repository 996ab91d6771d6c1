#ifndef CLOAK_KERNELS_KERNEL_H_
#define CLOAK_KERNELS_KERNEL_H_

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cloak/linalg/boxes.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

class KernelNode;

// A positive parameter of a kernel that is either one number shared by all
// inputs or one number for each input (automatic relevance determination):
//   Kernel::Eq(600, 15)         one lengthscale, any number of inputs
//   Kernel::Eq(600, {15, 3})    exactly two inputs
// A list of one number, {15}, is a list: it fits one input only.
class PerInput {
 public:
  PerInput(double shared) : values_{shared} {}  // NOLINT: implicit by design
  PerInput(std::vector<double> list)            // NOLINT: implicit by design
      : values_(std::move(list)), shared_(false) {}
  PerInput(std::initializer_list<double> list)  // NOLINT: implicit by design
      : values_(list), shared_(false) {}

  bool shared() const { return shared_; }
  // One number when shared, else one for each input.
  const std::vector<double>& values() const { return values_; }
  double operator[](Index input) const {
    return values_[shared_ ? 0 : static_cast<size_t>(input)];
  }

 private:
  std::vector<double> values_;
  bool shared_ = true;
};

struct KernelParameter {
  // Where the parameter stands in the expression: "variance" for a lone
  // kernel; "0.variance", "1.lengthscale[0]" in a sum or product, counting its
  // terms from 0; "1.0.variance" for the first factor of the second term.
  std::string path;
  double value;
};

// The parameters of a Gibbs kernel; see Kernel::Gibbs.
struct GibbsArguments {
  double variance = 1;
  double longest = 1;
  double count = 1;
  double bandwidth = 1;
  double neighbourhood = 1;
  PerInput scale = 1;
  // One number for each input of the first centre, then of the second, …
  std::vector<double> centres = {};
  // One number for all centres or one for each.
  PerInput weights = 1;
};

// Says what is known of how k(x, x') depends on x and x'.
struct KernelShape {
  // It depends on the distances |x_j − x'_j| alone, is never negative, and does
  // not grow with any of them.
  bool decreasing = false;
  // k(x, x') = k(0, 0) Π_j g_j(x_j − x'_j).
  bool product = false;
  // Where k(x, x') is a function of r (below), the lengthscales in it.
  std::optional<PerInput> radial = {};
};

// A covariance function k(x, x'): an immutable value, cheap to copy, built
// from the kernels below by + and *.
//
//   const Kernel k = Kernel::Bias(1000) + Kernel::Eq(600, {15, 3});
//   const Kernel same = Kernel::Parse(
//       "bias(1000) + eq(variance=600, lengthscale=[15, 3])");
//   const Matrix K = k.Covariance(X, Threads());
//
// Sums and products are flattened, (a + b) + c = a + (b + c), and evaluated
// from left to right. An expression has at most 1000 parameters, 64 levels of
// nesting and 65536 characters, so that every kernel can be written to a
// release and read back.
//
// Every entry of a covariance depends on its two rows alone: not on where they
// stand in X, nor on the other rows, nor on the number of threads. Two rows
// that are equal have distance exactly 0.
//
// The noise of observations belongs to the likelihood, not here; `white` is
// for processes that really have an independent component at each observation.
class Kernel {
 public:
  // Reads sums and products of
  //   eq(variance, lengthscale)            periodic(variance, lengthscale,
  //   matern12(variance, lengthscale)               period)
  //   matern32(variance, lengthscale)      linear(variance)
  //   matern52(variance, lengthscale)      bias(variance)
  //   rq(variance, lengthscale, alpha)     white(variance)
  //   gibbs(variance, longest, count, bandwidth, neighbourhood, scale,
  //         centres, weights)              bins(variance, lower, upper, count)
  // with `name=number` or `name=[number, …]` arguments in any order, the first
  // of which may be the variance without its name. What is left out is 1.
  // * binds tighter than +; parentheses group.
  //
  // Safe on text from strangers: throws InvalidInput that names the position,
  // what was found and what is known, for anything else than the above.
  static Kernel Parse(std::string_view text);

  // The canonical text. Parse(k.ToString()) prints the same text and computes
  // the same numbers bit for bit.
  std::string ToString() const;

  // All numbers must be finite and, but for places, positive, else these
  // throw InvalidInput.
  // With r² = Σ_j (x_j − x'_j)² / lengthscale_j²:

  // variance · exp(−r²/2), the exponentiated quadratic (RBF).
  static Kernel Eq(double variance, const PerInput& lengthscale);
  // variance · exp(−r).
  static Kernel Matern12(double variance, const PerInput& lengthscale);
  // variance · (1 + √3 r) exp(−√3 r).
  static Kernel Matern32(double variance, const PerInput& lengthscale);
  // variance · (1 + √5 r + 5r²/3) exp(−√5 r).
  static Kernel Matern52(double variance, const PerInput& lengthscale);
  // variance · (1 + r²/(2 alpha))^(−alpha).
  static Kernel RationalQuadratic(double variance, const PerInput& lengthscale,
                                  double alpha);
  // variance · exp(−2 Σ_j sin²(π(x_j − x'_j)/period_j) / lengthscale_j²).
  static Kernel Periodic(double variance, const PerInput& lengthscale,
                         const PerInput& period);
  // Σ_j variance_j x_j x'_j.
  static Kernel Linear(const PerInput& variance);
  // variance.
  static Kernel Bias(double variance);
  // variance between an observation and itself, else 0.
  static Kernel White(double variance);

  // An exponentiated quadratic whose lengthscale is long where inputs are few
  // (Gibbs 1998; Smith 2021, equation 8): with D inputs, u_j = x_j/scale_j,
  //   variance · [2 r r'/(r² + r'²)]^(D/2) · exp(−|u − u'|²/(r² + r'²)),
  //   r = r(x) = [1/longest + (ρ/count)^(1/D)]⁻¹,
  // where ρ is the density of the centres c, each with its weight w_c, in
  // units of scale: the smallest value that
  //   Σ_c w_c (2π bandwidth²)^(−D/2) exp(−|u − c/scale|²/(2 bandwidth²))
  // has at u, u ± h e_j and u ± (h/2) e_j for all inputs j, h the
  // neighbourhood (Smith 2021, section 6.1; it may be 0). So r, in units of
  // scale, is about how far from x there are `count` of the inputs that the
  // centres stand for, and below `longest`. It is a covariance whatever the
  // positive function r is.
  //
  // Parameters() are variance, longest and count. The others describe where
  // inputs are and stay as they are. `centres` are at most 2000 numbers.
  static Kernel Gibbs(const GibbsArguments& arguments);

  // variance where x and x' lie in the same cell of a regular grid that has
  // count_j cells from lower_j to upper_j, else 0; outside that range, the
  // nearest cell counts. Parameters() is variance alone.
  static Kernel Bins(double variance, const PerInput& lower,
                     const PerInput& upper, const PerInput& count);

  friend Kernel operator+(const Kernel& a, const Kernel& b);
  friend Kernel operator*(const Kernel& a, const Kernel& b);
  // The same text, hence the same function.
  friend bool operator==(const Kernel& a, const Kernel& b);

  // Throws InvalidInput when a list in the expression has another length than
  // the number of inputs. The functions below call it, and throw InvalidInput
  // too when an input is not finite.
  void CheckInputs(Index dimension) const;

  // K(X, X), both triangles, the same bits in either; white on the diagonal.
  Matrix Covariance(const Matrix& X, const Threads& threads) const;

  // K(X, Y), never any white: the rows of X and Y are different observations
  // even where they coincide.
  Matrix CrossCovariance(const Matrix& X, const Matrix& Y,
                         const Threads& threads) const;

  // The covariances between the means of f over the boxes A and those over the
  // boxes B (Smith 2018, supplement, "Integral Kernel", whose integrals are
  // these means times the volumes). For eq, linear and bias, their sums, and
  // products of eq and bias with one another or of linear with bias; throws
  // InvalidInput for others. For boxes of any size the error of the eq part is
  // below 1e-14 of its variance.
  Matrix BoxCovariance(const Boxes& A, const Boxes& B,
                       const Threads& threads) const;

  // k(x, x) of each row, the diagonal of Covariance(X).
  Vector Variances(const Matrix& X) const;

  // The same expression with make(variance, lengthscale) in place of every eq
  // in it. Throws InvalidInput when there is none.
  Kernel ReplaceEq(
      const std::function<Kernel(double variance, const PerInput& lengthscale)>&
          make) const;

  // In the order of the text.
  std::vector<KernelParameter> Parameters() const;

  // The same expression with other values, in the order of Parameters().
  Kernel WithParameters(const Vector& values) const;

  // d/dθ_p Σ_ab A_ab K(X, X)_ab for every parameter θ_p (itself, not its
  // logarithm), in the order of Parameters(). A need not be symmetric. Takes
  // the time of a few covariances and no memory of the size of one.
  Vector Gradient(const Matrix& X, const Matrix& A,
                  const Threads& threads) const;

  // The same for Σ_ab A_ab K(X, Y)_ab, where the rows of X and Y are different
  // observations.
  Vector CrossGradient(const Matrix& X, const Matrix& Y, const Matrix& A,
                       const Threads& threads) const;

  // The same for Σ_i a_i k(x_i, x_i), with x_i the rows of X.
  Vector VariancesGradient(const Matrix& X, const Vector& a) const;

  KernelShape Shape() const;

  // sup k(x, x) over all x; +infinity when there is none (linear). For sums
  // and products the sum and the product of the suprema, which is never too
  // small.
  double VarianceBound() const;

  // The same over the box lower ≤ x ≤ upper, always finite (unless the number
  // is too large for a double).
  double VarianceBound(const Vector& lower, const Vector& upper) const;

 private:
  explicit Kernel(std::shared_ptr<const KernelNode> root);

  std::shared_ptr<const KernelNode> root_;
};

}  // namespace cloak

#endif  // CLOAK_KERNELS_KERNEL_H_
