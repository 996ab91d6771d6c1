#include "cloak/kernels/catalogue.h"

#include <array>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

template <NodePointer (*kMake)(double, const PerInput&)>
NodePointer MakeScaled(const KernelArguments& a) {
  return kMake(a.Number("variance"), a.List("lengthscale"));
}

template <NodePointer (*kMake)(double)>
NodePointer MakeFlat(const KernelArguments& a) {
  return kMake(a.Number("variance"));
}

}  // namespace

void KernelArguments::Set(std::string_view name, PerInput value) {
  values_.emplace(name, std::move(value));
}

PerInput KernelArguments::List(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? PerInput(1) : found->second;
}

double KernelArguments::Number(std::string_view name) const {
  const PerInput value = List(name);
  RequireInput(value.shared(), name,
               " must be one number here, but is a list of ",
               value.values().size());
  return value[0];
}

const std::vector<KernelEntry>& KernelCatalogue() {
  static const auto* const catalogue = new std::vector<KernelEntry>{
      {"eq", {"variance", "lengthscale"}, MakeScaled<MakeEq>},
      {"matern12", {"variance", "lengthscale"}, MakeScaled<MakeMatern12>},
      {"matern32", {"variance", "lengthscale"}, MakeScaled<MakeMatern32>},
      {"matern52", {"variance", "lengthscale"}, MakeScaled<MakeMatern52>},
      {"rq",
       {"variance", "lengthscale", "alpha"},
       [](const KernelArguments& a) {
         return MakeRationalQuadratic(a.Number("variance"),
                                      a.List("lengthscale"), a.Number("alpha"));
       }},
      {"periodic",
       {"variance", "lengthscale", "period"},
       [](const KernelArguments& a) {
         return MakePeriodic(a.Number("variance"), a.List("lengthscale"),
                             a.List("period"));
       }},
      {"linear",
       {"variance"},
       [](const KernelArguments& a) { return MakeLinear(a.List("variance")); }},
      {"bias", {"variance"}, MakeFlat<MakeBias>},
      {"white", {"variance"}, MakeFlat<MakeWhite>},
      {"gibbs",
       {"variance", "longest", "count", "bandwidth", "neighbourhood", "scale",
        "centres", "weights"},
       [](const KernelArguments& a) {
         return MakeGibbs({.variance = a.Number("variance"),
                           .longest = a.Number("longest"),
                           .count = a.Number("count"),
                           .bandwidth = a.Number("bandwidth"),
                           .neighbourhood = a.Number("neighbourhood"),
                           .scale = a.List("scale"),
                           .centres = a.Has("centres")
                                          ? a.List("centres").values()
                                          : std::vector<double>{},
                           .weights = a.List("weights")});
       }},
      {"bins",
       {"variance", "lower", "upper", "count"},
       [](const KernelArguments& a) {
         return MakeBins(a.Number("variance"), a.List("lower"), a.List("upper"),
                         a.List("count"));
       }}};
  return *catalogue;
}

std::vector<std::string_view> KernelNames() {
  std::vector<std::string_view> names;
  for (const KernelEntry& s : KernelCatalogue()) names.push_back(s.name);
  return names;
}

std::string OurNameFor(std::string_view name) {
  static constexpr std::array<std::array<std::string_view, 2>, 10> kNames = {{
      {"rbf", "eq"},
      {"se", "eq"},
      {"gaussian", "eq"},
      {"exponential", "matern12"},
      {"matern", "matern32"},
      {"constant", "bias"},
      {"const", "bias"},
      {"noise", "white"},
      {"dot", "linear"},
      {"cosine", "periodic"},
  }};
  for (const auto& [other, ours] : kNames) {
    if (other == name) return std::string(ours);
  }
  return "";
}

}  // namespace cloak
