#include "apps/web/web_page.h"

#include <array>

#include "apps/web/web_assets.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

namespace {

void Replace(std::string& html, std::string_view what,
             const std::string& with) {
  const size_t place = html.find(what);
  RequireInput(place != std::string::npos,
               Text("the page has no ", std::string(what)));
  html.replace(place, what.size(), with);
}

// A '<' in a string of JSON may begin the end of its element; its escape may
// not. JSON has no '<' outside of strings.
std::string WithoutTags(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::span<const Asset> WebAssets() {
  static const std::array assets = {
      Asset{"/", "text/html; charset=utf-8", kIndexHtml},
      Asset{"/app.js", "text/javascript; charset=utf-8", kAppScript},
      Asset{"/app.css", "text/css; charset=utf-8", kAppStyle},
  };
  return assets;
}

std::string WebPageFile(std::string_view json) {
  std::string html(kIndexHtml);
  Replace(html, R"(<link rel="stylesheet" href="app.css">)",
          Text("<meta http-equiv=\"Content-Security-Policy\" content=\""
               "default-src 'none'; img-src data:; base-uri 'none'; "
               "script-src '",
               kAppScriptHash, "'; style-src '", kAppStyleHash, "'\">\n<style>",
               kAppStyle, "</style>"));
  Replace(html, R"(<script type="module" src="app.js"></script>)",
          Text("<script type=\"application/json\" id=\"release\">",
               WithoutTags(json), "</script>\n<script type=\"module\">",
               kAppScript, "</script>"));
  return html;
}

}  // namespace cloak
