#ifndef CLOAK_PRIVACY_EVENT_H_
#define CLOAK_PRIVACY_EVENT_H_

#include <string>
#include <string_view>
#include <variant>

namespace cloak {

// The relation of neighbours, the data sets that a promise keeps from being
// told apart. Events under one relation say nothing about another, so the
// relation is part of an accountant's type (accountant.h).
enum class Neighbours {
  // One output changes, anywhere; everything else is the same.
  kOutput,
  // All outputs of one unit (a person, a household) change together.
  kUnit,
  // One whole row, inputs and output, is substituted by another.
  kRow,
};

// "output", "unit", "row".
std::string ToString(Neighbours neighbours);
// Throws InvalidInput, with the names there are, when it is none of them.
Neighbours ParseNeighbours(std::string_view text);
// "data sets that differ in one output", …
std::string InWords(Neighbours neighbours);

// The price of one release: the promise that its mechanism keeps for all
// neighbours D and D', in both directions. An event that exists is valid: the
// constructors throw InvalidInput otherwise. Promises so large that they
// protect nobody (epsilon or rho above kMaxEventSize, mu above kMaxMu) are
// mistakes, and refused.
constexpr double kMaxEventSize = 1e6;
constexpr double kMaxMu = 1e3;

// mu-Gaussian differential privacy (Dong, Roth and Su 2022, Definition 4):
// telling D from D' is at least as hard as telling N(0, 1) from N(mu, 1).
// A Gaussian mechanism of L2 sensitivity Delta and noise sigma has mu =
// Delta/sigma.
class GaussianEvent {
 public:
  explicit GaussianEvent(double mu);
  double mu() const { return mu_; }
  bool operator==(const GaussianEvent&) const = default;

 private:
  double mu_;
};

// (epsilon, 0)-differential privacy.
class PureEvent {
 public:
  explicit PureEvent(double epsilon);
  double epsilon() const { return epsilon_; }
  bool operator==(const PureEvent&) const = default;

 private:
  double epsilon_;
};

// epsilon-bounded range (Durfee and Rogers 2019): for each pair of neighbours
// there is a t such that the privacy loss lies in [t - epsilon, t]. The
// exponential mechanism, with probabilities in proportion to
// exp(epsilon u/(2 Delta_u)) for a utility u of sensitivity Delta_u, has it.
class BoundedRangeEvent {
 public:
  explicit BoundedRangeEvent(double epsilon);
  double epsilon() const { return epsilon_; }
  bool operator==(const BoundedRangeEvent&) const = default;

 private:
  double epsilon_;
};

// rho-zero-concentrated differential privacy (Bun and Steinke 2016): the
// Rényi divergence of every order a > 1 is at most rho a. No mechanism of Cloak
// promises it; a ledger can hold it, for what other programs have spent.
class ZcdpEvent {
 public:
  explicit ZcdpEvent(double rho);
  double rho() const { return rho_; }
  bool operator==(const ZcdpEvent&) const = default;

 private:
  double rho_;
};

// (epsilon, delta)-differential privacy, 0 <= epsilon, 0 < delta < 1.
class ApproximateEvent {
 public:
  ApproximateEvent(double epsilon, double delta);
  double epsilon() const { return epsilon_; }
  double delta() const { return delta_; }
  bool operator==(const ApproximateEvent&) const = default;

 private:
  double epsilon_;
  double delta_;
};

// How many candidates a selection tries: a random number K >= 1 with
//   P(K = k) = (1 - gamma)^k / (gamma^-eta - 1) prod_{l < k} (l + eta)/(l + 1)
// (the truncated negative binomial distribution, Papernot and Steinke 2022,
// Definition 1): eta = 1 is geometric, as in Liu and Talwar 2019; eta = 0
// logarithmic. eta is from above -1 to 1e3, 0 < gamma < 1.
class NegativeBinomialRepeats {
 public:
  NegativeBinomialRepeats(double eta, double gamma);
  double eta() const { return eta_; }
  double gamma() const { return gamma_; }
  bool operator==(const NegativeBinomialRepeats&) const = default;

 private:
  double eta_;
  double gamma_;
};

// K is Poisson, its mean from 1 to 1e9; with K = 0, something that does not
// depend on the data is returned.
class PoissonRepeats {
 public:
  explicit PoissonRepeats(double mean);
  double mean() const { return mean_; }
  bool operator==(const PoissonRepeats&) const = default;

 private:
  double mean_;
};

using Repeats = std::variant<NegativeBinomialRepeats, PoissonRepeats>;

// The price of one candidate of a selection, its score included.
using CandidateEvent =
    std::variant<GaussianEvent, PureEvent, BoundedRangeEvent, ZcdpEvent>;

// The best of K private candidates, and nothing about the others or about K
// (Papernot and Steinke 2022). Each candidate is drawn by one and the same
// mechanism, which first chooses what to try (hyperparameters) at random, then
// trains and scores it privately.
class SelectionEvent {
 public:
  SelectionEvent(const CandidateEvent& candidate, const Repeats& repeats);
  const CandidateEvent& candidate() const { return candidate_; }
  const Repeats& repeats() const { return repeats_; }
  bool operator==(const SelectionEvent&) const = default;

 private:
  CandidateEvent candidate_;
  Repeats repeats_;
};

using PrivacyEvent = std::variant<GaussianEvent, PureEvent, BoundedRangeEvent,
                                  ZcdpEvent, ApproximateEvent, SelectionEvent>;

// The event in one line of ASCII that reads back as exactly the same event:
//   gaussian(mu=0.25)
//   pure(epsilon=1)
//   bounded_range(epsilon=0.5)
//   zcdp(rho=0.1)
//   approximate(epsilon=1, delta=1e-05)
//   selection(gaussian(mu=0.5), negative_binomial(eta=1, gamma=0.1))
//   selection(zcdp(rho=0.1), poisson(mean=20))
std::string ToString(const PrivacyEvent& event);
// Throws InvalidInput on anything else than what ToString writes, spaces
// aside.
PrivacyEvent ParseEvent(std::string_view text);

// Returns what the event promises, for people to read.
std::string InWords(const PrivacyEvent& event);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_EVENT_H_
