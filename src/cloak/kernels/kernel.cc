#include "cloak/kernels/kernel.h"

#include <cmath>
#include <span>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/kernels/node.h"

namespace cloak {

Kernel::Kernel(std::shared_ptr<const KernelNode> root)
    : root_(std::move(root)) {
  RequireInput(root_->ParameterCount() <= kMaxKernelParameters,
               "a kernel must have at most ", kMaxKernelParameters,
               " parameters, but has ", root_->ParameterCount(),
               "; share one number between all inputs");
  const size_t length = root_->ToString().size();
  RequireInput(length <= kMaxKernelText, "a kernel must be at most ",
               kMaxKernelText, " characters long, but has ", length,
               "; give gibbs fewer centres");
}

Kernel Kernel::Eq(double variance, const PerInput& lengthscale) {
  return Kernel(MakeEq(variance, lengthscale));
}
Kernel Kernel::Matern12(double variance, const PerInput& lengthscale) {
  return Kernel(MakeMatern12(variance, lengthscale));
}
Kernel Kernel::Matern32(double variance, const PerInput& lengthscale) {
  return Kernel(MakeMatern32(variance, lengthscale));
}
Kernel Kernel::Matern52(double variance, const PerInput& lengthscale) {
  return Kernel(MakeMatern52(variance, lengthscale));
}
Kernel Kernel::RationalQuadratic(double variance, const PerInput& lengthscale,
                                 double alpha) {
  return Kernel(MakeRationalQuadratic(variance, lengthscale, alpha));
}
Kernel Kernel::Periodic(double variance, const PerInput& lengthscale,
                        const PerInput& period) {
  return Kernel(MakePeriodic(variance, lengthscale, period));
}
Kernel Kernel::Linear(const PerInput& variance) {
  return Kernel(MakeLinear(variance));
}
Kernel Kernel::Bias(double variance) { return Kernel(MakeBias(variance)); }
Kernel Kernel::White(double variance) { return Kernel(MakeWhite(variance)); }

Kernel Kernel::Gibbs(const GibbsArguments& arguments) {
  return Kernel(MakeGibbs(arguments));
}
Kernel Kernel::Bins(double variance, const PerInput& lower,
                    const PerInput& upper, const PerInput& count) {
  return Kernel(MakeBins(variance, lower, upper, count));
}

Kernel operator+(const Kernel& a, const Kernel& b) {
  return Kernel(MakeSum(a.root_, b.root_));
}
Kernel operator*(const Kernel& a, const Kernel& b) {
  return Kernel(MakeProduct(a.root_, b.root_));
}
bool operator==(const Kernel& a, const Kernel& b) {
  return a.ToString() == b.ToString();
}

std::string Kernel::ToString() const { return root_->ToString(); }

void Kernel::CheckInputs(Index dimension) const {
  root_->CheckInputs(dimension);
}

Kernel Kernel::ReplaceEq(
    const std::function<Kernel(double variance, const PerInput& lengthscale)>&
        make) const {
  NodePointer replaced =
      root_->ReplaceEq([&make](double variance, const PerInput& lengthscale) {
        return make(variance, lengthscale).root_;
      });
  RequireInput(replaced != nullptr, "there is no eq in the kernel '",
               ToString(), "'");
  return Kernel(std::move(replaced));
}

std::vector<KernelParameter> Kernel::Parameters() const {
  return root_->Parameters();
}

Kernel Kernel::WithParameters(const Vector& values) const {
  RequireInput(values.size() == root_->ParameterCount(),
               "values must have one number for each of the ",
               root_->ParameterCount(), " parameters of the kernel ",
               "(Kernel::Parameters lists them), but has ", values.size());
  return Kernel(root_->WithParameters(
      std::span(values.data(), static_cast<size_t>(values.size()))));
}

KernelShape Kernel::Shape() const { return root_->Shape(); }

double Kernel::VarianceBound() const { return root_->VarianceBound(); }

double Kernel::VarianceBound(const Vector& lower, const Vector& upper) const {
  RequireInput(lower.size() == upper.size(),
               "lower and upper must have the same length, but have ",
               lower.size(), " and ", upper.size());
  CheckInputs(lower.size());
  for (Index d = 0; d < lower.size(); ++d) {
    RequireInput(std::isfinite(lower[d]) && std::isfinite(upper[d]) &&
                     lower[d] <= upper[d],
                 "lower and upper must be finite and lower at most upper, "
                 "but input ",
                 d, " has ", lower[d], " and ", upper[d]);
  }
  return root_->VarianceBound(lower, upper);
}

}  // namespace cloak
