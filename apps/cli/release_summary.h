#ifndef CLOAK_APPS_CLI_RELEASE_SUMMARY_H_
#define CLOAK_APPS_CLI_RELEASE_SUMMARY_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cloak/custodian/ledger_charge.h"
#include "cloak/models/plan.h"
#include "cloak/release/release.h"

namespace cloak {

// All that `cloak release` says of a release, made or only priced. All of it is
// public: it is known before the outputs are opened, or stands in the file.
struct ReleaseSummary {
  std::vector<std::string> inputs;
  std::string output;
  PlanSummary plan;
  std::vector<std::string> warnings;
  // Absent when no ledger is kept.
  std::optional<Bill> ledger;
  // Absent in a dry run.
  struct Written {
    std::string file;
    size_t bytes = 0;
  };
  std::optional<Written> written;
  // The candidate that a release was chosen as, as arguments; absent where
  // there was one alone.
  std::optional<std::string> chosen = {};
};

// Returns "65.2 kB".
std::string SizeText(size_t bytes);

// Returns "  ledger    charged to …", in lines under each other.
std::string ChargeText(const Bill& ledger);
nlohmann::ordered_json ChargeJson(const Bill& ledger);

// Returns who is protected, and what could have been otherwise, up to a comma.
std::string ProtectedText(const PrivacyStatement& privacy,
                          const std::string& output, bool labels);
// Returns "as probable, within a factor of e^1 = 2.718, plus …", in lines.
std::string FactorText(const PrivacyStatement& privacy);

std::string SummaryText(const ReleaseSummary& summary);
std::string SummaryJson(const ReleaseSummary& summary);

// Returns "certified within 0.8 % of the best possible", or nothing when
// nothing was certified.
std::string GapInWords(double certified_gap);

// Returns who moves the released numbers: "row", or the unit in quotes.
std::string MoverText(const PrivacyStatement& privacy);

// The warning that comes with --missing refuse.
inline constexpr char kRefusalTells[] =
    "with --missing refuse, whether this command fails tells whether a private "
    "cell is missing or malformed, which no budget pays for";

// Returns a warning where delta breaks the rule of thumb: a mechanism that
// published one row in full with probability delta would still be
// (0, delta)-private.
std::vector<std::string> BudgetWarnings(const PrivacyStatement& privacy);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_SUMMARY_H_
