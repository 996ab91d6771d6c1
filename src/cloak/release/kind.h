#ifndef CLOAK_RELEASE_KIND_H_
#define CLOAK_RELEASE_KIND_H_

#include <array>
#include <string>
#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/release/names.h"
#include "cloak/release/release.h"

namespace cloak {

// A column of what a release answers: numbers or text.
struct AnswerColumn {
  std::string name;
  Vector numbers = {};
  std::vector<std::string> text = {};
};

inline constexpr char kMeanColumn[] = "mean";
inline constexpr char kPrivacySdColumn[] = "privacy_sd";

// Returns what is known of an input that is a number in a range, for people to
// read.
std::string RangeWords(const ReleaseContent& content, size_t input);

// All that differs from one kind of release to another: what it must hold, what
// it answers, and how it is drawn and described. A task that is added needs one
// of these, in a file of its own, and nothing elsewhere in release/ or server/.
struct ReleaseKind {  // NOLINT(cppcoreguidelines-pro-type-member-init)
  // The task, in files, on the page and on the command line.
  const char* name;
  // Whether an output is predicted from inputs, by a function that can be
  // drawn; else how rows are spread over the inputs is all there is.
  bool has_output = true;
  // Whether that output is one of two labels.
  bool has_labels = false;
  // Whether the function is of what the output is measured in, with
  // observations that vary around it.
  bool has_observations = false;
  // Whether the function is itself what was released, so that it is uncertain
  // because of the privacy noise alone; else it is a guess of a process.
  bool is_noise_alone = false;
  // The name, for programs, of a plot of it over one input and over two.
  std::array<const char*, 2> plots;
  // The words for all that is public besides the number of rows, where whole
  // rows are private.
  const char* public_words;

  // Throws InvalidInput unless the parts that belong to this kind alone fit
  // each other and the rest.
  void (*validate)(const ReleaseContent& content);
  // Returns the answer to each row of X.
  std::vector<AnswerColumn> (*columns)(const Release& release, const Matrix& X,
                                       const PredictOptions& options,
                                       const Threads& threads);
  // Returns values of the function as a plot shows them; null where a plot has
  // no band for the privacy noise alone.
  Vector (*drawn)(const Vector& function) = nullptr;
  // Return, for people to read, the name of the answer, the end of a line about
  // a posterior's kernel (null where there is no posterior), and a description
  // of an input.
  std::string (*output_words)(const ReleaseContent& content);
  std::string (*posterior_words)(const ReleaseContent& content,
                                 const Posterior& posterior) = nullptr;
  std::string (*input_words)(const ReleaseContent& content,
                             size_t input) = RangeWords;
};

extern const ReleaseKind kRegressionKind;
extern const ReleaseKind kClassificationKind;
extern const ReleaseKind kSvmKind;
extern const ReleaseKind kHistogramKind;
extern const ReleaseKind kDensityKind;

// Throws InvalidInput for what is none of them.
const ReleaseKind& KindOf(TaskKind task);

}  // namespace cloak

#endif  // CLOAK_RELEASE_KIND_H_
