#include "apps/cli/page.h"

#include <filesystem>
#include <vector>

#include "apps/cli/page_plots.h"
#include "apps/cli/page_style.h"
#include "apps/cli/show_text.h"
#include "apps/plot/html_text.h"
#include "apps/plot/ticks.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

std::vector<std::string> InputNames(const Release& release) {
  std::vector<std::string> names;
  for (const InputColumn& input : release.content().inputs) {
    names.push_back(input.name);
  }
  return names;
}

std::string Paragraphs(const std::string& text) {
  std::string html;
  for (const std::string& paragraph : Split(text, '\n')) {
    if (!paragraph.empty()) {
      html += Text("<p>", EscapeHtml(paragraph), "</p>\n");
    }
  }
  return html;
}

std::string Figure(const std::string& name, const std::string& value) {
  return Text("<div class=\"card\"><dt>", EscapeHtml(name), "</dt><dd>",
              EscapeHtml(value), "</dd></div>\n");
}

std::string Highlights(const Release& release) {
  const PrivacyStatement& privacy = release.content().privacy;
  const std::vector<std::string>& classes = release.content().classes;
  return Text(
      "<dl class=\"figures\">\n",
      Figure("privacy loss ε", FigureText(privacy.epsilon)),
      Figure("slack δ", NumberText(privacy.delta)),
      privacy.unit.empty()
          ? Figure("rows", Text(privacy.rows))
          : Figure(Text("rows of ", privacy.units, " '", privacy.unit, "'"),
                   Text(privacy.rows)),
      classes.empty() ? Figure("bounds", Text(FigureText(privacy.lower), " to ",
                                              FigureText(privacy.upper)))
                      : Figure("classes", Join(classes, ", ")),
      "</dl>\n");
}

std::string KeyTable(const Release& release) {
  std::string html = "<table class=\"key\">\n";
  for (const auto& [name, value] : KeyFigures(release)) {
    html += Text("<tr><th scope=\"row\">", EscapeHtml(name), "</th><td>",
                 EscapeHtml(value), "</td></tr>\n");
  }
  return html + "</table>\n";
}

constexpr char kAddedNumbers[] =
    "<p>It adds <code>mean</code>, <code>sd</code>, <code>lower</code> and "
    "<code>upper</code> to each row: what to expect of a new observation, and "
    "the interval that holds 95&nbsp;% of them. With <code>--latent</code> it "
    "is the function itself.";
constexpr char kAddedClasses[] =
    "<p>It adds <code>probability</code> (of the second class), "
    "<code>class</code> (the more probable one), <code>mean</code> and "
    "<code>sd</code> (of the log odds) to each row.";

std::string HowToUse(const Release& release, const std::string& file) {
  const std::string name =
      file == "-" ? "FILE.cloak"
                  : std::filesystem::path(file).filename().string();
  return Text(
      "<p>Put the places you ask about in a table with the columns <code>",
      EscapeHtml(Join(InputNames(release), ", ")), "</code>, and run</p>\n",
      "<pre><code>cloak predict ", EscapeHtml(name),
      " queries.csv</code></pre>\n",
      release.content().classes.empty() ? kAddedNumbers : kAddedClasses,
      " Ask as often as you like: the privacy was paid for once, when the file "
      "was made.</p>\n");
}

std::string NoiseInWords(const Release& release) {
  const PrivacyStatement& privacy = release.content().privacy;
  return Text(
      "<p><strong>What privacy noise is.</strong> Before anything was "
      "published, random noise of standard deviation ",
      FigureText(privacy.noise_sd), " was added to each of the ",
      release.content().statistic.units.size(),
      " numbers this file is computed from: as much as the promise above "
      "needs. Its effect on the predictions is known and is part of every "
      "error bar "
      "here.</p>\n");
}

}  // namespace

std::string ReleasePage(const Release& release, const std::string& file,
                        const Threads& threads) {
  const std::string heading = EscapeHtml(
      Text(release.content().output, " by ", Join(InputNames(release), ", ")));
  return Text(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n"
      // Nothing on this page may load or run anything, whatever the file says.
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>",
      heading, " · private release</title>\n<style>", kPageStyle,
      "</style>\n</head>\n<body>\n<main>\n<h1>", heading,
      "</h1>\n<p class=\"lead\">A differentially private release: made once "
      "from private data, free to query for ever.</p>\n",
      Highlights(release), "<h2>What it predicts</h2>\n",
      PlotsHtml(release, threads),
      "<h2>What is promised</h2>\n<section class=\"card promise\">\n",
      Paragraphs(release.PrivacyInWords()), NoiseInWords(release),
      "</section>\n<h2>Key figures</h2>\n<section class=\"card\">\n",
      KeyTable(release), "</section>\n<h2>How to use it</h2>\n",
      "<section class=\"card\">\n", HowToUse(release, file),
      "</section>\n<footer>Made by cloak show. This page holds only what is "
      "in the release file, which is public.</footer>\n</main>\n</body>\n"
      "</html>\n");
}

}  // namespace cloak
