#include <cmath>
#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/release/release.h"

namespace cloak {

namespace {

// e^epsilon, never rounded down.
std::string FactorText(double epsilon) {
  if (epsilon > 10) return Text("e^", epsilon);
  const double scale = epsilon < 0.01 ? 1e6 : 1e2;
  return NumberText(std::ceil(std::exp(epsilon) * scale) / scale);
}

// Which other outputs the promise compares with.
std::string CounterfactualText(const ReleaseContent& content) {
  const PrivacyStatement& privacy = content.privacy;
  const bool each_row = privacy.unit.empty();
  if (content.classes.empty()) {
    return Text(
        each_row ? "that value been any other" : "those values been any others",
        " between ", privacy.lower, " and ", privacy.upper);
  }
  return Text(
      each_row ? "that label been the other" : "those labels been any others",
      " of '", content.classes[0], "' and '", content.classes[1], "'");
}

}  // namespace

std::string Release::PrivacyInWords() const {
  const PrivacyStatement& privacy = content_.privacy;
  std::vector<std::string> names;
  for (const InputColumn& input : content_.inputs) names.push_back(input.name);
  const std::string& output = content_.output;
  const std::string& unit = privacy.unit;
  const bool each_row = unit.empty();
  const bool pure = privacy.delta == 0;
  return Text(
      each_row ? Text("Each row's '", output, "' is protected")
               : Text("All values of '", output, "' of one '", unit,
                      "' are protected together"),
      " by differential privacy with epsilon = ", privacy.epsilon,
      pure ? std::string() : Text(" and delta = ", privacy.delta),
      ". Suppose somebody knows all the other rows and wants to find out ",
      each_row ? Text("one person's '", output, "'")
               : Text("every '", output, "' of one '", unit, "'"),
      " from this file. Had ", CounterfactualText(content_),
      ", the probability of whatever they see or conclude would have changed "
      "by a factor of at most ",
      FactorText(privacy.epsilon),
      pure ? std::string() : Text(", plus at most ", privacy.delta),
      ". This holds for ever, however the file is used, and whatever else "
      "becomes known, but each further release made from the same '",
      output,
      pure ? "' adds an epsilon of its own.\n"
           : "' adds an epsilon and a delta of its own.\n",
      "Not protected: the inputs (", Join(names, ", "),
      ") and the number of rows (", privacy.rows, ") are public",
      each_row
          ? std::string(". A person who has several rows is protected for each "
                        "of them, and less for all of them together. ")
          : Text(", and so are the number of different values of '", unit,
                 "' (", privacy.units,
                 ") and which rows belong to the same one. "),
      "What is true of people in general (how '", output, "' depends on '",
      names.front(),
      "', say) is what the file is for, and can be learned "
      "from it about everybody, also about those who are not in the table.");
}

}  // namespace cloak
