#include "cloak/models/linear_prediction.h"

#include <optional>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/products.h"
#include "cloak/privacy/gaussian_mechanism.h"

namespace cloak {
namespace {

// For the rest of a fold in place of all rows.
RegressionOptions OptionsOf(const RegressionOptions& options, const Fold& fold,
                            const Matrix& queries) {
  RegressionOptions rest = options;
  // Several are linear too, but for clipping, and have less noise.
  rest.one_round = true;
  if (options.units) rest.units = options.units->Of(fold.rest);
  if (options.row_noise_variances) {
    rest.row_noise_variances =
        Vector((*options.row_noise_variances)(fold.rest));
  }
  if (options.method == RegressionOptions::kCloaking ||
      options.method == RegressionOptions::kNonstationaryCloaking ||
      options.query_points) {
    rest.query_points = queries;
  }
  return rest;
}

}  // namespace

std::vector<RegressionOptions::Method> LinearMethods() {
  return {RegressionOptions::kOptimal,
          RegressionOptions::kCloaking,
          RegressionOptions::kSparseCloaking,
          RegressionOptions::kNonstationaryCloaking,
          RegressionOptions::kFunctional,
          RegressionOptions::kPolynomial};
}

LinearPrediction PredictFold(const RegressionSetting& setting,
                             const RegressionOptions& options,
                             const Fold& fold) {
  const Matrix Xs = setting.X(fold.held_out, Eigen::all);
  const RegressionPlan plan(setting.X(fold.rest, Eigen::all), setting.bounds,
                            setting.budget, OptionsOf(options, fold, Xs),
                            setting.threads);
  const std::optional<LinearDecoder> decoder = plan.decoder();
  RequireInput(
      decoder.has_value() && plan.mechanism() != nullptr,
      "a candidate must predict linearly, with Gaussian noise: the method "
      "'",
      NameOf(options.method),
      "' needs a kernel and a noise variance that are given (--kernel, "
      "--noise-variance)",
      plan.mechanism() == nullptr ? ", and adds another noise" : "");
  const GaussianMechanism& mechanism = *plan.mechanism();
  const Matrix decoded = decoder->basis.Features(Xs).transpose() * decoder->W;
  // The plan has its rows in an order of its own.
  Matrix C(decoded.rows(), mechanism.R().cols());
  C(Eigen::all, plan.order().rows()) =
      Product(decoded, mechanism.R(), setting.threads);
  return {std::move(C),
          mechanism.noise_sd() * mechanism.noise_sd() * decoded.squaredNorm()};
}

Residuals CrossValidate(const RegressionSetting& setting,
                        const RegressionOptions& options,
                        const std::vector<Fold>& folds,
                        const Progress& progress) {
  double done = 0;
  return LeaveFoldsOut(folds, setting.X.rows(), [&](const Fold& fold) {
    progress("leaving rows out", done++ / static_cast<double>(folds.size()));
    return PredictFold(setting, options, fold);
  });
}

}  // namespace cloak
