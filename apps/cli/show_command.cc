#include <nlohmann/json.hpp>
#include <string>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/page.h"
#include "apps/cli/printable.h"
#include "apps/cli/show_text.h"
#include "cloak/base/error.h"
#include "cloak/release/release_json.h"

namespace cloak {

void RunShow(const ShowArguments& arguments, const Streams& streams) {
  RequireInput(!arguments.release.empty(),
               "show needs a release: cloak show FILE.cloak");
  RequireInput(!(arguments.json && arguments.html == "-"),
               "--json and --html - would both write to standard output; give "
               "the page a file");
  if (arguments.html.has_value()) {
    CheckOutput(*arguments.html, {arguments.release});
  }
  const Release release = ReadRelease(arguments.release, streams);
  if (arguments.html.has_value()) {
    WriteOutput(*arguments.html,
                ReleasePage(release, arguments.release, Threads()), streams);
  }
  if (arguments.json) {
    streams.out << JsonText(ReleaseJson(release));
  } else if (!arguments.html.has_value()) {
    streams.out << Printable(ShowText(release));
  }
}

}  // namespace cloak
