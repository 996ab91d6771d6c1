#include <string>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/server/answer.h"

namespace cloak {
namespace {

PredictOptions CheckPredict(const PredictArguments& arguments) {
  PredictOptions options;
  options.interval = ParseNumber(arguments.interval, "--interval");
  RequireInput(options.interval > 0 && options.interval < 1,
               "--interval must lie between 0 and 1, such as 0.95, but "
               "is ",
               options.interval);
  options.latent = arguments.latent;
  return options;
}

}  // namespace

void RunPredict(const PredictArguments& arguments, const Streams& streams) {
  RequireInput(!arguments.release.empty() && !arguments.queries.empty(),
               "predict needs a release and a table: cloak predict FILE.cloak "
               "QUERIES.csv");
  RequireInput(!(IsStream(arguments.release) && IsStream(arguments.queries)),
               "the release and the queries cannot both be standard input");
  const PredictOptions options = CheckPredict(arguments);
  CheckOutput(arguments.file, {arguments.release, arguments.queries});
  const Release release = ReadRelease(arguments.release, streams);
  const Table queries =
      ReadTable(arguments.queries, QueryCsvOptions(release), streams);
  WriteOutput(arguments.file, AnswerCsv(release, queries, options, Threads()),
              streams);
}

}  // namespace cloak
