#ifndef CLOAK_APPS_CLI_QUOTED_NAMES_H_
#define CLOAK_APPS_CLI_QUOTED_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace cloak {

// Lists of names on the command line. A name that has a comma, '=', '|' or ':'
// in it is given in double quotes, in which a quote is written twice, as in a
// CSV file:
//   --inputs '"height, cm",age'   --categories 'town="a=b"|"c|d"'
// A quote begins only where a name does: elsewhere it is part of the name.

// The parts between separators that are not in quotes; their own quotes stay.
// Throws InvalidInput when a quote is never closed.
std::vector<std::string> SplitOutsideQuotes(std::string_view text,
                                            char separator);

// Where `c` stands for the last time outside of quotes; npos for nowhere.
size_t FindLastOutsideQuotes(std::string_view text, char c);

// The name itself, without its quotes.
std::string WithoutQuotes(std::string_view name);

// SplitOutsideQuotes, and each part without its quotes.
std::vector<std::string> SplitNames(std::string_view text, char separator);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_QUOTED_NAMES_H_
