#include <string>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/option_values.h"
#include "apps/cli/release_summary.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/infer_anew.h"
#include "cloak/release/file_format.h"

namespace cloak {
namespace {

InferOptions OptionsOf(const InferArguments& arguments, size_t inputs) {
  InferOptions options = {
      .kernel = KernelOf(arguments.kernel, inputs),
      .noise_variance =
          PositiveOf(arguments.noise_variance, "--noise-variance"),
      .prior_mean = NumberOf(arguments.prior_mean, "--prior-mean")};
  RequireInput(options.kernel || options.noise_variance || options.prior_mean,
               "infer needs what to believe instead: --kernel, "
               "--noise-variance or --prior-mean");
  return options;
}

std::string InferredText(const Release& release,
                         const InferArguments& arguments, size_t bytes) {
  const ReleaseContent& content = release.content();
  const PrivacyStatement& privacy = content.privacy;
  return Text("Inferred anew what ", NumbersReleased(content),
              " numbers say about '", content.output, "'.\n\n",
              "  privacy   nothing was spent: nothing private was needed, and "
              "the promise of\n            (",
              privacy.epsilon, ", ", privacy.delta,
              ")-differential privacy stays as it was\n", "  written   ",
              IsStream(*arguments.file) ? "standard output" : *arguments.file,
              ", ", SizeText(bytes), "\n");
}

}  // namespace

void RunInfer(const InferArguments& arguments, const Streams& streams) {
  RequireInput(!arguments.release.empty() && arguments.file.has_value(),
               "infer needs a release and a file to write: cloak infer "
               "FILE.cloak --kernel … -o NEW.cloak");
  CheckNewOutput(*arguments.file, arguments.overwrite, {arguments.release});
  const Threads threads = ThreadsOf(arguments.threads);
  const Release release = ReadRelease(arguments.release, streams);
  const Release anew = InferAnew(
      release, OptionsOf(arguments, release.content().inputs.size()), threads);
  const std::string bytes = ReleaseToJson(anew);
  WriteOutput(*arguments.file, bytes, streams);
  if (arguments.quiet) return;
  streams.err << InferredText(anew, arguments, bytes.size());
}

}  // namespace cloak
