#include "cloak/privacy/custodian_view.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/mechanism_key.h"

namespace cloak {

void CustodianView::ShowProbabilities(
    const SelectionMechanism& mechanism, const Secret<Vector>& utilities,
    const std::vector<std::string>& names) const {
  const Vector probabilities =
      mechanism.Probabilities(utilities.Open(MechanismKey()));
  RequireInput(static_cast<Index>(names.size()) == probabilities.size(),
               "there are ", probabilities.size(), " candidates, but names of ",
               names.size());
  terminal_
      << "PRIVATE, for you alone: the probabilities that candidates had. "
         "They are not\ncovered by the guarantee. Do not publish, copy or "
         "keep them, and choose nothing\nby them.\n";
  for (size_t i = 0; i < names.size(); ++i) {
    const double percent = 100 * probabilities(static_cast<Index>(i));
    terminal_ << Text("  ", RoundedText(percent, 3), " %  ", names[i], "\n");
  }
}

}  // namespace cloak
