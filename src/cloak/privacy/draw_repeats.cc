#include "cloak/privacy/draw_repeats.h"

#include <cmath>
#include <variant>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/mpfr_number.h"

namespace cloak {
namespace {

constexpr mpfr_prec_t kRepeatPrecision = 256;
// A step of the recursions below has three roundings, each of 2^-256 at most,
// so that a sum of 2^24 probabilities errs by less than 2^-225.
constexpr int64_t kMostRepeatSteps = int64_t{1} << 24;
constexpr double kUndecided = 0x1p-127;

// P(K = k) for k = first(), first() + 1, …
class NegativeBinomialTerms {
 public:
  explicit NegativeBinomialTerms(const NegativeBinomialRepeats& repeats)
      : eta_(repeats.eta()) {
    mpfr_set_d(rest_, repeats.gamma(), MPFR_RNDN);
    mpfr_ui_sub(rest_, 1, rest_, MPFR_RNDN);
    // η/(γ^−η − 1), or its limit 1/log(1/γ).
    MpfrNumber log(kRepeatPrecision);
    mpfr_set_d(log, repeats.gamma(), MPFR_RNDN);
    mpfr_log(log, log, MPFR_RNDN);
    mpfr_neg(log, log, MPFR_RNDN);
    if (eta_ != 0) {
      mpfr_mul_d(log, log, eta_, MPFR_RNDN);
      mpfr_expm1(log, log, MPFR_RNDN);
      mpfr_div_d(log, log, eta_, MPFR_RNDN);
    }
    mpfr_div(term_, rest_, log, MPFR_RNDN);
  }
  static int64_t first() { return 1; }
  const MpfrNumber& term() const { return term_; }
  // From k to k + 1.
  void Advance(int64_t k) {
    MpfrNumber factor(kRepeatPrecision);
    mpfr_set_d(factor, eta_, MPFR_RNDN);
    mpfr_add_si(factor, factor, k, MPFR_RNDN);
    mpfr_mul(term_, term_, factor, MPFR_RNDN);
    mpfr_div_si(term_, term_, k + 1, MPFR_RNDN);
    mpfr_mul(term_, term_, rest_, MPFR_RNDN);
  }

 private:
  double eta_;
  MpfrNumber rest_{kRepeatPrecision};  // 1 − γ
  MpfrNumber term_{kRepeatPrecision};
};

class PoissonTerms {
 public:
  explicit PoissonTerms(const PoissonRepeats& repeats) : mean_(repeats.mean()) {
    mpfr_set_d(term_, -mean_, MPFR_RNDN);
    mpfr_exp(term_, term_, MPFR_RNDN);
  }
  static int64_t first() { return 0; }
  const MpfrNumber& term() const { return term_; }
  void Advance(int64_t k) {
    mpfr_mul_d(term_, term_, mean_, MPFR_RNDN);
    mpfr_div_si(term_, term_, k + 1, MPFR_RNDN);
  }

 private:
  double mean_;
  MpfrNumber term_{kRepeatPrecision};
};

template <typename Terms>
int64_t Draw(Terms terms, Randomness& random) {
  // In the middle of the numbers that begin with these 128 bits.
  MpfrNumber left(kRepeatPrecision);
  const Uint128 bits = (Uint128{random.Bits64()} << 64) | random.Bits64();
  left.Set(bits, MPFR_RNDN);
  mpfr_add_d(left, left, 0.5, MPFR_RNDN);
  mpfr_div_2ui(left, left, 128, MPFR_RNDN);
  for (int64_t k = Terms::first(); k < kMostRepeatSteps; ++k) {
    mpfr_sub(left, left, terms.term(), MPFR_RNDN);
    if (mpfr_cmp_d(left, kUndecided) > 0) {
      terms.Advance(k);
      continue;
    }
    if (mpfr_cmp_d(left, -kUndecided) < 0) return k;
    break;
  }
  throw PrivacyFailure(
      "the number of candidates to try could not be decided with 128 random "
      "bits, which happens once in 2^90 times; nothing was released");
}

struct Mean {
  double operator()(const PoissonRepeats& repeats) const {
    return repeats.mean();
  }
  // η(1/γ − 1)/(1 − γ^η) (Papernot and Steinke 2022, Definition 1).
  double operator()(const NegativeBinomialRepeats& repeats) const {
    const double eta = repeats.eta();
    const double log = std::log(repeats.gamma());
    return (1 / repeats.gamma() - 1) /
           (eta == 0 ? -log : -std::expm1(eta * log) / eta);
  }
};

struct Drawing {
  Randomness& random;
  int64_t operator()(const PoissonRepeats& repeats) const {
    return Draw(PoissonTerms(repeats), random);
  }
  int64_t operator()(const NegativeBinomialRepeats& repeats) const {
    return Draw(NegativeBinomialTerms(repeats), random);
  }
};

}  // namespace

double MeanRepeats(const Repeats& repeats) {
  return std::visit(Mean{}, repeats);
}

// The number, times gamma, is at most about a Gamma variable of shape eta, and
// 2^24 kLeastGamma is 2^7: e^(−128) 128^(eta − 1)/Γ(eta) is below 2^-90 for any
// eta up to 8, and a larger one has, by its mean, a larger gamma.
void RequireDrawable(const Repeats& repeats) {
  const double mean = MeanRepeats(repeats);
  RequireInput(mean <= kMostMeanRepeats, "a selection must expect at most ",
               kMostMeanRepeats, " candidates, but expects ", mean);
  const auto* binomial = std::get_if<NegativeBinomialRepeats>(&repeats);
  RequireInput(binomial == nullptr || binomial->gamma() >= kLeastGamma,
               "gamma must be at least ", kLeastGamma, ", but is ",
               binomial == nullptr ? 0 : binomial->gamma());
}

int64_t DrawRepeats(const Repeats& repeats, Randomness& random) {
  RequireDrawable(repeats);
  return std::visit(Drawing{random}, repeats);
}

}  // namespace cloak
