#ifndef CLOAK_APPS_PLOT_HTML_TEXT_H_
#define CLOAK_APPS_PLOT_HTML_TEXT_H_

#include <string>
#include <string_view>

namespace cloak {

// `text` as it must stand between HTML or SVG tags or inside a quoted
// attribute. A release may come from a stranger, and a column may be called
// <script>. Control characters become spaces.
std::string EscapeHtml(std::string_view text);

// At most `characters` characters of UTF-8 text, with an ellipsis when some
// were left out: for labels that have a place of limited width.
std::string Shortened(std::string_view text, int characters);

}  // namespace cloak

#endif  // CLOAK_APPS_PLOT_HTML_TEXT_H_
