#include "cloak/design/interior_point.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/cholesky.h"

namespace cloak {
namespace {

// Points up to this many are all worked with at once.
constexpr Index kSmall = 400;
constexpr int kWarmUp = 20;
constexpr double kFarOutside = 2;
// Where there are more points than this, some show where to begin.
constexpr Index kMany = 50000;

// The largest step in [0, 1] that keeps x + step·dx positive, less a margin.
double StepToBoundary(const Vector& x, const Vector& dx) {
  double step = 1;
  for (Index i = 0; i < x.size(); ++i) {
    if (dx(i) < 0) step = std::min(step, -0.995 * x(i) / dx(i));
  }
  return step;
}

// Indices of the `count` largest values.
std::vector<Index> Largest(const Vector& values, Index count) {
  std::vector<Index> order(static_cast<size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto end = order.begin() + std::min(count, values.size());
  std::partial_sort(order.begin(), end, order.end(), [&](Index a, Index b) {
    return values(a) != values(b) ? values(a) > values(b) : a < b;
  });
  order.erase(end, order.end());
  return order;
}

// Indices of columns that span what all of them span: each is the farthest
// from the span of those before it.
std::vector<Index> Spanning(Matrix columns) {
  std::vector<Index> chosen;
  Vector left = columns.colwise().squaredNorm();
  const double enough = 1e-12 * left.maxCoeff();
  for (Index k = 0; k < std::min(columns.rows(), columns.cols()); ++k) {
    Index farthest = 0;
    if (!(left.maxCoeff(&farthest) > enough)) break;
    chosen.push_back(farthest);
    const Vector direction = columns.col(farthest).normalized();
    columns -= direction * (direction.transpose() * columns).eval();
    left = columns.colwise().squaredNorm();
  }
  return chosen;
}

class Solver {
 public:
  Solver(const DesignCriterion& criterion, const Matrix& points,
         const InteriorPointOptions& options, const MorePoints& more_points)
      : criterion_(criterion),
        points_(points),
        options_(options),
        more_points_(more_points) {}

  DesignWeights Solve() {
    Start();
    for (;;) {
      if (!Center()) break;
      Vector gradient = criterion_.Gradient(points_, support_, weights_);
      gap_ = criterion_.Gap(gradient.maxCoeff(), support_, weights_);
      if (gap_ <= options_.tolerance && !FindMorePoints(gradient)) break;
      AddViolators(std::move(gradient));
    }
    DesignWeights result;
    result.weights = Vector::Zero(points_.cols());
    for (size_t k = 0; k < working_.size(); ++k) {
      result.weights(working_[k]) = weights_(static_cast<Index>(k));
    }
    result.largest =
        criterion_.Gradient(points_, points_, result.weights).maxCoeff();
    result.gap = gap_;
    result.iterations = iterations_;
    result.points = std::move(points_);
    return result;
  }

 private:
  // A few multiplicative steps λ ← λ·∂ψ, on all points or on some of very
  // many, find roughly where the weight will be; the points with the largest
  // gradient are the first working set.
  void Start() {
    const Index n = points_.cols();
    const Index r = points_.rows();
    const Index stride = (n + kMany - 1) / kMany;
    Matrix some;
    if (stride > 1) {
      some = points_(Eigen::all, Eigen::seq(0, Eigen::last, stride));
    }
    const Matrix& first = stride > 1 ? some : points_;
    Vector weights =
        Vector::Constant(first.cols(), static_cast<double>(r) /
                                           static_cast<double>(first.cols()));
    for (int k = 0; k < kWarmUp; ++k) {
      weights =
          weights.cwiseProduct(criterion_.Gradient(first, first, weights));
    }
    const Vector gradient = criterion_.Gradient(points_, first, weights);
    batch_ = std::max(kSmall, std::min(4 * r, r * (r + 1) / 2));
    working_ = n <= kSmall ? Largest(gradient, n) : Largest(gradient, batch_);
    // The largest may all be alike, as where rows have the same inputs.
    std::vector<Index> spanning;
    for (const Index i : Spanning(criterion_.Whitened(first, first, weights))) {
      spanning.push_back(i * stride);
      if (std::find(working_.begin(), working_.end(), spanning.back()) ==
          working_.end()) {
        working_.push_back(spanning.back());
      }
    }
    weights_.resize(static_cast<Index>(working_.size()));
    for (size_t k = 0; k < working_.size(); ++k) {
      const Index i = working_[k];
      weights_(static_cast<Index>(k)) = std::max(
          i % stride == 0 ? weights(i / stride) : 0, 1e-3 * weights.mean());
      if (std::find(spanning.begin(), spanning.end(), i) != spanning.end()) {
        weights_(static_cast<Index>(k)) += 1 / static_cast<double>(r);
      }
    }
    // The points left out take their weight with them.
    weights_ *= weights.sum() / weights_.sum();
    slack_ = Vector::Constant(weights_.size(), 0.1);
    Gather();
  }

  void Gather() { support_ = points_(Eigen::all, working_); }

  // Newton steps on λ z = μ, z = 1 − ∂ψ/∂λ, with μ driven down until the
  // weights are certified to be the best for the working set. False when that
  // takes too long and the caller will find out how good they are.
  bool Center() {
    const auto count = static_cast<double>(weights_.size());
    for (;;) {
      const Vector gradient = criterion_.Gradient(support_, support_, weights_);
      gap_ = criterion_.Gap(gradient.maxCoeff(), support_, weights_);
      if (gap_ <= 0.5 * options_.tolerance) return true;
      if (++iterations_ > options_.max_iterations) {
        if (more_points_) return false;
        throw Error(Text("the noise design is not certified after ",
                         options_.max_iterations, " iterations: gap ", gap_,
                         ", wanted ", options_.tolerance));
      }
      const Vector violation = Vector::Ones(weights_.size()) - gradient;
      const double mu = kReduction * weights_.dot(slack_) / count;
      Matrix system = criterion_.Curvature(support_, weights_);
      system.diagonal() += slack_.cwiseQuotient(weights_);
      const Cholesky cholesky(std::move(system), Threads(1));
      if (cholesky.outcome() == Cholesky::kFailed) {
        throw Error("the noise design's Newton system: " + cholesky.message());
      }
      const Vector move =
          cholesky.Solve(mu * weights_.cwiseInverse() - violation);
      const Vector slack_move = (Vector::Constant(weights_.size(), mu) -
                                 slack_.cwiseProduct(weights_ + move))
                                    .cwiseQuotient(weights_);
      weights_ += StepToBoundary(weights_, move) * move;
      slack_ += StepToBoundary(slack_, slack_move) * slack_move;
    }
  }

  // Whether there are points besides those known that matter; they are known
  // then, with their gradients.
  bool FindMorePoints(Vector& gradient) {
    if (!more_points_ || rounds_ == kMostRounds) return false;
    ++rounds_;
    const Matrix found = more_points_(support_, weights_, gradient.maxCoeff());
    if (found.cols() == 0) return false;
    const Vector more = criterion_.Gradient(found, support_, weights_);
    if (criterion_.Gap(more.maxCoeff(), support_, weights_) <=
        options_.tolerance) {
      return false;
    }
    const Index old = points_.cols();
    points_.conservativeResize(Eigen::NoChange, old + found.cols());
    points_.rightCols(found.cols()) = found;
    gradient.conservativeResize(points_.cols());
    gradient.tail(found.cols()) = more;
    return true;
  }

  // Points outside the working set whose constraint is violated come in, the
  // worst first. There are some, or the gap would be that of the working set.
  void AddViolators(Vector gradient) {
    for (const Index i : working_) gradient(i) = 0;
    const double worst = gradient.maxCoeff();
    const double limit = 0.999 * worst;
    std::vector<Index> added;
    for (const Index i : Largest(gradient, batch_ / 4)) {
      if (gradient(i) > std::min(limit, 1.0)) added.push_back(i);
    }
    DropIdle();
    // Points far outside, which the first working set knew nothing of, need
    // weight at once: Newton steps from next to none would be many and short.
    const bool far = worst > kFarOutside;
    const double weight = (far ? 1 : 1e-3) * weights_.mean();
    const Index old = weights_.size();
    const auto size = old + static_cast<Index>(added.size());
    weights_.conservativeResize(size);
    slack_.conservativeResize(size);
    weights_.tail(size - old).setConstant(weight);
    slack_.tail(size - old).setConstant(0.1);
    working_.insert(working_.end(), added.begin(), added.end());
    // Back towards the centre, or the newcomers stay where they are.
    weights_ = weights_.cwiseMax(1e-6 * weights_.mean());
    slack_ = slack_.cwiseMax(far ? 0.1 : 1e-4);
    Gather();
    for (int k = 0; far && k < kWarmUp; ++k) {
      weights_ = weights_.cwiseProduct(
          criterion_.Gradient(support_, support_, weights_));
    }
  }

  // Points that carry no weight and are far from needing any leave.
  void DropIdle() {
    const double idle = 1e-6 * weights_.mean();
    size_t kept = 0;
    for (size_t k = 0; k < working_.size(); ++k) {
      const auto i = static_cast<Index>(k);
      if (weights_(i) < idle && slack_(i) > 0.01) continue;
      const auto to = static_cast<Index>(kept);
      working_[kept++] = working_[k];
      weights_(to) = weights_(i);
      slack_(to) = slack_(i);
    }
    working_.resize(kept);
    weights_.conservativeResize(static_cast<Index>(kept));
    slack_.conservativeResize(static_cast<Index>(kept));
  }

  static constexpr double kReduction = 0.1;
  static constexpr int kMostRounds = 60;

  const DesignCriterion& criterion_;
  Matrix points_;
  InteriorPointOptions options_;
  const MorePoints& more_points_;
  int rounds_ = 0;  // of asking for more points
  Index batch_ = 0;
  std::vector<Index> working_;
  Matrix support_;  // points_ at working_
  Vector weights_;  // λ, at working_
  Vector slack_;    // z
  double gap_ = 0;
  int iterations_ = 0;
};

}  // namespace

DesignWeights OptimizeWeights(const DesignCriterion& criterion,
                              const Matrix& points,
                              const InteriorPointOptions& options,
                              const MorePoints& more_points) {
  return Solver(criterion, points, options, more_points).Solve();
}

}  // namespace cloak
