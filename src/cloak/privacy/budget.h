#ifndef CLOAK_PRIVACY_BUDGET_H_
#define CLOAK_PRIVACY_BUDGET_H_

namespace cloak {

// The (epsilon, delta) of differential privacy: for all neighbouring data sets
// D and D' and all sets S of results,
//   P(M(D) in S) <= e^epsilon P(M(D') in S) + delta.
//
// A Budget that exists is valid: no mechanism can be built from an invalid
// one.
class Budget {
 public:
  // Far above anything that protects anybody; a larger epsilon is a mistake
  // (a percentage, a unit), not a choice.
  static constexpr double kMaxEpsilon = 1e6;

  // Throws InvalidInput unless 0 < epsilon <= kMaxEpsilon and 0 < delta < 1.
  Budget(double epsilon, double delta);

  double epsilon() const { return epsilon_; }
  double delta() const { return delta_; }

 private:
  double epsilon_;
  double delta_;
};

// The epsilon of (epsilon, 0)-differential privacy, which leaves nothing
// outside the guarantee: no delta belongs to it.
class PureBudget {
 public:
  // Throws InvalidInput unless 0 < epsilon <= Budget::kMaxEpsilon.
  explicit PureBudget(double epsilon);

  double epsilon() const { return epsilon_; }

 private:
  double epsilon_;
};

// Where an output may lie, from public knowledge, never read off the data.
// Values outside are clipped.
class OutputBounds {
 public:
  // Throws InvalidInput unless both are finite, lower < upper, and
  // upper - lower does not overflow.
  OutputBounds(double lower, double upper);

  double lower() const { return lower_; }
  double upper() const { return upper_; }
  // The papers' d: how far one output can move.
  double width() const { return upper_ - lower_; }
  double middle() const { return lower_ + width() / 2; }

 private:
  double lower_;
  double upper_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_BUDGET_H_
