#ifndef CLOAK_APPS_CLI_ARGUMENTS_H_
#define CLOAK_APPS_CLI_ARGUMENTS_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cloak {

// What was written on the command line, as it was written: each command reads
// and checks its own, so that it can explain what is wrong.

// A release that is to be made, chosen or audited; release_options.h says what
// each of these is.
struct ReleaseArguments {
  std::string data;

  std::string task = "regression";
  std::optional<std::string> inputs;
  std::optional<std::string> output;
  std::optional<std::string> bounds;
  std::optional<std::string> protect;
  std::optional<std::string> unit;
  std::string missing = "accept";
  std::optional<std::string> missing_values;
  std::optional<std::string> prior_mean;
  std::optional<std::string> classes;

  std::optional<std::string> epsilon;
  std::optional<std::string> delta;

  // The model: what `select` chooses.
  std::string method = "optimal";
  std::optional<std::string> design;
  std::optional<std::string> kernel;
  std::optional<std::string> noise_variance;
  std::optional<std::string> inducing;
  std::optional<std::string> neighbours;
  std::optional<std::string> degree;

  std::optional<std::string> noise_column;
  std::optional<std::string> newton_steps;
  std::optional<std::string> cost;
  std::optional<std::string> at;
  std::optional<std::string> bins;
  std::optional<std::string> categories;
  std::optional<std::string> bandwidth;
  std::optional<std::string> input_ranges;
  std::optional<std::string> reproduce;
  bool accept_weaker = false;
  bool compact = false;

  std::optional<std::string> threads;
  bool quiet = false;
  bool dry_run = false;
  bool json = false;
  std::optional<std::string> ledger;
  std::optional<std::string> dataset;
  std::optional<std::string> file;
  bool overwrite = false;

  // Of `select`. With private outputs, `epsilon` is what the choice may spend,
  // and these what the release that follows may.
  std::optional<std::string> release_epsilon;
  std::optional<std::string> release_delta;
  std::optional<std::string> grid;
  std::optional<std::string> folds;
  std::optional<std::string> tries;
  bool show_probabilities = false;

  // Of `audit`.
  std::optional<std::string> releases;
};

// Options of the model may have alternatives in braces.
struct SelectArguments : ReleaseArguments {};

// With nothing but `data`, that is a release file.
struct AuditArguments : ReleaseArguments {};

struct CheckArguments {
  std::string data;
  std::optional<std::string> missing_values;
};

struct PredictArguments {
  std::string release;
  std::string queries;
  std::string file = "-";
  std::string interval = "0.95";
  bool latent = false;
};

struct ShowArguments {
  std::string release;
  std::optional<std::string> html;
  bool json = false;
};

struct InferArguments {
  std::string release;
  std::optional<std::string> kernel;
  std::optional<std::string> noise_variance;
  std::optional<std::string> prior_mean;
  std::optional<std::string> threads;
  std::optional<std::string> file;
  bool overwrite = false;
  bool quiet = false;
};

struct ServeArguments {
  std::vector<std::string> sources;
  std::string address = "127.0.0.1";
  std::string port = "8080";
  std::optional<std::string> tls_certificate;
  std::optional<std::string> tls_key;
  std::optional<std::string> token_file;
  std::string timeout = "30";
  std::string max_body = "4194304";
  std::optional<std::string> log_file;
  bool log_queries = false;
  bool quiet = false;
};

// Of `ledger add`: a table, and the data set it belongs to.
struct LedgerTableArguments {
  std::string ledger;
  std::string data;
  std::optional<std::string> dataset;
  std::optional<std::string> private_columns;
  bool json = false;
};

struct LedgerInitArguments : LedgerTableArguments {
  std::optional<std::string> epsilon;
  std::optional<std::string> delta;
  std::optional<std::string> reserved_delta;
  std::optional<std::string> protect;
};

struct LedgerShowArguments {
  std::string ledger;
  std::optional<std::string> dataset;
  bool json = false;
};

struct LedgerVerifyArguments {
  std::string ledger;
  std::optional<std::string> head;
  bool json = false;
};

struct CompletionArguments {
  std::string shell;
};

struct ManualArguments {
  bool markdown = false;
};

// Help or the version: text to print, with nothing else to do.
struct PrintArguments {
  std::string text;
};

using Arguments =
    std::variant<ReleaseArguments, SelectArguments, AuditArguments,
                 CheckArguments, PredictArguments, ShowArguments,
                 InferArguments, ServeArguments, LedgerInitArguments,
                 LedgerTableArguments, LedgerShowArguments,
                 LedgerVerifyArguments, CompletionArguments, ManualArguments,
                 PrintArguments>;

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_ARGUMENTS_H_
