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

// What `cloak release` says of a release, made or only priced. All of it is
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
  // Of a release that was chosen among candidates: which, as arguments.
  std::optional<std::string> chosen = {};
};

// "  ledger    charged to …", in lines under each other.
std::string ChargeText(const Bill& ledger);
nlohmann::ordered_json ChargeJson(const Bill& ledger);

// What is protected, and what could have been otherwise, up to a comma.
std::string ProtectedText(const PrivacyStatement& privacy,
                          const std::string& output, bool labels);
// "as probable, within a factor of e^1 = 2.718, plus …", in lines.
std::string FactorText(const PrivacyStatement& privacy);

std::string SummaryText(const ReleaseSummary& summary);
std::string SummaryJson(const ReleaseSummary& summary);

// "within 0.8 % of the best possible", or empty when nothing was certified.
std::string GapInWords(double certified_gap);

// Whether noise and sensitivity are told in half widths of the bounds of an
// output, which differ from place to place.
bool InHalfWidths(const ReleaseContent& content);

// Who moves the released numbers: "row", or the unit in quotes.
std::string MoverText(const PrivacyStatement& privacy);

// Mind the rule of thumb: a mechanism that published one row in full with
// probability delta would still be (0, delta)-private.
// The warning that comes with --missing refuse.
inline constexpr char kRefusalTells[] =
    "with --missing refuse, whether this command fails tells whether a private "
    "cell is missing or malformed, which no budget pays for";

std::vector<std::string> BudgetWarnings(const PrivacyStatement& privacy);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_SUMMARY_H_
