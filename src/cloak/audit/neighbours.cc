#include "cloak/audit/neighbours.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/signed_sum.h"

namespace cloak {
namespace {

using Weights = Eigen::Matrix<int64_t, Eigen::Dynamic, Eigen::Dynamic>;
using Sum = Eigen::Matrix<int64_t, Eigen::Dynamic, 1>;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr auto kFarthest = ~Uint128{0};

// P, from R = P 2^(e-a) and unit = d 2^(e-a-b), with a column for each output:
// that of its site.
Weights WeightsOf(const GaussianMechanism& mechanism) {
  int unit_exponent = 0;
  int width_exponent = 0;
  const double unit = std::frexp(mechanism.noise().step(), &unit_exponent);
  const double width = std::frexp(mechanism.bounds().width(), &width_exponent);
  RequirePrivacy(unit == width,
                 "the unit of the statistic is not the width of the bounds "
                 "times a power of two, so that it is not on a grid of exact "
                 "integers");
  const int exponent =
      unit_exponent - width_exponent + GaussianMechanism::kOutputBits;
  const Weights of_sites = mechanism.R().unaryExpr([=](double weight) {
    const double integer = std::ldexp(weight, -exponent);
    RequirePrivacy(
        std::abs(integer) <= 0x1p31 && std::trunc(integer) == integer,
        "a weight of the statistic is not a whole number of units");
    return static_cast<int64_t>(integer);
  });
  const RowSites& sites = mechanism.sites();
  Weights of_rows(of_sites.rows(), sites.rows());
  for (Index i = 0; i < sites.rows(); ++i) {
    of_rows.col(i) = of_sites.col(sites.Of(i));
  }
  return of_rows;
}

// W, from squares_step = 1/(W Q).
Int128 SquareFactor(const GaussianMechanism& mechanism) {
  if (!mechanism.with_squares()) return 0;
  return static_cast<Int128>(std::round(
      1 / (mechanism.squares_step() * static_cast<double>(kHalfOutput))));
}

Uint128 SquaredLength(const Sum& sum) {
  Uint128 squared = 0;
  for (const int64_t entry : sum) {
    const auto size = static_cast<Uint128>(entry < 0 ? -entry : entry);
    squared = CheckedAdd(squared, CheckedMultiply(size, size));
  }
  return squared;
}

struct Move {
  Uint128 squared = 0;  // |sum of signs times columns|^2
  Vector signs;         // +-1, one for each row of the unit
};

// Every choice of signs (up to a common one), changing one at a time.
Move TryAllSigns(const Weights& columns) {
  const Index size = columns.cols();
  Vector signs = Vector::Ones(size);
  Sum sum = columns.rowwise().sum();
  Move best{SquaredLength(sum), signs};
  for (uint64_t step = 1; step < uint64_t{1} << (size - 1); ++step) {
    const auto i = static_cast<Index>(std::countr_zero(step));
    sum -= 2 * static_cast<int64_t>(signs(i)) * columns.col(i);
    signs(i) = -signs(i);
    const Uint128 squared = SquaredLength(sum);
    if (squared > best.squared) best = {squared, signs};
  }
  return best;
}

// A search in floating point proposes the signs; their length is exact.
Move SearchSigns(const Weights& columns) {
  constexpr Index kTried = 8;
  Move best;
  for (Vector& signs : LongSignedSums(columns.cast<double>(), kTried)) {
    const Uint128 squared =
        SquaredLength(columns * signs.cast<int64_t>().eval());
    if (squared > best.squared) best = {squared, std::move(signs)};
  }
  return best;
}

// How many of Q an output counts for: -1, 0 or 1. The mechanism rounds levels
// to whole parts of Q, so it takes one that is off by less than half of that
// for the same. (Windows are rounded as files hold them, and may reach beyond
// the bounds by a billionth.)
int LevelOf(double output, double centre, double half_width) {
  if (std::isnan(output)) return 0;
  constexpr double kRounding = 0.25 / static_cast<double>(kHalfOutput);
  const double level = (output - centre) / half_width;
  if (level >= 1 - kRounding) return 1;
  if (level <= kRounding - 1) return -1;
  RequireInput(
      std::abs(level) <= kRounding,
      "an audit needs every output at a bound, in the middle or missing");
  return 0;
}

// The unit that `size` finds farthest, and the signs of its rows.
struct FarthestUnit {
  Index unit = 0;
  Move move;
};
template <typename Size>
FarthestUnit FindFarthest(const Weights& P, const PrivacyUnits& units,
                          const Size& size) {
  FarthestUnit found;
  Uint128 farthest = 0;
  for (Index unit = 0; unit < units.count(); ++unit) {
    const auto rows = units.Rows(unit);
    Weights columns(P.rows(), static_cast<Index>(rows.size()));
    for (size_t i = 0; i < rows.size(); ++i) {
      columns.col(static_cast<Index>(i)) = P.col(rows[i]);
    }
    Move move = columns.cols() <= kEnumeratedRows ? TryAllSigns(columns)
                                                  : SearchSigns(columns);
    const Uint128 distance = size(move.squared, columns.cols());
    if (distance > farthest) {
      farthest = distance;
      found = {unit, std::move(move)};
    }
  }
  RequirePrivacy(found.move.squared > 0,
                 "no output moves the statistic: there is nothing to audit");
  return found;
}

NeighbouringTables WithNumbers(const ObservedOutputs& release, Index unit,
                               Vector outputs, Vector other) {
  NeighbouringTables found;
  found.unit = unit;
  found.statistic = ExactNumbers(release, outputs);
  found.other_statistic = ExactNumbers(release, other);
  found.table.outputs = std::move(outputs);
  found.other.outputs = std::move(other);
  found.distance_squared =
      DistanceSquared(found.statistic, found.other_statistic);
  return found;
}

NeighbouringTables AcrossBounds(const ObservedOutputs& release,
                                const Weights& P, const PrivacyUnits& units) {
  const OutputBounds& bounds = release.mechanism->bounds();
  const FarthestUnit farthest = FindFarthest(
      P, units, [](Uint128 squared, Index /*rows*/) { return squared; });
  Vector outputs = Vector::Constant(P.cols(), bounds.lower());
  Vector other = outputs;
  const auto rows = units.Rows(farthest.unit);
  for (size_t i = 0; i < rows.size(); ++i) {
    Vector& higher =
        farthest.move.signs(static_cast<Index>(i)) > 0 ? other : outputs;
    higher(rows[i]) = bounds.upper();
  }
  return WithNumbers(release, farthest.unit, std::move(outputs),
                     std::move(other));
}

// The sums move by |sum of s_i P_i| Q, the squares by W Q for each row, and the
// number of outputs that are there by the weight of each.
NeighbouringTables GoneMissing(const ObservedOutputs& release, const Weights& P,
                               const PrivacyUnits& units) {
  const OutputBounds& bounds = release.mechanism->bounds();
  const Int128 factor = SquareFactor(*release.mechanism);
  const FarthestUnit farthest =
      FindFarthest(P, units, [factor](Uint128 squared, Index rows) {
        const Int128 squares = CheckedMultiply(factor, Int128{rows});
        const Uint128 moved = DistanceSquared({0}, {squares});
        return moved > kFarthest - squared ? kFarthest : moved + squared;
      });
  Vector outputs = Vector::Constant(P.cols(), bounds.lower());
  Vector other = outputs;
  const auto rows = units.Rows(farthest.unit);
  for (size_t i = 0; i < rows.size(); ++i) {
    outputs(rows[i]) = farthest.move.signs(static_cast<Index>(i)) > 0
                           ? bounds.upper()
                           : bounds.lower();
    other(rows[i]) = kMissing;
  }
  return WithNumbers(release, farthest.unit, std::move(outputs),
                     std::move(other));
}

}  // namespace

Uint128 DistanceSquared(const std::vector<Int128>& a,
                        const std::vector<Int128>& b) {
  Uint128 squared = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    const Int128 move = CheckedAdd(b[k], -a[k]);
    const auto size = static_cast<Uint128>(move < 0 ? -move : move);
    Uint128 term = 0;
    if (__builtin_mul_overflow(size, size, &term) ||
        __builtin_add_overflow(squared, term, &squared)) {
      return kFarthest;
    }
  }
  return squared;
}

