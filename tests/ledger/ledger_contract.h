#ifndef CLOAK_TESTS_LEDGER_LEDGER_CONTRACT_H_
#define CLOAK_TESTS_LEDGER_LEDGER_CONTRACT_H_

#include <string>

#include "cloak/privacy/gaussian_mechanism.h"
#include "tests/ledger/ledger_fixture.h"

namespace cloak {

inline const Budget kTotal(2, 1e-3);

// A release of one sum, of the price that the mechanism gives it.
inline PrivacyEvent EventOf(const Budget& budget) {
  return GaussianEvent(
      GaussianMechanism(Matrix::Ones(1, 3), OutputBounds(0, 1), budget)
          .noise()
          .mu());
}

class LedgerContract : public testing::TestWithParam<Backend> {
 protected:
  Ledger Opened() const { return Ledger::Open(place_.location()); }

  // A ledger with the data set "heights" of the column below.
  Ledger WithHeights(const Budget& total = kTotal) const {
    Ledger ledger = Ledger::OpenOrCreate(place_.location());
    ledger.AddDataset({"heights", Neighbours::kOutput, total},
                      {ledger.FingerprintOf("", heights_)}, "3 rows");
    return ledger;
  }

  ChargeReceipt Charge(Ledger& ledger, const Budget& budget,
                       const std::string& description = "a release") const {
    return ledger.Charge({{ledger.FingerprintOf("", heights_)},
                          Neighbours::kOutput,
                          EventOf(budget),
                          description});
  }

  LedgerPlace place_{GetParam()};
  Secret<Vector> heights_ = Column({150, 160, 170.5});
};

}  // namespace cloak

#endif  // CLOAK_TESTS_LEDGER_LEDGER_CONTRACT_H_
