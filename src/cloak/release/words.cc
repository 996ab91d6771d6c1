#include <cmath>
#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/release/kind.h"

namespace cloak {

namespace {

// Returns e^epsilon, never rounded down.
std::string FactorText(double epsilon) {
  if (epsilon > 10) return Text("e^", epsilon);
  const double scale = epsilon < 0.01 ? 1e6 : 1e2;
  return NumberText(std::ceil(std::exp(epsilon) * scale) / scale);
}

// Returns the other outputs that the promise compares with.
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

// The parts of the statement that depend on who is protected.
struct Subject {
  std::string is_protected;
  std::string wanted;
  std::string counterfactual;
  std::string spent;  // what further releases add up on
  std::string not_protected;
};

std::string SeveralRows() {
  return ". A person who has several rows is protected for each of them, and "
         "less for all of them together. ";
}

Subject RowsOf(const ReleaseContent& content, const std::string& names) {
  const PrivacyStatement& privacy = content.privacy;
  const ReleaseKind& kind = KindOf(content.task);
  return {kind.has_output ? Text("Each row, its '", content.output,
                                 "' and its inputs (", names, "), is protected")
                          : Text("Each row (", names, ") is protected"),
          "one person's row", "that row been any other", "rows",
          Text("the number of rows (", privacy.rows,
               ") is public, and so are the ", kind.public_words,
               " that were given when the file was made", SeveralRows())};
}

std::string InGeneral(const ReleaseContent& content,
                      const std::vector<std::string>& names) {
  if (!KindOf(content.task).has_output) {
    return Text("how '", Join(names, "', '"), "' are spread, say");
  }
  return Text("how '", content.output, "' depends on '", names.front(),
              "', say");
}

Subject OutputsOf(const ReleaseContent& content, const std::string& names) {
  const PrivacyStatement& privacy = content.privacy;
  const std::string& output = content.output;
  const std::string& unit = privacy.unit;
  const bool each_row = unit.empty();
  return {
      each_row ? Text("Each row's '", output, "' is protected")
               : Text("All values of '", output, "' of one '", unit,
                      "' are protected together"),
      each_row ? Text("one person's '", output, "'")
               : Text("every '", output, "' of one '", unit, "'"),
      CounterfactualText(content), Text("'", output, "'"),
      Text("the inputs (", names, ") and the number of rows (", privacy.rows,
           ") are public",
           each_row ? SeveralRows()
                    : Text(", and so are the number of different values of '",
                           unit, "' (", privacy.units,
                           ") and which rows belong to the same one. "))};
}

}  // namespace

std::string Release::PrivacyInWords() const {
  const PrivacyStatement& privacy = content_.privacy;
  std::vector<std::string> names;
  for (const InputColumn& input : content_.inputs) names.push_back(input.name);
  const Subject subject = privacy.protect == Protection::kRows
                              ? RowsOf(content_, Join(names, ", "))
                              : OutputsOf(content_, Join(names, ", "));
  const bool pure = privacy.delta == 0;
  return Text(
      subject.is_protected,
      " by differential privacy with epsilon = ", privacy.epsilon,
      pure ? std::string() : Text(" and delta = ", privacy.delta),
      ". Suppose somebody knows all the other rows and wants to find out ",
      subject.wanted, " from this file. Had ", subject.counterfactual,
      ", the probability of whatever they see or conclude would have changed "
      "by a factor of at most ",
      FactorText(privacy.epsilon),
      pure ? std::string() : Text(", plus at most ", privacy.delta),
      ". This holds for ever, however the file is used, and whatever else "
      "becomes known, but each further release made from the same ",
      subject.spent,
      pure ? " adds an epsilon of its own.\n"
           : " adds an epsilon and a delta of its own.\n",
      "Not protected: ", subject.not_protected,
      "What is true of people in general (", InGeneral(content_, names),
      ") is what the file is for, and can be learned "
      "from it about everybody, also about those who are not in the table.");
}

}  // namespace cloak
