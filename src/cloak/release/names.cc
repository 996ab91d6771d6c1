#include "cloak/release/names.h"

namespace cloak {

std::string NameOf(Protection protection) {
  switch (protection) {
    case Protection::kOutputs:
      return "outputs";
    case Protection::kRows:
      return "rows";
  }
  return "";
}

std::string NameOf(DensityLink link) {
  switch (link) {
    case DensityLink::kLog:
      return "log";
    case DensityLink::kIdentity:
      return "identity";
  }
  return "";
}

std::string NameOf(NoiseKind noise) {
  switch (noise) {
    case NoiseKind::kGaussian:
      return "gaussian";
    case NoiseKind::kLaplace:
      return "laplace";
  }
  return "";
}

std::string PriceName(NoiseKind noise) {
  switch (noise) {
    case NoiseKind::kGaussian:
      return "mu";
    case NoiseKind::kLaplace:
      return "epsilon";
  }
  return "";
}

}  // namespace cloak
