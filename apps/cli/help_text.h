#ifndef CLOAK_APPS_CLI_HELP_TEXT_H_
#define CLOAK_APPS_CLI_HELP_TEXT_H_

namespace cloak {

// The parts of help that are not about one option: what the program is, and
// what follows the options of each command.

inline constexpr char kProgram[] = "cloak";

inline constexpr char kProgramText[] =
    "Release once, infer for ever: turns a private table into a small public "
    "file that anybody may query, under differential privacy.";

inline constexpr char kProgramFooter[] =
    "First steps:\n"
    "  cloak release heights.csv --protect outputs --inputs age \\\n"
    "    --output height --bounds 60:180 --epsilon 1 --delta 1e-5 \\\n"
    "    -o heights.cloak\n"
    "  cloak predict heights.cloak new.csv\n"
    "  cloak show heights.cloak\n"
    "\n"
    "Exit codes:\n"
    "  0  done\n"
    "  1  unexpected failure; if a release file was written, it is spent\n"
    "  2  wrong input or usage; nothing was written\n"
    "  3  the privacy guarantee or the budget forbids it; nothing was "
    "released;\n"
    "     or an audit refutes the claim\n"
    "  4  it failed after the ledger was charged: that budget stays spent";

inline constexpr char kTableText[] =
    "Table with a header, in CSV, plain or gzipped; - is standard input";

inline constexpr char kCheckFooter[] =
    "Examples:\n"
    "  cloak check heights.csv\n"
    "  cloak check heights.csv --missing-values -999,refused";

inline constexpr char kReleaseFooter[] =
    "Examples:\n"
    "  cloak release heights.csv --protect outputs --inputs age,weight \\\n"
    "    --output height --bounds 60:180 --epsilon 1 --delta 1e-5 \\\n"
    "    -o heights.cloak\n"
    "  cloak release heights.csv --protect outputs --inputs age \\\n"
    "    --output height --bounds 60:180 --epsilon 1 --delta 1e-5 --dry-run\n"
    "  cloak release heights.csv --protect outputs --inputs age \\\n"
    "    --output height --bounds 60:180 --epsilon 1 --delta 1e-5 \\\n"
    "    --kernel 'bias(1000) + eq(variance=600, lengthscale=15)' \\\n"
    "    --noise-variance 50 --method cloaking --at ages.csv \\\n"
    "    -o heights.cloak";

inline constexpr char kSelectFooter[] =
    "Examples:\n"
    "  cloak select heights.csv --protect outputs --inputs age \\\n"
    "    --output height --bounds 60:180 --epsilon 0.5 --release-epsilon 1 \\\n"
    "    --release-delta 1e-5 --noise-variance '{25,50}' \\\n"
    "    --kernel 'bias(1000) + eq(variance=600, lengthscale={5,15,45})'\n"
    "  cloak select heights.csv --protect outputs --inputs age \\\n"
    "    --output height --bounds 60:180 --epsilon 0.5 --release-epsilon 1 \\\n"
    "    --release-delta 1e-5 --grid candidates.txt --dry-run\n"
    "\n"
    "Candidates:\n"
    "  {a,b} stands for a and for b: all combinations are candidates. Quote "
    "it,\n"
    "  because shells have a use for braces too. A line of GRID.txt:\n"
    "    --kernel 'eq(variance=600, lengthscale={5,15})' --noise-variance 25\n"
    "  Lines that are empty or begin with # do not count.";

inline constexpr char kPredictFooter[] =
    "Examples:\n"
    "  cloak predict heights.cloak new.csv\n"
    "  cloak predict heights.cloak new.csv --interval 0.8 -o predicted.csv\n"
    "  cloak predict heights.cloak - --latent < new.csv";

inline constexpr char kShowFooter[] =
    "Examples:\n"
    "  cloak show heights.cloak\n"
    "  cloak show heights.cloak --html heights.html\n"
    "  cloak show heights.cloak --json";

inline constexpr char kInferFooter[] =
    "Examples:\n"
    "  cloak infer heights.cloak --noise-variance 50 -o surer.cloak\n"
    "  cloak infer heights.cloak -o rougher.cloak \\\n"
    "    --kernel 'bias(1000) + matern32(variance=600, lengthscale=15)'";

inline constexpr char kServeFooter[] =
    "Examples:\n"
    "  cloak serve heights.cloak\n"
    "  cloak serve releases/ --port 8443 --address 0.0.0.0 \\\n"
    "    --tls-cert cert.pem --tls-key key.pem --token-file tokens.txt\n"
    "  curl http://127.0.0.1:8080/api/v1/releases/heights/predict \\\n"
    "    -H 'Content-Type: application/json' -d '{\"rows\": [[10], [30]]}'\n"
    "SIGHUP: reads tokens, certificate and files again, and reopens the log\n"
    "SIGTERM: takes no more requests, finishes its answers and ends";

inline constexpr char kLedgerText[] =
    "The ledger: a file (SQLite), or a postgresql:// URL";

inline constexpr char kLedgerFooter[] =
    "Examples:\n"
    "  cloak ledger init spent.ledger heights.csv --dataset heights \\\n"
    "    --private height --protect outputs --epsilon 3 --delta 1e-5\n"
    "  cloak release heights.csv --protect outputs --inputs age \\\n"
    "    --output height --bounds 60:180 --epsilon 1 --delta 1e-5 \\\n"
    "    --ledger spent.ledger -o heights.cloak\n"
    "  cloak ledger show spent.ledger";

inline constexpr char kLedgerInitFooter[] =
    "Examples:\n"
    "  cloak ledger init spent.ledger heights.csv --dataset heights \\\n"
    "    --private height --protect outputs --epsilon 3 --delta 1e-5\n"
    "  cloak ledger init postgresql://custodian@db/ledger heights.csv \\\n"
    "    --dataset heights --private height --protect outputs \\\n"
    "    --epsilon 3 --delta 1e-5";

inline constexpr char kLedgerAddFooter[] =
    "Examples:\n"
    "  cloak ledger add spent.ledger heights-corrected.csv \\\n"
    "    --dataset heights --private height";

inline constexpr char kLedgerShowFooter[] =
    "Examples:\n"
    "  cloak ledger show spent.ledger\n"
    "  cloak ledger show postgresql://custodian@db/ledger --json";

inline constexpr char kLedgerVerifyFooter[] =
    "Examples:\n"
    "  cloak ledger verify spent.ledger\n"
    "  cloak ledger verify spent.ledger --head 5f1c…";

inline constexpr char kAuditFooter[] =
    "Examples:\n"
    "  cloak audit heights.csv --protect outputs --inputs age \\\n"
    "    --output height --bounds 60:180 --epsilon 1 --delta 1e-5\n"
    "  cloak audit heights.cloak";

inline constexpr char kCompletionFooter[] =
    "Examples:\n"
    "  source <(cloak completion bash)\n"
    "  cloak completion zsh > ~/.zfunc/_cloak\n"
    "  cloak completion fish > ~/.config/fish/completions/cloak.fish";

inline constexpr char kManualFooter[] =
    "Examples:\n"
    "  cloak manual | man -l -";

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_HELP_TEXT_H_
