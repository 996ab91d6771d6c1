#ifndef CLOAK_GP_LOGISTIC_MOMENTS_H_
#define CLOAK_GP_LOGISTIC_MOMENTS_H_

namespace cloak {

// The logistic link π(f) = 1/(1 + e⁻ᶠ) under f ~ N(mean, variance).
struct LogisticMoments {
  double probability = 0.5;  // E[π(f)]
  double complement = 0.5;   // 1 − E[π(f)], accurate where that is tiny
  double slope = 0.25;       // E[π'(f)] = Cov(f, π(f))/variance
};

// Both by the trapezoidal rule in z, f = mean + sd·z, which converges
// exponentially for functions that are analytic near the real line: with step
// h the error is exp(−2π²/h²) from the Gaussian and exp(−2π²/(h·sd)) from the
// poles of π at ±iπ, so h = min(½, ½/sd) leaves less than 10⁻¹⁵. The range of
// z takes in where e^±f times the Gaussian is largest, so that tails are
// accurate relative to themselves.
//
// Where sd is above 8 the roles change: π(f) is the probability that a variable
// of the logistic distribution is below f, and the rule is in that variable, of
// which the same 281 values do for every sd. (Not where |mean| > sd²/2: there
// the smaller probability is below 10⁻⁸, and 0 where sd > 78.) A standard
// deviation above 10³ is indistinguishable from a link that is a step, and
// computed so. So no moments take more than 12,000 exponentials.
LogisticMoments MomentsOfLogistic(double mean, double variance);

}  // namespace cloak

#endif  // CLOAK_GP_LOGISTIC_MOMENTS_H_
