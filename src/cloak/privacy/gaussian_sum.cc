#include "cloak/privacy/gaussian_sum.h"

#include "cloak/privacy/mpfr_number.h"

namespace cloak {
namespace {

constexpr mpfr_prec_t kSumPrecision = 512;

void SumOfSquares(MpfrNumber& sum, const std::map<double, int64_t>& times) {
  MpfrNumber square(kSumPrecision);
  mpfr_set_zero(sum, 1);
  for (const auto& [mu, count] : times) {
    mpfr_set_d(square, mu, MPFR_RNDU);
    mpfr_sqr(square, square, MPFR_RNDU);
    mpfr_mul_si(square, square, count, MPFR_RNDU);
    mpfr_add(sum, sum, square, MPFR_RNDU);
  }
}

}  // namespace

void GaussianSum::Add(double mu, int64_t times) {
  if (mu > 0) times_[mu] += times;
}

double GaussianSum::Mu() const {
  MpfrNumber sum(kSumPrecision);
  SumOfSquares(sum, times_);
  mpfr_sqrt(sum, sum, MPFR_RNDU);
  return mpfr_get_d(sum, MPFR_RNDU);
}

bool GaussianSum::IsAtMost(double limit) const { return Mu() <= limit; }

double GaussianSum::Left(double limit) const {
  MpfrNumber sum(kSumPrecision), left(kSumPrecision);
  SumOfSquares(sum, times_);
  mpfr_set_d(left, limit, MPFR_RNDD);
  mpfr_sqr(left, left, MPFR_RNDD);
  mpfr_sub(left, left, sum, MPFR_RNDD);
  if (mpfr_sgn(static_cast<mpfr_ptr>(left)) <= 0) return 0;
  mpfr_sqrt(left, left, MPFR_RNDD);
  return mpfr_get_d(left, MPFR_RNDD);
}

}  // namespace cloak
