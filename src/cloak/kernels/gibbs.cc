#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/kernels/distance.h"
#include "cloak/kernels/node.h"
#include "cloak/kernels/parameter.h"
#include "cloak/kernels/vector_exp.h"

namespace cloak {
namespace {

// What a row costs grows with the numbers in `centres`, whoever wrote them.
constexpr size_t kMostCentreNumbers = 2000;

// r is kept where no square of it, nor a quotient by one, leaves the doubles.
constexpr double kLeastRadius = 1e-150;
constexpr double kLargestRadius = 1e150;

PerInput Times(const PerInput& values, double factor) {
  std::vector<double> products;
  for (const double value : values.values()) products.push_back(value * factor);
  return values.shared() ? PerInput(products[0]) : PerInput(products);
}

// See Kernel::Gibbs. The trait of a row is r(x).
class Gibbs final : public KernelNode {
 public:
  explicit Gibbs(const GibbsArguments& a) : a_(a) {
    CheckPositive(a.variance, "variance of gibbs");
    CheckPositive(a.longest, "longest of gibbs");
    CheckPositive(a.count, "count of gibbs");
    CheckPositive(a.bandwidth, "bandwidth of gibbs");
    CheckPositive(a.scale, "scale of gibbs");
    CheckPositive(Times(a.scale, a.bandwidth),
                  "scale times bandwidth of gibbs");
    CheckPositive(a.weights, "weights of gibbs");
    RequireInput(a.neighbourhood >= 0 && std::isfinite(a.neighbourhood),
                 "neighbourhood of gibbs must be finite and not negative, "
                 "but is ",
                 a.neighbourhood);
    RequireInput(!a.centres.empty() && a.centres.size() <= kMostCentreNumbers &&
                     std::ranges::all_of(
                         a.centres, [](double c) { return std::isfinite(c); }),
                 "centres of gibbs must be a list of 1 to ", kMostCentreNumbers,
                 " finite numbers, one for each input of each centre, but has ",
                 a.centres.size());
    inverse_scale_ = Inverses(a.scale);
    inverse_width_ = Inverses(Times(a.scale, a.bandwidth));
  }

  std::string ToString() const override {
    return Text("gibbs(variance=", a_.variance, ", longest=", a_.longest,
                ", count=", a_.count, ", bandwidth=", a_.bandwidth,
                ", neighbourhood=", a_.neighbourhood,
                ", scale=", cloak::ToString(a_.scale),
                ", centres=", cloak::ToString(PerInput(a_.centres)),
                ", weights=", cloak::ToString(a_.weights), ")");
  }

  void CheckInputs(Index dimension) const override {
    CheckLength(a_.scale, dimension, "scale of gibbs");
    const auto numbers = static_cast<Index>(a_.centres.size());
    RequireInput(dimension > 0 && numbers % dimension == 0,
                 "centres of gibbs must have one number for each of the ",
                 dimension, " inputs of every centre, but has ", numbers);
    const auto weights = static_cast<Index>(a_.weights.values().size());
    RequireInput(a_.weights.shared() || weights * dimension == numbers,
                 "weights of gibbs must be one number or a list with one "
                 "for each of the ",
                 numbers / dimension, " centres, but has ", weights);
  }

  std::vector<KernelParameter> Parameters() const override {
    return {{"variance", a_.variance},
            {"longest", a_.longest},
            {"count", a_.count}};
  }
  Index ParameterCount() const override { return 3; }
  NodePointer WithParameters(std::span<const double> values) const override {
    GibbsArguments changed = a_;
    changed.variance = values[0];
    changed.longest = values[1];
    changed.count = values[2];
    return std::make_shared<Gibbs>(changed);
  }

  Index TraitCount() const override { return 1; }

  // With S = Σ_c w_c exp(−|u − c|²/(2 b²)), the density is
  // ρ = S/(√(2π) b)^D, whose D-th root is taken of S alone.
  void ComputeTraits(const Matrix& X,
                     Eigen::Ref<Matrix> traits) const override {
    Vector smallest = DensitySums(X);
    for (Index j = 0; a_.neighbourhood > 0 && j < X.cols(); ++j) {
      for (const double step : {-1.0, -0.5, 0.5, 1.0}) {
        Matrix moved = X;
        moved.col(j).array() += step * a_.neighbourhood * a_.scale[j];
        smallest = smallest.cwiseMin(DensitySums(moved));
      }
    }
    const double width = std::sqrt(2 * std::numbers::pi) * a_.bandwidth;
    for (Index i = 0; i < X.rows(); ++i) {
      const double root =
          std::pow(smallest(i) / a_.count, 1 / static_cast<double>(X.cols()));
      traits(i, 0) = std::clamp(1 / (1 / a_.longest + root / width),
                                kLeastRadius, kLargestRadius);
    }
  }

