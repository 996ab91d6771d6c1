#include "apps/cli/page.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "apps/cli/show_text.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// A posterior that learned nothing: the prior, at three basis points.
ReleaseContent MakeContent(std::vector<InputColumn> inputs,
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
  content.statistic.integers = {"12", "-7"};
  content.statistic.step = 0.001;
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
                         .directions = Matrix::Constant(1, 3, 0.1),
                         .noise_parts = Vector::Ones(1)}};
  return content;
}

Release MakeRelease(std::vector<InputColumn> inputs,
                    const std::string& output) {
  return Release(MakeContent(std::move(inputs), output));
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

// What the page embeds.
json Embedded(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"release\">";
  const size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

// How many plots have so many axes.
size_t Plots(const json& embedded, size_t axes) {
  size_t count = 0;
  for (const json& plot : embedded["plots"]) {
    if (plot["axes"].size() == axes) ++count;
  }
  return count;
}

TEST(Page, HasACurveForOneInput) {
  const Release release = MakeRelease({kAge}, "height");
  const std::string page = Page(release);
  const json embedded = Embedded(page);
  ASSERT_EQ(embedded["plots"].size(), 1U);
  const json& plot = embedded["plots"][0];
  EXPECT_EQ(plot["kind"], "curve");
  const Predictions wanted =
      release.Predict(Matrix::Constant(1, 1, 80), {.latent = true}, Threads(1));
  const json& function = plot["function"];
  EXPECT_NEAR(function["mean"].back(), wanted.mean[0], 0.01);
  EXPECT_NEAR(function["privacy_upper"].back(),
              wanted.mean[0] + 1.96 * wanted.privacy_sd[0], 0.01);
  EXPECT_EQ(embedded["release"]["privacy"]["bounds"], json({60, 180}));
  EXPECT_EQ(embedded["release"]["privacy_in_words"], release.PrivacyInWords());
  EXPECT_EQ(embedded["file"], "heights.cloak");
  EXPECT_THAT(page, Not(HasSubstr("some/where")));
}

TEST(Page, HasPlotsAtEveryPositionOfTheSliders) {
  const json two = Embedded(Page(MakeRelease({kAge, kWeight}, "height")));
  EXPECT_EQ(Plots(two, 2), 1U);
  EXPECT_EQ(Plots(two, 1), 18U);
  const InputColumn sleep{"sleep", 4, 12, 9};
  const json three =
      Embedded(Page(MakeRelease({kAge, kWeight, sleep}, "height")));
  EXPECT_EQ(Plots(three, 2), 27U);
  std::set<double> positions;
  for (const json& plot : three["plots"]) {
    if (plot["inputs"] == json({"age", "weight"})) {
      positions.insert(plot["at"]["sleep"].get<double>());
    }
  }
  EXPECT_EQ(positions.size(), 9U);
  EXPECT_TRUE(positions.contains(4) && positions.contains(9) &&
              positions.contains(12));
}

TEST(Page, KeepsTheDigitsThatOutputsDifferIn) {
  ReleaseContent content = MakeContent({kAge}, "cost");
  content.offset = 20'000'000;
  content.privacy.lower = 19'999'940;
  content.privacy.upper = 20'000'060;
  const Release release{std::move(content)};
  const json embedded = Embedded(Page(release));
  const Predictions wanted = release.Predict((Matrix(2, 1) << 0, 80).finished(),
                                             {.latent = true}, Threads(1));
  const json& mean = embedded["plots"][0]["function"]["mean"];
  ASSERT_GT(std::abs(wanted.mean[0] - wanted.mean[1]), 1);
  EXPECT_NEAR(mean.front(), wanted.mean[0], 0.01);
  EXPECT_NEAR(mean.back(), wanted.mean[1], 0.01);
}

TEST(Page, StaysSmallForManyInputs) {
  std::vector<InputColumn> inputs;
  inputs.reserve(100);
  for (int i = 0; i < 100; ++i) {
    inputs.push_back({Text("x", i), 0, 1, 0.5});
  }
  const std::string page = Page(MakeRelease(inputs, "height"));
  EXPECT_LT(page.size(), 2'000'000U);
  EXPECT_EQ(Plots(Embedded(page), 1), 12U);
}

TEST(Page, DrawsAnInputThatNeverChanges) {
  for (const auto& inputs : {std::vector<InputColumn>{kConstant},
                             std::vector<InputColumn>{kAge, kConstant}}) {
    const json embedded = Embedded(Page(MakeRelease(inputs, "height")));
    for (const json& plot : embedded["plots"]) {
      for (const json& value : plot["function"]["mean"]) {
        EXPECT_TRUE(value.is_number());
      }
    }
  }
}

TEST(Page, RunsNothingThatAStrangerWroteIntoAName) {
  const std::string hostile = "\"></script><script>alert(1)</script>";
  const std::string honest = Page(MakeRelease({kAge}, "height"));
  InputColumn input = kAge;
  input.name = hostile;
  const std::string page = Page(MakeRelease({input}, hostile));
  EXPECT_EQ(Count(page, "<script"), Count(honest, "<script"));
  EXPECT_EQ(Count(page, "</script"), Count(honest, "</script"));
  EXPECT_EQ(Embedded(page)["release"]["output"], hostile);
}

TEST(Page, LetsNothingInFromOutside) {
  const std::string page = Page(MakeRelease({kAge}, "height"));
  EXPECT_THAT(page, HasSubstr("<html lang=\"en\">"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("'unsafe-inline'")));
  EXPECT_TRUE(
      std::regex_search(page, std::regex("prefers-color-scheme: ?dark")));
  EXPECT_FALSE(std::regex_search(
      page, std::regex("<(script|img|link|iframe)[^>]* (src|href)=\"[^d]")));
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
