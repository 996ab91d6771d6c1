#include "cloak/models/rows/feature_norm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr double kTolerance = 1e-3;
// So many take less than a second.
constexpr Index kMostCovariances = 10'000'000;
constexpr Index kMostBoxes = 30'000;

struct Box {
  Vector lower;
  Vector upper;
  double bound = 0;
  bool operator<(const Box& other) const { return bound < other.bound; }
};

class SumSearch {
 public:
  SumSearch(const Kernel& kernel, const Matrix& Z, const Vector& widths)
      : kernel_(kernel), Z_(Z), widths_(widths) {}

  double Run(const Box& whole) {
    Push(whole);
    const Index most =
        std::min(kMostBoxes, std::max<Index>(1, kMostCovariances / Z_.rows()));
    for (Index box = 1; box < most; box += 2) {
      const Box top = boxes_.top();
      if (top.bound <= best_ * (1 + kTolerance)) break;
      boxes_.pop();
      Index widest = 0;
      (top.upper - top.lower).cwiseQuotient(widths_).maxCoeff(&widest);
      Box half = top;
      const double middle =
          top.lower(widest) + (top.upper(widest) - top.lower(widest)) / 2;
      half.upper(widest) = middle;
      Push(half);
      half.upper(widest) = top.upper(widest);
      half.lower(widest) = middle;
      Push(half);
    }
    return boxes_.top().bound;
  }

 private:
  // Σ_j k² at the point nearest to z_j between lower and upper.
  double Sum(const Vector& lower, const Vector& upper) const {
    const auto below = (-Z_).rowwise() + lower.transpose();
    const auto above = Z_.rowwise() - upper.transpose();
    const Matrix distances = below.cwiseMax(above).cwiseMax(0);
    return kernel_
        .CrossCovariance(distances, Matrix::Zero(1, Z_.cols()), Threads(1))
        .squaredNorm();
  }

  void Push(Box box) {
    box.bound = Sum(box.lower, box.upper);
    const Vector middle = box.lower + (box.upper - box.lower) / 2;
    best_ = std::max(best_, Sum(middle, middle));
    boxes_.push(std::move(box));
  }

  const Kernel& kernel_;
  const Matrix& Z_;
  const Vector& widths_;
  std::priority_queue<Box> boxes_;
  double best_ = 0;
};

// Far above the rounding errors of covariances and their sums.
constexpr double kRounding = 1 + 1e-9;

constexpr std::array<std::pair<NormBound, const char*>, 5> kNames{{
    {NormBound::kTightest, "tightest"},
    {NormBound::kTrivial, "trivial"},
    {NormBound::kOrdered, "ordered"},
    {NormBound::kSeparated, "separated"},
    {NormBound::kCertified, "certified"},
}};

// k at this difference of x and x'.
double AtDifference(const Kernel& kernel, const Vector& difference) {
  return kernel.CrossCovariance(difference.transpose(),
                                Matrix::Zero(1, difference.size()),
                                Threads(1))(0, 0);
}

// sup k, finite.
double LargestCovariance(const Kernel& kernel) {
  // |k(x, z)| ≤ √(k(x, x) k(z, z)).
  const double largest = kernel.VarianceBound();
  RequireInput(
      std::isfinite(largest), "the kernel '", kernel.ToString(),
      "' has no bound: a linear part grows without limit with its inputs, "
      "so no amount of noise covers what a row can add; use kernels such "
      "as eq, matern32, rq, periodic or bias");
  return largest;
}

// (4).
double Trivial(const Kernel& kernel, const Matrix& Z) {
  const double largest = LargestCovariance(kernel);
  return static_cast<double>(Z.rows()) * largest * largest;
}

// The smallest distance between two points, inputs divided by `scale`.
double SmallestDistance(const Matrix& Z, const PerInput& scale) {
  Matrix scaled = Z;
  for (Index d = 0; d < Z.cols(); ++d) scaled.col(d) /= scale[d];
  double smallest = kInfinity;
  for (Index i = 0; i < Z.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      smallest = std::min(smallest, (scaled.row(i) - scaled.row(j)).norm());
    }
  }
  return smallest;
}

// (7). Of the n points, let a be on the left of x and n − a on the right. Those
// on either side are at distances of at least 0, d, 2d, … from x when no two
// are nearer than d, so
//   |k|² ≤ Σ_(i<a) k(id)² + Σ_(i<n−a) k(id)²,
// and as k decreases the sum is largest when a is ⌈n/2⌉ or ⌊n/2⌋. The paper's
// expression sums i to ⌊n/2⌋ on both sides, and has a further term for odd n:
// n + 2 terms where there are n points. It holds, but says more than it need;
// this is the same argument with its n terms.
double Ordered(const Kernel& kernel, const Matrix& Z) {
  RequireInput(Z.cols() == 1 && kernel.Shape().decreasing,
               "the bound 'ordered' (equation 7) needs one input and a kernel "
               "that decreases with the distance, such as eq or matern32");
  const double distance = SmallestDistance(Z, 1);
  const Index n = Z.rows();
  double sum = 0;
  for (Index i = 0; 2 * i < n; ++i) {
    const double k = AtDifference(
        kernel, Vector{{i == 0 ? 0 : static_cast<double>(i) * distance}});
    sum += (2 * i + 1 < n ? 2 : 1) * k * k;
  }
  return sum;
}

