#ifndef CLOAK_DATA_CELL_TEXT_H_
#define CLOAK_DATA_CELL_TEXT_H_

#include <optional>
#include <string_view>

namespace cloak {

// A cell without the blanks and tabs around it.
std::string_view WithoutBlanks(std::string_view text);

// The number that fills `text`, possibly not finite; a leading + is allowed.
// One beyond the range of a double is infinite, or zero, with its sign. Nothing
// when it is none.
std::optional<double> CellNumber(std::string_view text);

}  // namespace cloak

#endif  // CLOAK_DATA_CELL_TEXT_H_
