// What many releases cost together: from a list of events to epsilon at a
// delta. `seconds` is for building the list and asking once.
#include <cmath>
#include <functional>

#include "benchmarks/report.h"
#include "cloak/privacy/accountant.h"

namespace cloak {
namespace {

using OutputAccountant = Accountant<Neighbours::kOutput>;

constexpr double kDelta = 1e-6;

OutputAccountant EqualPure() {
  OutputAccountant accountant;
  accountant.Add(PureEvent(0.01), 10'000);
  return accountant;
}

OutputAccountant DifferentPure() {
  OutputAccountant accountant;
  for (int i = 0; i < 10'000; ++i) {
    accountant.Add(PureEvent(0.005 + 1e-6 * i));
  }
  return accountant;
}

OutputAccountant DifferentGaussians() {
  OutputAccountant accountant;
  for (int i = 0; i < 10'000; ++i) {
    accountant.Add(GaussianEvent(0.005 + 1e-6 * i));
  }
  return accountant;
}

OutputAccountant Mixture() {
  OutputAccountant accountant = DifferentPure();
  accountant.Add(DifferentGaussians());
  accountant.Add(BoundedRangeEvent(0.02), 100);
  accountant.Add(ApproximateEvent(0.05, 1e-10), 10);
  return accountant;
}

void Benchmark(Report& report) {
  const auto measure = [&](const std::string& name,
                           const std::function<OutputAccountant()>& make) {
    double epsilon = 0;
    const double seconds =
        BestSecondsInTurn({[&] { epsilon = make().Epsilon(kDelta); }}, 3)[0];
    report.Add({name, seconds, {{"epsilon at delta 1e-6", epsilon}}});
  };
  measure("10,000 different Gaussian events", DifferentGaussians);
  measure("10,000 equal pure events", EqualPure);
  measure("10,000 different pure events", DifferentPure);
  measure("20,000 of both, and a few others", Mixture);
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunBenchmark(argc, argv, cloak::Benchmark);
}
