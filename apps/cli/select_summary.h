#ifndef CLOAK_APPS_CLI_SELECT_SUMMARY_H_
#define CLOAK_APPS_CLI_SELECT_SUMMARY_H_

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/release_summary.h"
#include "cloak/custodian/ledger_charge.h"
#include "cloak/selection/worth_choosing.h"

namespace cloak {

// What `cloak select` says of a choice, made or only priced. All of it is
// public: it is known before the outputs are opened, or is what was chosen.
struct SelectSummary {
  struct Candidate {
    ReleaseArguments model;
    CandidateFigures figures;

    // As arguments to paste into `cloak release`.
    std::string Text() const;
  };
  std::vector<std::string> inputs;
  std::string output;
  Index folds = 0;
  std::vector<Candidate> candidates;
  // The numbers of those to choose from; the others are left out.
  std::vector<size_t> worth;
  // Of the choice: the sensitivity is that of the utility, the largest of all
  // to choose from.
  PrivacyStatement privacy;
  // Of the release that is to follow.
  double release_epsilon = 0;
  double release_delta = 0;
  std::optional<Bill> ledger;
  // Which of the candidates; absent in a dry run.
  std::optional<size_t> chosen;
  std::optional<std::string> file;
};

std::string SelectText(const SelectSummary& summary);
std::string SelectJson(const SelectSummary& summary);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_SELECT_SUMMARY_H_
