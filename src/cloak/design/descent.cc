#include "cloak/design/descent.h"

#include <cmath>
#include <utility>
#include <vector>

namespace cloak {
namespace {

using Single = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>;

// Columns that are in the cache together, for all that is remembered.
constexpr Index kDescentBlock = 64;

// The last steps s_i, along which the gradient changed by y_i. A direction is
// a linear combination of them and of the gradient, so the two loops of
// algorithm 7.4 are run on its coefficients: what is large is read twice an
// iteration, once for inner products and once to combine.
class Memory {
 public:
  Memory(int most, const Threads& threads) : most_(most), threads_(threads) {}

  bool empty() const { return vectors_.empty(); }
  void Forget() {
    vectors_.clear();
    products_.resize(0, 0);
  }

  void Remember(const Matrix& from, const Matrix& to,
                const Matrix& gradient_from, const Matrix& gradient_to) {
    if (static_cast<int>(vectors_.size()) == 2 * most_) {
      vectors_.erase(vectors_.begin(), vectors_.begin() + 2);
      const Index rest = products_.rows() - 2;
      products_ = Matrix(products_.bottomRightCorner(rest, rest));
    }
    vectors_.push_back(Difference(to, from));
    vectors_.push_back(Difference(gradient_to, gradient_from));
    const Index k = static_cast<Index>(vectors_.size());
    Matrix products = Matrix::Zero(k, k);
    products.topLeftCorner(k - 2, k - 2) = products_;
    products.rightCols(2) = ProductsWith(
        [&](Index j, Index begin, Index width) {
          return vectors_[static_cast<size_t>(k - 2 + j)]
              .middleCols(begin, width)
              .cast<double>();
        },
        2);
    products.bottomRows(2) = products.rightCols(2).transpose().eval();
    products_ = std::move(products);
    // Without positive curvature it says nothing that a descent could use.
    if (!(products_(k - 2, k - 1) > 0)) {
      vectors_.resize(vectors_.size() - 2);
      products_ = Matrix(products_.topLeftCorner(k - 2, k - 2));
    }
  }

  // −(inverse Hessian) · gradient.
  Matrix Direction(const Matrix& gradient) const {
    const Index k = static_cast<Index>(vectors_.size());
    const Vector with_gradient = ProductsWith(
        [&](Index, Index begin, Index width) {
          return gradient.middleCols(begin, width);
        },
        1);
    Vector own = Vector::Zero(k);  // coefficients of vectors_
    double of_gradient = -1;
    const auto along = [&](Index i) {
      return products_.col(i).dot(own) + of_gradient * with_gradient(i);
    };
    Vector removed(k / 2);
    for (Index i = k - 2; i >= 0; i -= 2) {
      removed(i / 2) = along(i) / products_(i, i + 1);
      own(i + 1) -= removed(i / 2);
    }
    if (k > 0) {
      const double scale = products_(k - 2, k - 1) / products_(k - 1, k - 1);
      own *= scale;
      of_gradient *= scale;
    }
    for (Index i = 0; i < k; i += 2) {
      own(i) += removed(i / 2) - along(i + 1) / products_(i, i + 1);
    }
    return Combine(own, of_gradient, gradient);
  }

 private:
  Single Difference(const Matrix& a, const Matrix& b) const {
    Single difference(a.rows(), a.cols());
    threads_.ForBlocks(a.cols(), kDescentBlock, [&](Index begin, Index end) {
      const Index width = end - begin;
      difference.middleCols(begin, width) =
          (a.middleCols(begin, width) - b.middleCols(begin, width))
              .cast<float>();
    });
    return difference;
  }

