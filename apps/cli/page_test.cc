#include "apps/cli/page.h"

#include <gmock/gmock.h>

#include <regex>

#include "apps/cli/show_text.h"

namespace cloak {
namespace {

using testing::HasSubstr;
using testing::Not;

// A posterior that learned nothing: the prior, at three basis points.
Release MakeRelease(std::vector<InputColumn> inputs,
                    const std::string& output) {
  ReleaseContent content;
  content.method = "optimal";
  content.design = "bayes";
  content.inputs = std::move(inputs);
  content.output = output;
  content.offset = 120;
  content.privacy.epsilon = 1;
  content.privacy.delta = 1e-5;
  content.privacy.rows = 300;
  content.privacy.lower = 60;
  content.privacy.upper = 180;
  content.privacy.mechanism = "exact Gaussian";
  content.privacy.sensitivity = 120;
  content.privacy.noise_sd = 450;
  content.statistic.units = {"12", "-7"};
  content.statistic.unit = 0.001;
  const auto dimension = static_cast<Index>(content.inputs.size());
  content.basis_points = Matrix::Zero(3, dimension);
  for (Index i = 0; i < 3; ++i) {
    content.basis_points.row(i).setConstant(static_cast<double>(10 * i));
  }
  content.posteriors = {{.weight = 1,
                         .kernel = Kernel::Eq(600, 15.0 / 7),
                         .noise_variance = 25,
                         .jitter = 1e-6,
                         .mean = Vector::Constant(3, 0.5),
                         .explained = Matrix::Zero(1, 3),
                         .noise = Matrix::Constant(1, 3, 0.1)}};
  return Release(std::move(content));
}

const InputColumn kAge{"age", 0, 80, 35};
const InputColumn kWeight{"weight", 5, 90, 50};
const InputColumn kConstant{"village", 3, 3, 3};

std::string Page(const Release& release) {
  return ReleasePage(release, "some/where/heights.cloak", Threads(1));
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Page, HasACurveForOneInput) {
  const std::string page = Page(MakeRelease({kAge}, "height"));
  EXPECT_EQ(Count(page, "class=\"privacy\" d="), 2U);  // wide and narrow
  EXPECT_EQ(Count(page, "upper bound 180"), 2U);
  EXPECT_THAT(page, HasSubstr("cloak predict heights.cloak queries.csv"));
  EXPECT_THAT(page, Not(HasSubstr("some/where")));
}

TEST(Page, HasMapsForTwoInputsAndCurvesForMore) {
  EXPECT_EQ(Count(Page(MakeRelease({kAge, kWeight}, "height")), "<svg"), 2U);
  EXPECT_EQ(
      Count(Page(MakeRelease({kAge, kWeight, kConstant}, "height")), "<svg"),
      3U);
}

TEST(Page, DrawsAnInputThatNeverChanges) {
  for (const auto& inputs : {std::vector<InputColumn>{kConstant},
                             std::vector<InputColumn>{kAge, kConstant}}) {
    const std::string page = Page(MakeRelease(inputs, "height"));
    EXPECT_THAT(page, HasSubstr("<svg"));
    EXPECT_THAT(page, Not(HasSubstr("nan")));
    EXPECT_THAT(page, Not(HasSubstr("inf")));
  }
}

TEST(Page, RunsNothingThatAStrangerWroteIntoAName) {
  const std::string hostile = "\"><script>alert(1)</script>";
  InputColumn input = kAge;
  input.name = hostile;
  for (const auto& inputs :
       {std::vector<InputColumn>{input},
        std::vector<InputColumn>{input, kWeight},
        std::vector<InputColumn>{input, kWeight, kConstant}}) {
    EXPECT_THAT(Page(MakeRelease(inputs, hostile)), Not(HasSubstr("<script")));
  }
}

TEST(Page, NeedsNothingFromOutsideAndCanBeRead) {
  const std::string page = Page(MakeRelease({kAge}, "height"));
  EXPECT_FALSE(std::regex_search(
      page, std::regex("(src=|href=|url\\(|@import|https?:)")));
  EXPECT_THAT(page, HasSubstr("<html lang=\"en\">"));
  EXPECT_THAT(page, HasSubstr("<title>height by age"));
  EXPECT_THAT(page, HasSubstr("role=\"img\" aria-label="));
  EXPECT_THAT(page, HasSubstr("The same as a table"));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(page, HasSubstr("differential privacy"));
}

TEST(ShowText, SaysWhatAReaderAsksFirst) {
  const std::string text = ShowText(MakeRelease({kAge, kConstant}, "height"));
  EXPECT_THAT(text, HasSubstr("age, from 0 to 80"));
  EXPECT_THAT(text, HasSubstr("village, always 3"));
  EXPECT_THAT(text, HasSubstr("height, clipped to 60 to 180"));
  EXPECT_THAT(text, HasSubstr("lengthscale=2.143)"));
  EXPECT_THAT(text, HasSubstr("deviation 5\n"));
  EXPECT_THAT(text, HasSubstr("2 numbers"));
  EXPECT_THAT(text, Not(HasSubstr("certified")));
}

}  // namespace
}  // namespace cloak
