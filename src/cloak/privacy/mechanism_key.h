#ifndef CLOAK_PRIVACY_MECHANISM_KEY_H_
#define CLOAK_PRIVACY_MECHANISM_KEY_H_

namespace cloak {

// The key that opens a Secret (cloak/data/secret.h). Only the mechanisms can
// make one: everything they return has had noise added; the Fingerprinter of
// the ledger, whose fingerprints nobody outside the ledger can read; and
// CustodianView, which shows the custodian's own secrets on the custodian's own
// terminal, and returns nothing. Adding a friend here is adding to what the
// guarantee rests on, and is reviewed as such.
class MechanismKey {
 public:
  MechanismKey(const MechanismKey&) = delete;
  MechanismKey& operator=(const MechanismKey&) = delete;

 private:
  friend class BinCountMechanism;
  friend class BinSumMechanism;
  friend class CellMechanism;
  friend class CoinpressMean;
  friend class CountMechanism;
  friend class CustodianView;
  friend class FeatureMechanism;
  friend class Fingerprinter;
  friend class GaussianMechanism;
  friend class LabelMechanism;
  friend class MomentMechanism;
  friend class SelectionMechanism;
  friend class SvmMechanism;

  // Not "= default", which would let an aggregate be brace-initialised before
  // C++20.
  MechanismKey() {}  // NOLINT(modernize-use-equals-default)
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_MECHANISM_KEY_H_
