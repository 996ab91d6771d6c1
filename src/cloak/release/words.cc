#include <cmath>
#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/release/release.h"

namespace cloak {

std::string Release::PrivacyInWords() const {
  const PrivacyStatement& privacy = content_.privacy;
  std::vector<std::string> names;
  for (const InputColumn& input : content_.inputs) names.push_back(input.name);
  const std::string& output = content_.output;
  return Text(
      "Each row's '", output, "' is protected by differential privacy with ",
      "epsilon = ", privacy.epsilon, " and delta = ", privacy.delta,
      ". Suppose somebody knows all the other rows and wants to find out one "
      "person's '",
      output, "' from this file. Had that value been any other between ",
      privacy.lower, " and ", privacy.upper,
      ", the probability of whatever they see or conclude would have changed "
      "by a factor of at most ",
      RoundedText(std::exp(privacy.epsilon), 3), ", plus at most ",
      privacy.delta,
      ". This holds for ever, however the file is used, and whatever else "
      "becomes known.\n"
      "Not protected: the inputs (",
      Join(names, ", "), ") and the number of rows (", privacy.rows,
      ") are public. A person who has several rows is protected for each of "
      "them, and less for all of them together. What is true of people in "
      "general (how '",
      output, "' depends on '", names.front(),
      "', say) is what the file is for, and can be learned "
      "from it about everybody, also about those who are not in the table.");
}

}  // namespace cloak
