#ifndef CLOAK_MODELS_REGRESSION_H_
#define CLOAK_MODELS_REGRESSION_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/data/secret.h"
#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/linalg/units.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/event.h"
#include "cloak/privacy/randomness.h"
#include "cloak/release/release.h"

namespace cloak {

class GaussianMechanism;

// Regression with the outputs private and the inputs public.
struct RegressionOptions {
  // kOptimal: release the statistic that leaves the least posterior variance,
  // and infer from it. kCloaking: release the predictions at `query_points`
  // with noise shaped to them (Smith 2018, 2021); needs kernel,
  // noise_variance and query_points.
  enum Method { kOptimal, kCloaking };
  // kBayes: for kOptimal. kVolume, kTrace: for either method.
  enum Design { kBayes, kVolume, kTrace };

  Method method = kOptimal;
  std::optional<Design> design;  // the method's own when absent
  // Learned from the release when absent (kOptimal only).
  std::optional<Kernel> kernel;
  std::optional<double> noise_variance;
  // The places that matter; the inputs when absent.
  std::optional<Matrix> query_points;
  std::vector<std::string> input_names;
  std::string output_name;
  // Whose outputs are protected all at once: those of rows with the same value
  // in the column `unit_name`. Each row's by itself when absent.
  std::optional<Units> units;
  std::string unit_name;
};

// Everything that can be decided without looking at the outputs: it is made
// from public things only, so it can be shown, priced and thrown away freely.
// Execute is the one place where the outputs are touched, by one mechanism;
// each call of it spends the whole budget again.
//
//   RegressionPlan plan(X, bounds, budget, options, threads);
//   Release release = plan.Execute(outputs, randomness);
class RegressionPlan {
 public:
  RegressionPlan(const Matrix& X, const OutputBounds& bounds,
                 const Budget& budget, const RegressionOptions& options,
                 const Threads& threads, const Progress& progress = NoProgress);
  ~RegressionPlan();
  RegressionPlan(RegressionPlan&&) noexcept;

  // What the release will say of its privacy, before anything is spent.
  const PrivacyStatement& privacy() const;
  // What Execute costs, each time, and to whom.
  PrivacyEvent event() const;
  Neighbours neighbours() const;
  std::string method() const;
  std::string design() const;
  // How many numbers will be released.
  Index rank() const;
  double certified_gap() const;
  // What will touch the outputs, and whose it protects all at once: for
  // auditors, who run it on outputs of their own.
  const GaussianMechanism& mechanism() const;
  const Units& units() const;
  // Root mean square over the places that matter of the posterior sd of f
  // under the prior mean hyperparameters, with privacy and without.
  double expected_sd() const;
  double expected_sd_without_privacy() const;

  Release Execute(const Secret<Vector>& outputs, Randomness& randomness) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_REGRESSION_H_
