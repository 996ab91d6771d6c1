#include "apps/cli/show_text.h"

#include <algorithm>
#include <cmath>

#include "apps/cli/release_summary.h"
#include "apps/cli/wrapped_text.h"
#include "apps/plot/ticks.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

using Figures = std::vector<std::pair<std::string, std::string>>;

std::string InputText(const InputColumn& input) {
  if (input.lower == input.upper) {
    return Text(input.name, ", always ", FigureText(input.lower));
  }
  return Text(input.name, ", from ", FigureText(input.lower), " to ",
              FigureText(input.upper), ", half of it below ",
              FigureText(input.middle));
}

// With digits that people read; the exact text is in the file and in --json.
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
  // What is behind the first few hardly matters to a prediction.
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
        content.classes.empty()
            ? Text(KernelText(posterior.kernel),
                   "; observations vary around the function with standard "
                   "deviation ",
                   FigureText(std::sqrt(posterior.noise_variance)))
            : Text(KernelText(posterior.kernel), " of the log odds"));
  }
  if (posteriors.size() > shown) {
    figures.emplace_back("further kernels",
                         Text(posteriors.size() - shown, ", with less weight"));
  }
}

}  // namespace

Figures KeyFigures(const Release& release) {
  const ReleaseContent& content = release.content();
  const PrivacyStatement& privacy = content.privacy;
  Figures figures;
  figures.emplace_back("task", content.task);
  figures.emplace_back(
      "output",
      content.classes.empty()
          ? Text(content.output, ", clipped to ", FigureText(privacy.lower),
                 " to ", FigureText(privacy.upper))
          : Text(content.output, ", of the classes '", content.classes[0],
                 "' and '", content.classes[1],
                 "'; probabilities are those of '", content.classes[1], "'"));
  for (const InputColumn& input : content.inputs) {
    figures.emplace_back("input", InputText(input));
  }
  if (content.projection) {
    figures.emplace_back(
        "components",
        Text("the inputs count through ", content.projection->directions.rows(),
             " principal components of them, of which the "
             "kernels are"));
  }
  figures.emplace_back("rows", Text(privacy.rows));
  if (!privacy.unit.empty()) {
    figures.emplace_back(
        "protected", Text("all outputs of one '", privacy.unit,
                          "' together, of which there are ", privacy.units));
  }
  AddPosteriors(content, figures);
  figures.emplace_back("method", Text(content.method, ", ", content.design));
  figures.emplace_back(
      "released",
      Text(content.statistic.units.size(),
           " numbers, each with privacy noise of standard "
           "deviation ",
           FigureText(privacy.noise_sd), "; one ", MoverText(privacy),
           " moves them by at most ", FigureText(privacy.sensitivity)));
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
  return Text(text, "\n",
              WrappedText(release.PrivacyInWords(), kTerminalColumns), "\n");
}

}  // namespace cloak
