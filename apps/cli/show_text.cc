#include "apps/cli/show_text.h"

#include <algorithm>

#include "apps/cli/release_summary.h"
#include "apps/cli/wrapped_text.h"
#include "cloak/base/text.h"
#include "cloak/release/kind.h"

namespace cloak {
namespace {

using Figures = std::vector<std::pair<std::string, std::string>>;

// Returns a kernel with digits that people read; the exact text is in the file
// and in --json.
std::string KernelText(const Kernel& kernel) {
  Vector values(static_cast<Index>(kernel.Parameters().size()));
  Index i = 0;
  for (const KernelParameter& parameter : kernel.Parameters()) {
    values[i++] = ParseNumber(RoundedText(parameter.value, 4), "parameter");
  }
  // Rounding the smallest of doubles may leave 0, which no kernel takes.
  if (!(values.array() > 0).all()) return kernel.ToString();
  return kernel.WithParameters(values).ToString();
}

void AddPosteriors(const ReleaseContent& content, Figures& figures) {
  std::vector<const Posterior*> posteriors;
  for (const Posterior& posterior : content.posteriors) {
    posteriors.push_back(&posterior);
  }
  std::stable_sort(posteriors.begin(), posteriors.end(),
                   [](const Posterior* a, const Posterior* b) {
                     return a->weight > b->weight;
                   });
  // Those behind the first few hardly matter to a prediction.
  constexpr size_t kShown = 4;
  const size_t shown = std::min(posteriors.size(), kShown);
  for (size_t i = 0; i < shown; ++i) {
    const Posterior& posterior = *posteriors[i];
    const std::string weight =
        posteriors.size() == 1
            ? ""
            : Text(" (", RoundedText(100 * posterior.weight, 2), " %)");
    figures.emplace_back(
        "kernel" + weight,
        KernelText(posterior.kernel) +
            KindOf(content.task).posterior_words(content, posterior));
  }
  if (posteriors.size() > shown) {
    figures.emplace_back("further kernels",
                         Text(posteriors.size() - shown, ", with less weight"));
  }
}

// Returns what the file has of public inputs; nothing where they are private.
std::string InputsInWords(const ReleaseContent& content) {
  if (content.privacy.protect == Protection::kRows) return "";
  return Text(
      "Of the inputs, which are public, the file has ranges and medians, "
      "rounded, and ",
      content.basis_points.rows(), " points by which the function is written",
      content.sites ? Text(", and ", content.sites->points.rows(),
                           " means of ten rows or more")
                    : std::string(),
      ". Cloak takes none of these from the rows of the table; those of --at "
      "may be among them.");
}

}  // namespace

Figures KeyFigures(const Release& release) {
  const ReleaseContent& content = release.content();
  const PrivacyStatement& privacy = content.privacy;
  Figures figures;
  const ReleaseKind& kind = KindOf(content.task);
  figures.emplace_back("task", NameOf(content.task));
  figures.emplace_back("output", kind.output_words(content));
  for (size_t j = 0; j < content.inputs.size(); ++j) {
    figures.emplace_back("input", kind.input_words(content, j));
  }
  if (content.projection) {
    figures.emplace_back(
        "components",
        Text("the inputs count through ", content.projection->directions.rows(),
             " principal components of them, of which the "
             "kernels are"));
  }
  figures.emplace_back("rows", Text(privacy.rows));
  if (privacy.protect == Protection::kRows) {
    figures.emplace_back("protected", "each whole row, inputs too");
  } else if (!privacy.unit.empty()) {
    figures.emplace_back(
        "protected", Text("all outputs of one '", privacy.unit,
                          "' together, of which there are ", privacy.units));
  }
  AddPosteriors(content, figures);
  figures.emplace_back("method", Text(content.method, ", ", content.design));
  const size_t parts = 1 + content.earlier_statistics.size();
  figures.emplace_back(
      "released",
      Text(NumbersReleased(content), " numbers",
           parts == 1 ? ", each" : Text(" in ", parts, " parts, the last"),
           " with privacy noise of standard deviation ",
           FigureText(privacy.noise_sd), "; one ", MoverText(privacy),
           " moves ", parts == 1 ? "them" : "that part", " by at most ",
           FigureText(privacy.sensitivity),
           privacy.in_half_widths
               ? ", in half widths of the bounds of an output"
               : ""));
  if (content.sites) {
    figures.emplace_back(
        "anew", Text("others can infer with another kernel (cloak infer), from "
                     "sums at ",
                     content.sites->count(), " sites of ten rows or more"));
  } else if (!content.no_sites.empty()) {
    figures.emplace_back("anew", Text("nobody can infer with another kernel: ",
                                      content.no_sites));
  }
  if (content.inferred_anew) {
    figures.emplace_back("inferred",
                         "anew, by somebody who had the file alone, with "
                         "another kernel, noise or prior mean");
  }
  if (content.certified_gap >= 0) {
    figures.emplace_back("design", GapInWords(content.certified_gap));
  }
  figures.emplace_back("mechanism", privacy.mechanism);
  figures.emplace_back("epsilon", NumberText(privacy.epsilon));
  figures.emplace_back("delta", NumberText(privacy.delta));
  return figures;
}

std::string ShowText(const Release& release) {
  const Figures figures = KeyFigures(release);
  size_t widest = 0;
  for (const auto& [name, value] : figures) {
    widest = std::max(widest, name.size());
  }
  std::string text;
  for (const auto& [name, value] : figures) {
    const std::string indent(widest + 2, ' ');
    const std::string wrapped =
        WrappedText(value, kTerminalColumns - std::min<size_t>(widest + 2, 40));
    text += Text(name, indent.substr(name.size()),
                 Join(Split(wrapped, '\n'), "\n" + indent), "\n");
  }
  const std::string inputs = InputsInWords(release.content());
  return Text(
      text, "\n", WrappedText(release.PrivacyInWords(), kTerminalColumns), "\n",
      inputs.empty() ? "" : Text("\n", WrappedText(inputs, kTerminalColumns)),
      inputs.empty() ? "" : "\n");
}

}  // namespace cloak
