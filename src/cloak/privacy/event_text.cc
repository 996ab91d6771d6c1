// The text form of events: ToString, ParseEvent and InWords.
//   event    = name "(" [ argument { "," argument } ] ")"
//   argument = name "=" number | event
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/event.h"

namespace cloak {
namespace {

std::string Call(std::string_view name, std::string_view argument,
                 double value) {
  return Text(name, "(", argument, "=", value, ")");
}

struct Writer {
  std::string operator()(const GaussianEvent& event) const {
    return Call("gaussian", "mu", event.mu());
  }
  std::string operator()(const PureEvent& event) const {
    return Call("pure", "epsilon", event.epsilon());
  }
  std::string operator()(const BoundedRangeEvent& event) const {
    return Call("bounded_range", "epsilon", event.epsilon());
  }
  std::string operator()(const ZcdpEvent& event) const {
    return Call("zcdp", "rho", event.rho());
  }
  std::string operator()(const ApproximateEvent& event) const {
    return Text("approximate(epsilon=", event.epsilon(),
                ", delta=", event.delta(), ")");
  }
  std::string operator()(const NegativeBinomialRepeats& repeats) const {
    return Text("negative_binomial(eta=", repeats.eta(),
                ", gamma=", repeats.gamma(), ")");
  }
  std::string operator()(const PoissonRepeats& repeats) const {
    return Call("poisson", "mean", repeats.mean());
  }
  std::string operator()(const SelectionEvent& event) const {
    return Text("selection(", std::visit(*this, event.candidate()), ", ",
                std::visit(*this, event.repeats()), ")");
  }
};

struct Speaker {
  std::string operator()(const GaussianEvent& event) const {
    return Text("Gaussian noise, mu = ", RoundedText(event.mu()),
                " (sensitivity over standard deviation)");
  }
  std::string operator()(const PureEvent& event) const {
    return Text("pure differential privacy, epsilon = ",
                RoundedText(event.epsilon()));
  }
  std::string operator()(const BoundedRangeEvent& event) const {
    return Text("an exponential mechanism of bounded range, epsilon = ",
                RoundedText(event.epsilon()));
  }
  std::string operator()(const ZcdpEvent& event) const {
    return Text("zero-concentrated differential privacy, rho = ",
                RoundedText(event.rho()));
  }
  std::string operator()(const ApproximateEvent& event) const {
    return Text("(", RoundedText(event.epsilon()), ", ",
                RoundedText(event.delta()), ")-differential privacy");
  }
  std::string operator()(const NegativeBinomialRepeats& repeats) const {
    return Text(
        "a negative binomial number (eta = ", RoundedText(repeats.eta()),
        ", gamma = ", RoundedText(repeats.gamma()), ")");
  }
  std::string operator()(const PoissonRepeats& repeats) const {
    return Text("a Poisson number (mean ", RoundedText(repeats.mean()), ")");
  }
  std::string operator()(const SelectionEvent& event) const {
    return Text("the best of ", std::visit(*this, event.repeats()),
                " of candidates, each with ",
                std::visit(*this, event.candidate()));
  }
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), rest_(text) {
    RequireInput(text.size() <= 1000,
                 "a privacy event must be at most 1000 characters long, "
                 "but has ",
                 text.size());
  }

  PrivacyEvent Parse() {
    PrivacyEvent event = ParseOne();
    SkipSpaces();
    if (!rest_.empty()) Fail("nothing more");
    return event;
  }

 private:
  PrivacyEvent ParseOne() {
    const std::string name = Word();
    if (name == "selection") return ParseSelection();
    if (name == "approximate") {
      const auto [epsilon, delta] = Two("epsilon", "delta");
      return ApproximateEvent(epsilon, delta);
    }
    return std::visit([](const auto& event) -> PrivacyEvent { return event; },
                      ParseCandidate(name));
  }

  CandidateEvent ParseCandidate(std::string_view name) {
    if (name == "gaussian") return GaussianEvent(One("mu"));
    if (name == "pure") return PureEvent(One("epsilon"));
    if (name == "bounded_range") return BoundedRangeEvent(One("epsilon"));
    if (name == "zcdp") return ZcdpEvent(One("rho"));
    throw InvalidInput(Text("'", text_, "' is no privacy event: '", name,
                            "' is not one of gaussian, pure, bounded_range, "
                            "zcdp, approximate and selection, or may not stand "
                            "there"));
  }

  SelectionEvent ParseSelection() {
    Expect('(');
    const CandidateEvent candidate = ParseCandidate(Word());
    Expect(',');
    const Repeats repeats = ParseRepeats(Word());
    Expect(')');
    return {candidate, repeats};
  }

  Repeats ParseRepeats(std::string_view name) {
    if (name == "poisson") return PoissonRepeats(One("mean"));
    if (name != "negative_binomial") {
      Fail("negative_binomial or poisson");
    }
    const auto [eta, gamma] = Two("eta", "gamma");
    return NegativeBinomialRepeats(eta, gamma);
  }

  double One(std::string_view argument) {
    Expect('(');
    const double value = Argument(argument);
    Expect(')');
    return value;
  }

  std::pair<double, double> Two(std::string_view first,
                                std::string_view second) {
    Expect('(');
    const double first_value = Argument(first);
    Expect(',');
    const double second_value = Argument(second);
    Expect(')');
    return {first_value, second_value};
  }

  double Argument(std::string_view name) {
    if (Word() != name) Fail(name);
    Expect('=');
    SkipSpaces();
    const std::string_view number = Take(rest_.find_first_of(" ,)"));
    return ParseNumber(number, name);
  }

  std::string Word() {
    SkipSpaces();
    return std::string(
        Take(rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyz_")));
  }

  void Expect(char wanted) {
    SkipSpaces();
    if (rest_.empty() || rest_.front() != wanted) {
      Fail(std::string(1, wanted));
    }
    rest_.remove_prefix(1);
  }

  std::string_view Take(size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  void SkipSpaces() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  [[noreturn]] void Fail(std::string_view expected) const {
    throw InvalidInput(Text("'", text_, "' is no privacy event: expected ",
                            expected, " before '", rest_, "'"));
  }

  std::string_view text_;
  std::string_view rest_;
};

}  // namespace

std::string ToString(const PrivacyEvent& event) {
  return std::visit(Writer(), event);
}

std::string InWords(const PrivacyEvent& event) {
  return std::visit(Speaker(), event);
}

PrivacyEvent ParseEvent(std::string_view text) { return Parser(text).Parse(); }

}  // namespace cloak
