#ifndef CLOAK_GP_LOGISTIC_POSTERIOR_H_
#define CLOAK_GP_LOGISTIC_POSTERIOR_H_

#include "cloak/gp/basis.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// Labels y = ±1 with P(y_i = 1) = π(f_i), f_i = φ_iᵀu + r_i, u ~ N(0, I), r_i ~
// N(0, residual_i) independent: a Gaussian process behind a logistic link.
struct LabelModel {
  Matrix Phi;       // M x N
  Vector residual;  // N: what the basis leaves of f at each row
  // N: where each y is the mean of so many labels of the same f; empty where it
  // is one label.
  Vector repeats = {};
};

LabelModel ModelLabels(const Basis& basis, const Matrix& X);

// The best linear model of the labels for g_i = φ_iᵀu ~ N(mean_i, variance_i):
//   y_i ≈ intercept_i + slope_i g_i + e_i,  e_i ~ N(0, noise_i),
// slope = Cov(y, g)/variance = E[2π'(f)], intercept = E[y] − slope · mean,
// noise = 1 − E[y]² − slope² · variance, all with f ~ N(mean, variance +
// residual). (Statistical linear regression, García-Fernández et al. 2015.)
struct LinearizedLabels {
  Vector intercept;
  Vector slope;
  Vector noise;
};

LinearizedLabels Linearize(const Vector& mean, const Vector& variance,
                           const Vector& residual);

// Returns the labels as OutputModel has outputs, for noise designs and
// likelihoods, before anything is known: u ~ N(0, I), where no intercept is
// left.
OutputModel LabelsBeforehand(const LabelModel& labels);

// Infers the weights from w = R y + z, z ~ N(0, s² I): returns the linear model
// of the labels at the posterior moments that it itself leads to (iterated
// posterior linearisation). Everything is computed from w, so that iterating
// costs no privacy.
//
// Every iterate is a posterior in its own right. It stops when nothing changes
// or after a fixed number of steps, each time with the last one, and throws
// only if the first, under the prior's moments, cannot be had.
LinearPosterior InferFromLabels(const LabelModel& labels, const Matrix& R,
                                double s, const Vector& w,
                                const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_GP_LOGISTIC_POSTERIOR_H_
