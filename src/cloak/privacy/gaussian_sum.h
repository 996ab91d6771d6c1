#ifndef CLOAK_PRIVACY_GAUSSIAN_SUM_H_
#define CLOAK_PRIVACY_GAUSSIAN_SUM_H_

#include <cstdint>
#include <map>

namespace cloak {

// A sum of squares mu_i^2, which is how Gaussian differential privacy adds up
// (Dong, Roth and Su 2022, Corollary 3.3), in 512 bits: the same in any order,
// and exact for one mu, so that a release of just the whole budget fits it.
class GaussianSum {
 public:
  void Add(double mu, int64_t times);

  // sqrt(sum mu_i^2), rounded up.
  double Mu() const;
  // Whether it is at most `limit`, for certain.
  bool IsAtMost(double limit) const;
  // sqrt(limit^2 - sum mu_i^2), rounded down; 0 if it is not positive.
  double Left(double limit) const;

 private:
  std::map<double, int64_t> times_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_GAUSSIAN_SUM_H_
