#ifndef CLOAK_PRIVACY_CUSTODIAN_VIEW_H_
#define CLOAK_PRIVACY_CUSTODIAN_VIEW_H_

#include <ostream>
#include <string>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/selection_mechanism.h"

namespace cloak {

// Shows PRIVATE numbers to the custodian, who has the table anyway, with a
// warning that they must not be published. Nothing is returned, so that it can
// get nowhere else. Callers make sure that `terminal` is one: not a file, a
// pipe or a log.
class CustodianView {
 public:
  explicit CustodianView(std::ostream& terminal) : terminal_(terminal) {}

  // With which probability each candidate was to be chosen.
  void ShowProbabilities(const SelectionMechanism& mechanism,
                         const Secret<Vector>& utilities,
                         const std::vector<std::string>& names) const;

 private:
  std::ostream& terminal_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_CUSTODIAN_VIEW_H_