ObservedOutputs WithinItsBounds(const GaussianMechanism& mechanism) {
  const Index rows = mechanism.sites().rows();
  ObservedOutputs release;
  release.mechanism = &mechanism;
  release.centre = Vector::Constant(rows, mechanism.bounds().middle());
  release.half_width = Vector::Constant(rows, mechanism.bounds().width() / 2);
  return release;
}

std::vector<Int128> ExactNumbers(const ObservedOutputs& release,
                                 const Vector& outputs) {
  const Weights P = WeightsOf(*release.mechanism);
  RequireInput(outputs.size() == P.cols(), "the statistic is of ", P.cols(),
               " outputs, but there are ", outputs.size());
  Sum levels(P.cols());
  for (Index i = 0; i < P.cols(); ++i) {
    levels(i) = LevelOf(outputs(i), release.centre(i), release.half_width(i));
  }
  std::vector<Int128> numbers;
  for (Index k = 0; k < P.rows(); ++k) {
    Int128 sum = 0;
    for (Index i = 0; i < P.cols(); ++i) sum += Int128{P(k, i)} * levels(i);
    numbers.push_back(CheckedMultiply(sum, Int128{kHalfOutput}));
  }
  if (release.mechanism->with_squares()) {
    const int64_t at_bounds = levels.cwiseAbs().sum();
    numbers.push_back(CheckedMultiply(SquareFactor(*release.mechanism),
                                      Int128{at_bounds} * kHalfOutput));
  }
  Int128 present = 0;
  for (Index i = 0; i < P.cols(); ++i) {
    if (std::isnan(outputs(i))) continue;
    present += release.mechanism->present_weights()[static_cast<size_t>(
        release.mechanism->sites().Of(i))];
  }
  numbers.push_back(present);
  return numbers;
}

std::vector<NeighbouringTables> OutputNeighbours(const ObservedOutputs& release,
                                                 const PrivacyUnits& units) {
  const Weights P = WeightsOf(*release.mechanism);
  RequireInput(units.rows() == P.cols(), "the statistic is of ", P.cols(),
               " outputs, but the units are of ", units.rows());
  return {AcrossBounds(release, P, units), GoneMissing(release, P, units)};
}

NeighbouringTables FarthestNeighbours(const GaussianMechanism& mechanism,
                                      const PrivacyUnits& units) {
  return OutputNeighbours(WithinItsBounds(mechanism), units).front();
}

}  // namespace cloak
