#ifndef CLOAK_LEDGER_PRICE_H_
#define CLOAK_LEDGER_PRICE_H_

#include <string>

#include "cloak/ledger/account.h"

namespace cloak {

// Says what was spent and what is left of a data set's total, in epsilon at the
// total's delta.
struct Spending {
  // Rounded up.
  double spent = 0;
  // The epsilon of the largest Gaussian release that still fits, rounded down
  // to a few digits, so that it can be asked for. 0 when nothing fits.
  double left = 0;
};
Spending SpendingOf(const DatasetAccount& account);

// Whether the data set's total allows an event on top of all it was charged
// with, and how it would stand then. The rule is that of PrivacyFilter
// (privacy_filter.h), which holds although custodians choose each release
// after they have seen the earlier ones. Throws PrivacyFailure when the
// neighbours are not the data set's.
struct Price {
  bool fits = false;
  // The spending as it is without the event, when that does not fit.
  Spending after;
};
Price PriceOf(const DatasetAccount& account, Neighbours neighbours,
              const PrivacyEvent& event);

// The epsilon of one event alone at the same delta, rounded up.
double EpsilonOf(const DatasetAccount& account, const PrivacyEvent& event);

// "epsilon 3 at delta 1e-05".
std::string TotalText(const DatasetAccount& account);
// "1 release", "4 releases".
std::string ReleasesText(const DatasetAccount& account);
// "epsilon 1.234", for people: rounded up but for the last bits.
std::string EpsilonText(double epsilon);
// Returns Spending::left in words.
std::string LeftText(double left);

// Why a release was refused: total, spent, asked and left, and how to price a
// smaller one.
std::string RefusalText(const DatasetAccount& account,
                        const PrivacyEvent& event);

}  // namespace cloak

#endif  // CLOAK_LEDGER_PRICE_H_
