#include "cloak/models/rows/largest_sum.h"

#include <algorithm>
#include <queue>
#include <vector>

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

}  // namespace

double LargestSquaredNorm(const Kernel& kernel, const Matrix& Z,
                          const Vector& lower, const Vector& upper) {
  // An input that does not vary is never the widest.
  const Vector widths =
      (upper - lower).unaryExpr([](double w) { return w > 0 ? w : 1; });
  return SumSearch(kernel, Z, widths).Run({lower, upper});
}

}  // namespace cloak