  // Inner products of all that is remembered with `count` others, a block of
  // columns at a time.
  template <typename Others>
  Matrix ProductsWith(const Others& others, Index count) const {
    const Index k = static_cast<Index>(vectors_.size());
    if (k == 0) return Matrix(0, count);
    const Index columns = vectors_[0].cols();
    std::vector<Matrix> partial((columns + kDescentBlock - 1) / kDescentBlock);
    threads_.ForBlocks(columns, kDescentBlock, [&](Index begin, Index end) {
      const Index width = end - begin;
      Matrix& part = partial[begin / kDescentBlock];
      part.resize(k, count);
      for (Index j = 0; j < count; ++j) {
        const Matrix other = others(j, begin, width);
        for (Index i = 0; i < k; ++i) {
          part(i, j) = vectors_[static_cast<size_t>(i)]
                           .middleCols(begin, width)
                           .cast<double>()
                           .cwiseProduct(other)
                           .sum();
        }
      }
    });
    Matrix sum = Matrix::Zero(k, count);
    for (const Matrix& part : partial) sum += part;
    return sum;
  }

  Matrix Combine(const Vector& own, double of_gradient,
                 const Matrix& gradient) const {
    Matrix sum(gradient.rows(), gradient.cols());
    threads_.ForBlocks(
        gradient.cols(), kDescentBlock, [&](Index begin, Index end) {
          const Index width = end - begin;
          auto block = sum.middleCols(begin, width);
          block = of_gradient * gradient.middleCols(begin, width);
          for (Index i = 0; i < own.size(); ++i) {
            block += own(i) * vectors_[static_cast<size_t>(i)]
                                  .middleCols(begin, width)
                                  .cast<double>();
          }
        });
    return sum;
  }

  int most_;
  Threads threads_;
  std::vector<Single> vectors_;  // s_0, y_0, s_1, y_1, …
  Matrix products_;              // of each with each
};

double Dot(const Matrix& a, const Matrix& b, const Threads& threads) {
  std::vector<double> partial((a.cols() + kDescentBlock - 1) / kDescentBlock);
  threads.ForBlocks(a.cols(), kDescentBlock, [&](Index begin, Index end) {
    const Index width = end - begin;
    partial[begin / kDescentBlock] =
        a.middleCols(begin, width)
            .cwiseProduct(b.middleCols(begin, width))
            .sum();
  });
  double sum = 0;
  for (const double part : partial) sum += part;
  return sum;
}

// R + step · direction.
Matrix Moved(const Matrix& R, double step, const Matrix& direction,
             const Threads& threads) {
  Matrix moved(R.rows(), R.cols());
  threads.ForBlocks(R.cols(), kDescentBlock, [&](Index begin, Index end) {
    const Index width = end - begin;
    moved.middleCols(begin, width) =
        R.middleCols(begin, width) + step * direction.middleCols(begin, width);
  });
  return moved;
}

}  // namespace

int Descend(const NormalizedFunction& function, Matrix& R,
            const Threads& threads, const DescentOptions& options) {
  constexpr double kSufficient = 1e-4;
  constexpr double kSmallestStep = 1e-10;
  Matrix gradient;
  std::vector<double> values = {function.evaluate(R, gradient)};
  Memory memory(options.memory, threads);
  int iteration = 0;
  while (iteration < options.max_iterations) {
    const Matrix direction = memory.Direction(gradient);
    const double slope = Dot(direction, gradient, threads);
    if (!(slope < 0)) {
      if (memory.empty()) break;
      memory.Forget();
      continue;
    }
    // Without curvature, a step that turns the columns a little.
    double step = 1;
    if (memory.empty()) {
      step = 0.1 * R.norm() / std::sqrt(Dot(gradient, gradient, threads));
    }
    Matrix next;
    Matrix next_gradient;
    double value = 0;
    for (; step > kSmallestStep; step /= 2) {
      next = Moved(R, step, direction, threads);
      function.normalize(next);
      value = function.evaluate(next, next_gradient);
      if (value <= values.back() + kSufficient * step * slope) break;
    }
    if (!(step > kSmallestStep)) {
      if (memory.empty()) break;
      memory.Forget();
      continue;
    }
    memory.Remember(R, next, gradient, next_gradient);
    R = std::move(next);
    gradient = std::move(next_gradient);
    values.push_back(value);
    options.report(++iteration);
    if (iteration >= options.window &&
        values[iteration - options.window] - value < options.least_decrease) {
      break;
    }
  }
  return iteration;
}

}  // namespace cloak
