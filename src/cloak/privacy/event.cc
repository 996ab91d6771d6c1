#include "cloak/privacy/event.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// Throws InvalidInput unless 0 < value <= largest.
void RequireSize(std::string_view name, double value, double largest) {
  RequireInput(std::isfinite(value) && value > 0, name,
               " must be finite and positive, but is ", value);
  RequireInput(value <= largest, name, " must be at most ", largest,
               ", beyond which nothing is protected, but is ", value);
}

struct Spelling {
  Neighbours neighbours;
  const char* name;
  const char* words;
};

constexpr Spelling kSpellings[] = {
    {Neighbours::kOutput, "output", "data sets that differ in one output"},
    {Neighbours::kUnit, "unit",
     "data sets that differ in all outputs of one unit"},
    {Neighbours::kRow, "row",
     "data sets in which one whole row is substituted"},
};

const Spelling& SpellingOf(Neighbours neighbours) {
  for (const Spelling& spelling : kSpellings) {
    if (spelling.neighbours == neighbours) return spelling;
  }
  throw PrivacyFailure("an unknown relation between neighbours");
}

}  // namespace

std::string ToString(Neighbours neighbours) {
  return SpellingOf(neighbours).name;
}

std::string InWords(Neighbours neighbours) {
  return SpellingOf(neighbours).words;
}

Neighbours ParseNeighbours(std::string_view text) {
  for (const Spelling& spelling : kSpellings) {
    if (text == spelling.name) return spelling.neighbours;
  }
  throw InvalidInput(
      Text("neighbours must be output, unit or row, but are '", text, "'"));
}

GaussianEvent::GaussianEvent(double mu) : mu_(mu) {
  RequireSize("mu", mu, kMaxMu);
}

PureEvent::PureEvent(double epsilon) : epsilon_(epsilon) {
  RequireSize("epsilon", epsilon, kMaxEventSize);
}

BoundedRangeEvent::BoundedRangeEvent(double epsilon) : epsilon_(epsilon) {
  RequireSize("epsilon", epsilon, kMaxEventSize);
}

ZcdpEvent::ZcdpEvent(double rho) : rho_(rho) {
  RequireSize("rho", rho, kMaxEventSize);
}

ApproximateEvent::ApproximateEvent(double epsilon, double delta)
    : epsilon_(epsilon), delta_(delta) {
  if (epsilon != 0) RequireSize("epsilon", epsilon, kMaxEventSize);
  RequireInput(delta > 0 && delta < 1,
               "delta must be between 0 and 1 (exclusive), but is ", delta);
}

NegativeBinomialRepeats::NegativeBinomialRepeats(double eta, double gamma)
    : eta_(eta), gamma_(gamma) {
  RequireInput(eta > -1 && eta <= 1e3,
               "eta must be above -1 and at most 1000, but is ", eta);
  RequireInput(gamma > 0 && gamma < 1,
               "gamma must be between 0 and 1 (exclusive), but is ", gamma);
}

PoissonRepeats::PoissonRepeats(double mean) : mean_(mean) {
  RequireInput(mean >= 1 && mean <= 1e9,
               "the mean number of candidates must be from 1 to 1e9, but "
               "is ",
               mean);
}

SelectionEvent::SelectionEvent(const CandidateEvent& candidate,
                               const Repeats& repeats)
    : candidate_(candidate), repeats_(repeats) {}

}  // namespace cloak