  Index ScratchTiles() const override { return 2; }

  void Evaluate(const Tile& tile, double* k, double* scratch) const override {
    Unscaled(tile, a_.variance, k, scratch);
  }

  // With a = r²/(r² + r'²), t = |u − u'|²/(r² + r'²),
  //   r ∂log k/∂r = (D/2)(1 − 2a) + 2 a t,
  // and the same for r' with 1 − a. As r = 1/(1/m + p), p = (ρ/n)^(1/D),
  //   ∂r/∂m = r²/m²,  ∂r/∂n = r² p/(D n),  p = 1/r − 1/m.
  void AddGradient(const Tile& tile, const double* weights, double* gradient,
                   double* scratch) const override {
    double* k = scratch;
    Unscaled(tile, 1, k, scratch + Tile::kMaxSize);
    gradient[0] += Dot(weights, k, tile.size());
    double* t = scratch + Tile::kMaxSize;
    SquaredDistances(tile, inverse_scale_, t);
    const double half_inputs = 0.5 * static_cast<double>(tile.inputs);
    for (Index j = 0; j < tile.columns; ++j) {
      for (Index i = 0; i < tile.rows; ++i) {
        const Index entry = j * tile.rows + i;
        const double weighted = weights[entry] * a_.variance * k[entry];
        if (weighted == 0) continue;  // where t may be infinite
        const double r = tile.x_traits[i];
        const double s = tile.y_traits[j];
        const double both = r * r + s * s;
        const double scaled = t[entry] / both;
        for (const double radius : {r, s}) {
          const double share = radius * radius / both;
          const double slope =
              weighted * (half_inputs * (1 - 2 * share) + 2 * share * scaled);
          const double rest = std::max(0.0, 1 - radius / a_.longest);  // p r
          gradient[1] += slope * (radius / a_.longest) / a_.longest;
          gradient[2] += slope * rest / (2 * half_inputs) / a_.count;
        }
      }
    }
  }

  Vector Variances(const Matrix& X) const override {
    return Vector::Constant(X.rows(), a_.variance);
  }
  double VarianceBound() const override { return a_.variance; }
  double VarianceBound(const Vector&, const Vector&) const override {
    return a_.variance;
  }

 private:
  Vector DensitySums(const Matrix& X) const {
    const Index inputs = X.cols();
    const Index centres = static_cast<Index>(a_.centres.size()) / inputs;
    // Column by column, as a tile has its columns.
    const Matrix C =
        Eigen::Map<const Matrix>(a_.centres.data(), inputs, centres)
            .transpose();
    const Index block = std::max<Index>(1, Tile::kMaxSize / centres);
    std::vector<double> values(static_cast<size_t>(block * centres));
    Vector sums = Vector::Zero(X.rows());
    for (Index begin = 0; begin < X.rows(); begin += block) {
      const Tile tile{.x = X.data() + begin,
                      .y = C.data(),
                      .x_stride = X.rows(),
                      .y_stride = centres,
                      .rows = std::min(block, X.rows() - begin),
                      .columns = centres,
                      .inputs = inputs};
      SquaredDistances(tile, inverse_width_, values.data());
      ScaledExpInPlace(values.data(), tile.size(), -0.5, 1);
      for (Index c = 0; c < centres; ++c) {
        for (Index i = 0; i < tile.rows; ++i) {
          sums(begin + i) +=
              a_.weights[c] * values[static_cast<size_t>(c * tile.rows + i)];
        }
      }
    }
    return sums;
  }

  // k = factor · […]^(D/2) exp(−…), with one tile of scratch. Both fractions
  // are the same bits when the rows change places, and the first is exactly 1
  // where r = r'.
  void Unscaled(const Tile& tile, double factor, double* k,
                double* scratch) const {
    SquaredDistances(tile, inverse_scale_, k);
    const double power = 0.5 * static_cast<double>(tile.inputs);
    for (Index j = 0; j < tile.columns; ++j) {
      const double s = tile.y_traits[j];
      for (Index i = 0; i < tile.rows; ++i) {
        const Index entry = j * tile.rows + i;
        const double r = tile.x_traits[i];
        const double both = r * r + s * s;
        k[entry] = std::min(k[entry] / both, 1e300);
        const double ratio = 2 * (r * s) / both;
        scratch[entry] = ratio == 1 ? 1 : std::pow(ratio, power);
      }
    }
    ScaledExpInPlace(k, tile.size(), -1, factor);
    for (Index i = 0; i < tile.size(); ++i) k[i] *= scratch[i];
  }

  GibbsArguments a_;
  std::vector<double> inverse_scale_;
  std::vector<double> inverse_width_;
};

}  // namespace

NodePointer MakeGibbs(const GibbsArguments& arguments) {
  return std::make_shared<Gibbs>(arguments);
}

}  // namespace cloak
