#include "apps/web/web_page.h"

#include <sodium.h>

#include <array>

#include "apps/web/web_assets.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/gzip.h"

namespace cloak {

namespace {

// What a browser asks of a file that it may have already.
struct Packed {
  explicit Packed(std::string_view content) : gzipped(Gzip(content)) {
    std::array<unsigned char, 16> hash = {};
    crypto_generichash(hash.data(), hash.size(),
                       reinterpret_cast<const unsigned char*>(content.data()),
                       content.size(), nullptr, 0);
    tag.resize(2 * hash.size() + 1);
    sodium_bin2hex(tag.data(), tag.size(), hash.data(), hash.size());
    tag.pop_back();
  }
  std::string tag;
  std::string gzipped;
};

void Replace(std::string& html, std::string_view what,
             const std::string& with) {
  const size_t place = html.find(what);
  RequireInput(place != std::string::npos, "the page has no ",
               std::string(what));
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
  static const Packed page(kIndexHtml);
  static const Packed script(kAppScript);
  static const Packed style(kAppStyle);
  static const std::array assets = {
      Asset{"/", "text/html; charset=utf-8", kIndexHtml, page.tag,
            page.gzipped},
      Asset{"/app.js", "text/javascript; charset=utf-8", kAppScript, script.tag,
            script.gzipped},
      Asset{"/app.css", "text/css; charset=utf-8", kAppStyle, style.tag,
            style.gzipped},
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
