#include "cloak/kernels/box_term.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr size_t kMostTerms = 1000;

// An interval at most this wide, in lengthscales, is averaged over by
// Gauss-Legendre quadrature with 8 nodes. Its error is at most
//   w^16 (8!)^4/(17 (16!)^3) max|f⁽¹⁶⁾| < 1e-16 for f = exp(−z²/2), w = 1,
// while the closed form divides rounding errors by the width.
constexpr double kNarrow = 1;

struct Node {
  double position;  // in [0, 1]
  double weight;    // they sum to 1
};

// Abramowitz and Stegun 1964, table 25.4, moved from [−1, 1] to [0, 1].
constexpr std::array<Node, 8> kNodes = [] {
  constexpr std::array<double, 4> kAbscissae = {
      0.183434642495649804939476142360, 0.525532409916328985817739049189,
      0.796666477413626739591553936476, 0.960289856497536231683560868569};
  constexpr std::array<double, 4> kWeights = {
      0.362683783378361982965150449277, 0.313706645877887287337962201987,
      0.222381034453374470544355994426, 0.101228536290376259152531354310};
  std::array<Node, 8> nodes{};
  for (size_t i = 0; i < 4; ++i) {
    nodes[2 * i] = {(1 - kAbscissae[i]) / 2, kWeights[i] / 2};
    nodes[2 * i + 1] = {(1 + kAbscissae[i]) / 2, kWeights[i] / 2};
  }
  return nodes;
}();

// The mean of f over [0, width], width ≤ kNarrow.
template <typename Function>
double NarrowMean(double width, const Function& f) {
  if (width == 0) return f(0.0);
  double mean = 0;
  for (const Node& node : kNodes) {
    mean += node.weight * f(node.position * width);
  }
  return mean;
}

// ∫ exp(−z²/2) dz over [a, b], a ≤ b, without cancellation in either tail.
double EqIntegral(double a, double b) {
  const double scale = std::sqrt(std::numbers::pi / 2);
  const double root = std::numbers::sqrt2;
  if (a > 0) return scale * (std::erfc(a / root) - std::erfc(b / root));
  if (b < 0) return scale * (std::erfc(-b / root) - std::erfc(-a / root));
  return scale * (std::erf(b / root) - std::erf(a / root));
}

// The mean of exp(−z²/2) over z in [a, a + width].
double PointMean(double a, double width) {
  if (width > kNarrow) return EqIntegral(a, a + width) / width;
  return NarrowMean(width,
                    [a](double t) { return std::exp(-(a + t) * (a + t) / 2); });
}

// The second antiderivative of exp(−z²/2) that vanishes at infinity:
//   T(z) = exp(−z²/2) − √(π/2) |z| erfc(|z|/√2),  0 < T ≤ T(0) = 1.
double Tail(double z) {
  const double size = std::abs(z);
  if (size > 40) return 0;
  return std::max(0.0, std::exp(-size * size / 2) -
                           std::sqrt(std::numbers::pi / 2) * size *
                               std::erfc(size / std::numbers::sqrt2));
}

}  // namespace

void CheckBoxTermCount(size_t count) {
  RequireInput(count <= kMostTerms,
               "means over boxes are for kernels that are a sum of at "
               "most ",
               kMostTerms, " products, but this one has ", count);
}

std::vector<BoxTerm> MultiplyBoxTerms(const std::vector<BoxTerm>& a,
                                      const std::vector<BoxTerm>& b) {
  CheckBoxTermCount(a.size() * b.size());
  const auto is_bias = [](const BoxTerm& term) {
    return term.slopes.size() == 0 && term.rates.isZero(0);
  };
  std::vector<BoxTerm> product;
  for (const BoxTerm& s : a) {
    for (const BoxTerm& t : b) {
      BoxTerm both{.factor = s.factor * t.factor};
      if (s.slopes.size() == 0 && t.slopes.size() == 0) {
        both.rates = s.rates.binaryExpr(
            t.rates, [](double p, double q) { return std::hypot(p, q); });
      } else {
        RequireInput(is_bias(s) || is_bias(t),
                     "a product of linear with linear or eq has no means over "
                     "boxes here; multiply linear by bias alone");
        both.slopes = s.slopes.size() > 0 ? s.slopes : t.slopes;
      }
      product.push_back(std::move(both));
    }
  }
  return product;
}

// Wide intervals [a, b] and [c, d]: −T(s − t) has the second derivative
// exp(−(s − t)²/2) but for a kink at s = t, so that
//   ∫∫ = √(2π) overlap + T(b − c) + T(a − d) − T(b − d) − T(a − c).
// Where the intervals are apart, the one T across the gap outweighs the others
// because both are wide; where they overlap, the first term is as large.
double MeanOfEq(double width, double offset, double other_width) {
  if (width > other_width) {
    return MeanOfEq(other_width, -offset, width);
  }
  const double gap = std::max(offset - width, -(offset + other_width));
  if (gap > 40) return 0;
  if (width <= kNarrow) {
    return NarrowMean(
        width, [=](double s) { return PointMean(offset - s, other_width); });
  }
  const double overlap = std::max(
      0.0, std::min(width, offset + other_width) - std::max(0.0, offset));
  const double integral = std::sqrt(2 * std::numbers::pi) * overlap +
                          (Tail(width - offset) + Tail(offset + other_width) -
                           Tail(width - offset - other_width) - Tail(offset));
  return std::max(0.0, integral / width / other_width);
}

}  // namespace cloak
