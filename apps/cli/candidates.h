#ifndef CLOAK_APPS_CLI_CANDIDATES_H_
#define CLOAK_APPS_CLI_CANDIDATES_H_

#include <string>
#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/cli.h"

namespace cloak {

// `text` with its alternatives written out: a{1,2}b{3,4} is a1b3, a1b4, a2b3
// and a2b4. A comma inside brackets or parentheses does not separate them.
// Throws InvalidInput that begins with `what` when braces do not match, are
// nested, or leave nothing between commas.
std::vector<std::string> Alternatives(const std::string& text,
                                      const std::string& what);

// Returns the arguments with all combinations of the alternatives of their
// model, in the order of its options, the last of them changing fastest.
std::vector<ReleaseArguments> AllModels(const ReleaseArguments& model);

// Returns the arguments with each of the models that were asked for, on the
// command line or in a file. Throws InvalidInput when there are fewer than two,
// or too many.
std::vector<ReleaseArguments> ReadCandidates(const SelectArguments& arguments,
                                             const Streams& streams);

// Returns the options of a model alone, from a line of a grid. Throws
// InvalidInput for anything else.
ReleaseArguments ParseModel(const std::string& line);

// Returns the model as words of a command line: --kernel, eq(1), …
std::vector<std::string> WordsOf(const ReleaseArguments& model);
// The same in one line to paste, quoted for a shell where needed.
std::string ShellText(const std::vector<std::string>& words);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_CANDIDATES_H_
