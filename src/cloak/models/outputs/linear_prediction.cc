#include "cloak/models/outputs/linear_prediction.h"

#include <optional>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/products.h"
#include "cloak/models/make_plan.h"
#include "cloak/privacy/gaussian_mechanism.h"

namespace cloak {
namespace {

// Returns the setting of the rest of a fold in place of all rows.
SharedSetting RestOf(const Setting& setting, const Fold& fold) {
  const PublicInputs& all = setting.open();
  PublicInputs rest = all;
  rest.X = all.X(fold.rest, Eigen::all);
  if (all.units) rest.units = all.units->Of(fold.rest);
  if (all.noise_variances) {
    rest.noise_variances = Vector((*all.noise_variances)(fold.rest));
  }
  Setting part = setting;
  part.inputs = std::move(rest);
  part.progress = NoProgress;
  return std::make_shared<const Setting>(std::move(part));
}

Regression TaskAt(const Regression& task, const Matrix& queries) {
  Regression rest = task;
  // Several are linear too, but for clipping, and have less noise.
  rest.one_round = true;
  if (NeedsQueryPoints(task.method) || task.query_points) {
    rest.query_points = queries;
  }
  return rest;
}

}  // namespace

std::vector<Regression::Method> LinearMethods() {
  return {Regression::kOptimal,        Regression::kCloaking,
          Regression::kSparseCloaking, Regression::kNonstationaryCloaking,
          Regression::kFunctional,     Regression::kPolynomial};
}

LinearPrediction PredictFold(const Setting& setting, const Regression& task,
                             const Fold& fold) {
  const Matrix Xs = setting.X()(fold.held_out, Eigen::all);
  const std::unique_ptr<Plan> plan =
      MakePlan(RestOf(setting, fold), TaskAt(task, Xs));
  const std::optional<LinearDecoder> decoder = plan->decoder();
  RequireInput(
      decoder.has_value() && plan->mechanism() != nullptr,
      "a candidate must predict linearly, with Gaussian noise: the method "
      "'",
      NameOf(task.method),
      "' needs a kernel and a noise variance that are given",
      plan->mechanism() == nullptr ? ", and adds another noise" : "");
  const GaussianMechanism& mechanism = *plan->mechanism();
  const Matrix decoded = decoder->basis.Features(Xs).transpose() * decoder->W;
  // The plan has its rows in an order of its own.
  Matrix C(decoded.rows(), mechanism.sites().rows());
  C(Eigen::all, plan->order()->rows()) = mechanism.sites().OfRows(
      Product(decoded, mechanism.R(), setting.threads));
  return {std::move(C), mechanism.noise().sd() * mechanism.noise().sd() *
                            decoded.squaredNorm()};
}

Residuals CrossValidate(const Setting& setting, const Regression& task,
                        const std::vector<Fold>& folds,
                        const Progress& progress) {
  double done = 0;
  return LeaveFoldsOut(folds, setting.rows(), [&](const Fold& fold) {
    progress("leaving rows out", done++ / static_cast<double>(folds.size()));
    return PredictFold(setting, task, fold);
  });
}

}  // namespace cloak
