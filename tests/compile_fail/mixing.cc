// Each MIX adds up privacy of different kinds of neighbours, or gets round an
// event's checks, and must not compile; without one, this file is the control,
// which must.
#include "cloak/privacy/accountant.h"
#include "cloak/privacy/privacy_filter.h"

namespace cloak {

void Mix() {
  Accountant<Neighbours::kOutput> outputs;
  Accountant<Neighbours::kRow> rows;
  PrivacyFilter<Neighbours::kOutput> filter(Budget(1, 1e-5));
  [[maybe_unused]] const Accountant<Neighbours::kOutput> copy = outputs;
  outputs.Add(GaussianEvent(1));
  outputs.Add(outputs);
  rows.Add(PureEvent(1), 2);
  filter.Charge(GaussianEvent(0.1));
#if MIX == 1
  outputs.Add(rows);
#elif MIX == 2
  rows = outputs;
#elif MIX == 3
  Accountant<Neighbours::kUnit> units = rows;
#elif MIX == 4
  filter = PrivacyFilter<Neighbours::kRow>(Budget(1, 1e-5));
#elif MIX == 5
  outputs.Add(0.5);
#elif MIX == 6
  GaussianEvent event;
#endif
}

}  // namespace cloak
