#ifndef CLOAK_TESTS_TESTING_DISTRIBUTIONS_FOR_TESTING_H_
#define CLOAK_TESTS_TESTING_DISTRIBUTIONS_FOR_TESTING_H_

#include <cstdint>
#include <vector>

namespace cloak {

// Goodness of fit, for tests of samplers. Seeds are fixed, so a test passes
// always or never; kFalseAlarm is the probability that a correct sampler fails
// when the seed is changed.
constexpr double kFalseAlarm = 1e-6;

// The standard normal distribution function.
double NormalCdf(double x);

// The p-value of Pearson's chi-square test that `counts` are draws from
// `probabilities`. Cells expected less than 10 times are merged with what the
// probabilities leave to 1.
double ChiSquarePValue(const std::vector<uint64_t>& counts,
                       const std::vector<double>& probabilities);

// The p-value of the two-sided Kolmogorov-Smirnov test that `sample` is
// standard normal (its asymptotic distribution: for thousands of draws).
double NormalKolmogorovSmirnovPValue(std::vector<double> sample);

// The p-value of the two-sided chi-square test that `sample` is normal with
// mean 0 and this standard deviation, by its mean square.
double NormalScalePValue(const std::vector<double>& sample, double sd);

// The p-value of the two-sided test that `successes` of `trials` have this
// probability (normal approximation).
double BinomialPValue(uint64_t successes, uint64_t trials, double probability);

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_DISTRIBUTIONS_FOR_TESTING_H_
