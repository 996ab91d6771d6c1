// Each LEAK is a way to get at a private value that must not compile; without
// one, this file is the control, which must. The script beside it says which
// message each must fail with.
#include <iostream>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/ledger/fingerprint.h"
#include "cloak/privacy/count_mechanism.h"
#include "cloak/privacy/mechanism_key.h"

namespace cloak {

using Values = std::vector<double>;

double Leak(const Secret<Values>& secret, const Fingerprint& fingerprint) {
  const Secret<double> total = secret.Map(
      [](const Values& y, double scale) { return scale * y[0]; }, 2.0);
  [[maybe_unused]] const Secret<double> copy = total;
  [[maybe_unused]] const Fingerprint same = fingerprint;
  [[maybe_unused]] double outside = 0;
#if LEAK == 1
  std::cout << total;
#elif LEAK == 2
  return total.Open();
#elif LEAK == 3
  return total.Open(MechanismKey());
#elif LEAK == 4
  return total.Open({});
#elif LEAK == 5
  return total;
#elif LEAK == 6
  return static_cast<double>(total);
#elif LEAK == 7
  return total.value_;
#elif LEAK == 8
  total.Map([&](double value) { return outside = value; });
#elif LEAK == 9
  total.Map([](double value, double* out) { return *out = value; }, &outside);
#elif LEAK == 10
  total.Map([](double value, double& out) { return out = value; }, outside);
#elif LEAK == 11
  secret.Map([](const Values& y) -> const double& { return y[0]; });
#elif LEAK == 12
  secret.Map([](const Values& y) { return y.data(); });
#elif LEAK == 13
  secret.Map([](const Values& y) { std::cout << y[0]; });
#elif LEAK == 14
  if (total == copy) outside = 1;
#elif LEAK == 15
  if (total) outside = 1;
#elif LEAK == 16
  // A friend's rights are not inherited.
  struct Heir : CountMechanism {
    static double Read(const Secret<double>& from) {
      return from.Open(MechanismKey());
    }
  };
  return Heir::Read(total);
#elif LEAK == 17
  // Noise that is none cannot be put in.
  return CountMechanism(DiscreteLaplace(1, 1), 0, 0).epsilon();
#elif LEAK == 18
  std::cout << fingerprint;
#elif LEAK == 19
  return static_cast<double>(fingerprint.hex_.size());
#elif LEAK == 20
  if (fingerprint == same) outside = 1;
#elif LEAK == 21
  outside = static_cast<double>(Fingerprint("", "guess").hex_.size());
#endif
  return outside;
}

}  // namespace cloak
