// Covariances of the means of f over boxes.
#include <algorithm>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/kernels/box_term.h"
#include "cloak/kernels/kernel.h"
#include "cloak/kernels/node.h"

namespace cloak {
namespace {

constexpr Index kRows = 16;

void CheckBoxes(const Kernel& kernel, const Boxes& boxes, const char* name) {
  RequireInput(boxes.lower.rows() == boxes.upper.rows() &&
                   boxes.lower.cols() == boxes.upper.cols(),
               "the corners of ", name, " must fit together, but are ",
               boxes.lower.rows(), " x ", boxes.lower.cols(), " and ",
               boxes.upper.rows(), " x ", boxes.upper.cols());
  kernel.CheckInputs(boxes.lower.cols());
  RequireInput(boxes.lower.allFinite() && boxes.upper.allFinite() &&
                   (boxes.lower.array() <= boxes.upper.array()).all(),
               "the boxes ", name, " must be finite with lower at most upper");
}

// rate · difference, at most 1e300 either way, so that nothing overflows.
double Scaled(double rate, double difference) {
  return std::clamp(rate * difference, -1e300, 1e300);
}

double EqMean(const BoxTerm& term, const Boxes& A, Index i, const Boxes& B,
              Index j) {
  double product = term.factor;
  for (Index d = 0; d < term.rates.size(); ++d) {
    const double rate = term.rates(d);
    if (rate == 0) continue;
    product *= MeanOfEq(Scaled(rate, A.upper(i, d) - A.lower(i, d)),
                        Scaled(rate, B.lower(j, d) - A.lower(i, d)),
                        Scaled(rate, B.upper(j, d) - B.lower(j, d)));
  }
  return product;
}

// The mean of x_d over a box is its middle.
double LinearMean(const BoxTerm& term, const Boxes& A, Index i, const Boxes& B,
                  Index j) {
  double sum = 0;
  for (Index d = 0; d < term.slopes.size(); ++d) {
    sum += term.slopes(d) * (A.lower(i, d) / 2 + A.upper(i, d) / 2) *
           (B.lower(j, d) / 2 + B.upper(j, d) / 2);
  }
  return term.factor * sum;
}

double BoxMean(const std::vector<BoxTerm>& terms, const Boxes& A, Index i,
               const Boxes& B, Index j) {
  double sum = 0;
  for (const BoxTerm& term : terms) {
    sum += term.slopes.size() > 0 ? LinearMean(term, A, i, B, j)
                                  : EqMean(term, A, i, B, j);
  }
  return sum;
}

}  // namespace

std::vector<BoxTerm> KernelNode::BoxTerms(Index) const {
  const std::string text = ToString();
  throw InvalidInput(Text("the kernel ", text.substr(0, text.find('(')),
                          " has no means over boxes; take eq, linear, bias, "
                          "or their sums"));
}

Matrix Kernel::BoxCovariance(const Boxes& A, const Boxes& B,
                             const Threads& threads) const {
  CheckBoxes(*this, A, "A");
  CheckBoxes(*this, B, "B");
  RequireInput(A.lower.cols() == B.lower.cols(),
               "A and B must have the same number of inputs, but have ",
               A.lower.cols(), " and ", B.lower.cols());
  const std::vector<BoxTerm> terms = root_->BoxTerms(A.lower.cols());
  Matrix K(A.lower.rows(), B.lower.rows());
  threads.ForBlocks(K.rows(), kRows, [&](Index begin, Index end) {
    for (Index j = 0; j < K.cols(); ++j) {
      for (Index i = begin; i < end; ++i) K(i, j) = BoxMean(terms, A, i, B, j);
    }
  });
  return K;
}

}  // namespace cloak