// (8). Of points no nearer to one another than d, at most one is nearer to x
// than d/2. Distances are those of r.
double Separated(const Kernel& kernel, const Matrix& Z) {
  const std::optional<PerInput> radial = kernel.Shape().radial;
  RequireInput(radial.has_value(),
               "the bound 'separated' (equation 8) needs a single kernel of "
               "the distance, such as eq or matern32");
  const double largest = AtDifference(kernel, Vector::Zero(Z.cols()));
  if (Z.rows() == 1) return largest * largest;
  Vector difference = Vector::Zero(Z.cols());
  difference(0) = SmallestDistance(Z, *radial) / 2 * (*radial)[0];
  const double others = AtDifference(kernel, difference);
  return largest * largest +
         static_cast<double>(Z.rows() - 1) * others * others;
}

// The different values of each input, if the points are all their
// combinations.
std::vector<Vector> GridAxes(const Matrix& Z) {
  std::vector<Vector> axes;
  Index combinations = 1;
  for (Index d = 0; d < Z.cols(); ++d) {
    const std::set<double> values(Z.col(d).begin(), Z.col(d).end());
    axes.emplace_back(static_cast<Index>(values.size()));
    std::copy(values.begin(), values.end(), axes.back().begin());
    combinations *= axes.back().size();
    if (combinations > Z.rows()) return {};
  }
  // Points do not coincide, so as many of them are all of them.
  return combinations == Z.rows() ? axes : std::vector<Vector>{};
}

// (9). For a product kernel on a grid the sum over points is a product of sums
// over the values of one input, each of which is largest by itself:
//   Σ_j k(x, z_j)² = k(0)² Π_d Σ_a (k_d(x_d, a)/k(0))²,
// k_d being k with all other inputs equal.
double Certified(const Kernel& kernel, const Matrix& Z, const Vector& lower,
                 const Vector& upper) {
  const KernelShape shape = kernel.Shape();
  RequireInput(shape.decreasing,
               "the bound 'certified' needs a kernel that decreases with the "
               "distance in every input, such as eq, matern32 or bias");
  const std::vector<Vector> axes =
      shape.product ? GridAxes(Z) : std::vector<Vector>{};
  if (axes.empty()) return LargestSquaredNorm(kernel, Z, lower, upper);
  const double at_zero = AtDifference(kernel, Vector::Zero(Z.cols()));
  double product = at_zero * at_zero;
  for (Index d = 0; d < Z.cols(); ++d) {
    const Vector& axis = axes[static_cast<size_t>(d)];
    Matrix points = Matrix::Zero(axis.size(), Z.cols());
    points.col(d) = axis;
    Vector low = Vector::Zero(Z.cols());
    Vector high = low;
    low(d) = lower(d);
    high(d) = upper(d);
    product *=
        LargestSquaredNorm(kernel, points, low, high) / (at_zero * at_zero);
  }
  return product;
}

double SquaredNorm(const Kernel& kernel, const Matrix& Z, const Vector& lower,
                   const Vector& upper, NormBound bound) {
  switch (bound) {
    case NormBound::kTightest: {
      const KernelShape shape = kernel.Shape();
      double least = Trivial(kernel, Z);
      if (shape.radial) least = std::min(least, Separated(kernel, Z));
      if (!shape.decreasing) return least;
      if (Z.cols() == 1) least = std::min(least, Ordered(kernel, Z));
      return std::min(least, Certified(kernel, Z, lower, upper));
    }
    case NormBound::kTrivial:
      return Trivial(kernel, Z);
    case NormBound::kOrdered:
      return Ordered(kernel, Z);
    case NormBound::kSeparated:
      return Separated(kernel, Z);
    case NormBound::kCertified:
      return Certified(kernel, Z, lower, upper);
  }
  throw Error("an unknown bound");
}

}  // namespace

double LargestSquaredNorm(const Kernel& kernel, const Matrix& Z,
                          const Vector& lower, const Vector& upper) {
  // An input that does not vary is never the widest.
  const Vector widths =
      (upper - lower).unaryExpr([](double w) { return w > 0 ? w : 1; });
  return SumSearch(kernel, Z, widths).Run({lower, upper});
}

std::string NameOf(NormBound bound) {
  for (const auto& [known, name] : kNames) {
    if (known == bound) return name;
  }
  throw Error("an unknown bound");
}

NormBound NormBoundNamed(const std::string& name) {
  for (const auto& [bound, known] : kNames) {
    if (name == known) return bound;
  }
  throw InvalidInput(
      Text("the bound of the norm must be tightest, trivial, ordered, "
           "separated or certified, but is '",
           name, "'"));
}

double FeatureNorm(const Kernel& kernel, const Matrix& Z, const Vector& lower,
                   const Vector& upper, NormBound bound) {
  RequireInput(Z.rows() >= 1 && Z.allFinite() && Z.cols() == lower.size() &&
                   Z.cols() == upper.size(),
               "inducing points must be finite and have one number for "
               "each of the ",
               lower.size(), " inputs");
  kernel.CheckInputs(Z.cols());
  LargestCovariance(kernel);
  RequireInput(
      Z.rows() == 1 || SmallestDistance(Z, 1) > 0,
      "two inducing points coincide: what one says, the other says again, and "
      "noise is added for both; place them apart");
  return std::sqrt(SquaredNorm(kernel, Z, lower, upper, bound)) * kRounding;
}

}  // namespace cloak
