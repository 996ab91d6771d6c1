#include "cloak/release/file_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "tests/testing/small_release.h"

namespace cloak {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

std::string Valid() { return ReleaseToJson(Release(SmallContent())); }

// Returns the valid file after the change, with a checksum that fits it.
std::string Forge(const std::function<void(Json&)>& change) {
  Json json = Json::parse(Valid());
  change(json);
  json["checksum"] = "sha256:" + std::string(64, '0');
  std::string text = json.dump();
  unsigned char hash[32];
  crypto_hash_sha256(hash, reinterpret_cast<const unsigned char*>(text.data()),
                     text.size());
  char hex[65];
  sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
  const size_t place = text.find("sha256:") + 7;
  return text.replace(place, 64, hex);
}

std::string ErrorOf(const std::string& text) {
  try {
    ReleaseFromJson(text, "x.cloak");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(FileFormatTest, WritingAndReadingGivesTheSameFileAndPredictions) {
  const Release release(SmallContent());
  const std::string text = ReleaseToJson(release);
  const Release back = ReleaseFromJson(text, "x.cloak");
  EXPECT_EQ(ReleaseToJson(back), text);
  const Matrix X = Vector::LinSpaced(9, -3, 14);
  EXPECT_EQ(release.Predict(X, {}, Threads(1)).mean,
            back.Predict(X, {}, Threads(1)).mean);
  EXPECT_EQ(release.Predict(X, {}, Threads(1)).sd,
            back.Predict(X, {}, Threads(1)).sd);
}

TEST(FileFormatTest, UnitsAreWrittenAndReadWhereThereAreAny) {
  EXPECT_FALSE(Json::parse(Valid())["privacy"].contains("unit"));
  ReleaseContent content = SmallContent();
  content.privacy.unit = "person";
  content.privacy.units = 80;
  const Release back =
      ReleaseFromJson(ReleaseToJson(Release(content)), "x.cloak");
  EXPECT_EQ(back.content().privacy.unit, "person");
  EXPECT_EQ(back.content().privacy.units, 80);
  // Half of it, or what cannot be, is refused.
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["privacy"]["unit"] = "person"; })),
      HasSubstr("privacy.units"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) { json["privacy"]["units"] = 80; })),
              HasSubstr("privacy.unit"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["privacy"]["unit"] = "";
                json["privacy"]["units"] = 0;
              })),
              HasSubstr("privacy.unit"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["privacy"]["unit"] = "person";
                json["privacy"]["units"] = -1;
              })),
              HasSubstr("number of units"));
}

TEST(FileFormatTest, AFileCutShortAnywhereSaysSo) {
  const std::string text = Valid();
  for (const double part : {0.0, 0.01, 0.3, 0.9, 0.999}) {
    const auto size =
        static_cast<size_t>(part * static_cast<double>(text.size() - 3));
    EXPECT_THAT(ErrorOf(text.substr(0, size)), HasSubstr("cut short")) << size;
  }
}

TEST(FileFormatTest, AnyAlteredByteIsNoticed) {
  const std::string text = Valid();
  std::mt19937 generator(1);
  for (int attempt = 0; attempt < 500; ++attempt) {
    std::string altered = text;
    char& byte = altered[generator() % altered.size()];
    const char old = byte;
    byte = static_cast<char>(generator() % 96 + 32);
    if (byte == old) continue;
    EXPECT_NE(ErrorOf(altered), "") << altered;
  }
  std::string altered = text;
  altered.replace(altered.find("\"delta\":0.001"), 13, "\"delta\":0.0001");
  EXPECT_THAT(ErrorOf(altered), HasSubstr("altered"));
}

TEST(FileFormatTest, ANewerVersionAsksForAnUpdate) {
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["version"] = kFileVersion + 1; })),
      HasSubstr("newer"));
}

TEST(FileFormatTest, SomethingElseIsNotARelease) {
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("not a Cloak release"));
  EXPECT_THAT(ErrorOf("[1, 2]"), HasSubstr("not a Cloak release"));
  EXPECT_THAT(ErrorOf("age,height\n1,2\n"), HasSubstr("not JSON"));
  EXPECT_THAT(ErrorOf(std::string(100000, '[')), HasSubstr("nested"));
}

TEST(FileFormatTest, AForgedFileThatIsUntouchedReads) {
  EXPECT_EQ(ErrorOf(Forge([](Json&) {})), "");
}

TEST(FileFormatTest, SizesThatLieAreRefused) {
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"][0]["mean"].push_back(1.0);
              })),
              HasSubstr("basis points"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"][0]["directions"]["rows"][1] = "AAAA";
              })),
              HasSubstr("posteriors[0].directions.rows[1]"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"][0]["directions"]["bytes"] = 1e9;
              })),
              HasSubstr("posteriors[0].directions.bytes"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"][0]["noise_parts"].push_back(0.5);
              })),
              HasSubstr("a noise part for each"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"][0]["noise_parts"][0] = 1.5;
              })),
              HasSubstr("noise parts of a posterior must be from 0 to 1"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["basis_points"][2] = Json::array({1.0, 2.0});
              })),
              HasSubstr("basis_points[2]"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"] = Json::array();
                json["basis_points"] = Json::array();
                for (int i = 0; i < 2001; ++i) {
                  json["basis_points"].push_back({static_cast<double>(i)});
                }
              })),
              HasSubstr("basis points"));
}

TEST(FileFormatTest, WrongTypesAndNumbersNameTheField) {
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["privacy"]["epsilon"] = "much"; })),
      HasSubstr("privacy.epsilon"));
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["privacy"].erase("delta"); })),
      HasSubstr("privacy.delta"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["privacy"]["rows"] = uint64_t{18446744073709551615U};
              })),
              HasSubstr("privacy.rows"));
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["posteriors"][0]["weight"] = 0.5; })),
      HasSubstr("weights"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"][0]["kernel"] = "magic(3)";
              })),
              HasSubstr("magic"));
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["posteriors"][0]["jitter"] = -5; })),
      HasSubstr("jitter"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["basis_points"][1][0] = 1e-5;
                json["posteriors"][0]["jitter"] = 1e-12;
                json["posteriors"][0]["mean"][0] = 1e308;
                json["posteriors"][0]["mean"][1] = -1e308;
              })),
              HasSubstr("too large"));
}

TEST(FileFormatTest, EveryMessageNamesTheFile) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("'x.cloak'"));
}

ReleaseContent SmallClasses() {
  ReleaseContent content = ClassContent();
  content.classes = {"no", "yes"};
  content.posteriors[0].noise_variance = 0;
  return content;
}

TEST(FileFormatTest, ClassesAndEarlierStatisticsAreWrittenAndRead) {
  ReleaseContent content = SmallClasses();
  content.earlier_statistics = {{{"12", "-3"}, 0.5}};
  const std::string text = ReleaseToJson(Release(content));
  const Release back = ReleaseFromJson(text, "x.cloak");
  EXPECT_EQ(ReleaseToJson(back), text);
  EXPECT_EQ(back.content().classes, content.classes);
  EXPECT_EQ(back.content().earlier_statistics[0].integers[1], "-3");
}

TEST(FileFormatTest, AFileSaysTheOldestVersionThatHasAllOfIt) {
  const auto version = [](const ReleaseContent& content) -> int {
    return Json::parse(ReleaseToJson(Release(content)))["version"];
  };
  EXPECT_EQ(version(SmallContent()), 5);
  EXPECT_EQ(version(SmallClasses()), 5);
  ReleaseContent histogram = HistogramContent();
  EXPECT_EQ(version(histogram), 3);
  histogram.earlier_statistics = {{{"12"}, 0.5}};
  EXPECT_EQ(version(histogram), 4);
}

// testdata has files that were written by versions of Cloak that knew these
// versions only, and these are the answers that they gave.
TEST(FileFormatTest, FilesOfOlderVersionsAreReadAndAnswerAsTheyDid) {
  struct Answers {
    int version;
    Eigen::Vector3d mean;
    Eigen::Vector3d sd;
  };
  const Answers all[] = {
      {2,
       {-2.0244297496502384, 0.5833493936167691, 3.9635206689653293},
       {0.8069080318292506, 0.5456871821641123, 1.043254536185508}},
      {3,
       {-0.6460437931495706, 0.36759223109750794, 1.4026975865983804},
       {0.2539004299901798, 0.2539004926824761, 0.2539042013994482}},
      {4,
       {111.36670538115723, 157.46218855227883, 167.87171478510945},
       {7.484763863892219, 6.0336443093310015, 6.100046601837181}}};
  for (const Answers& answers : all) {
    std::ifstream in(
        Text(CLOAK_RELEASE_TESTDATA "/version_", answers.version, ".cloak"));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(Json::parse(text)["version"], answers.version);
    const Release release = ReleaseFromJson(text, "old");
    const Matrix X = Eigen::Vector3d(3, 17.5, 44);
    const Predictions now = release.Predict(X, {}, Threads(1));
    EXPECT_LE((now.mean - answers.mean).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LE((now.sd - answers.sd).cwiseAbs().maxCoeff(), 1e-6);
    // It can be written in the newest version.
    const Release again = ReleaseFromJson(ReleaseToJson(release), "new");
    EXPECT_EQ(again.Predict(X, {}, Threads(1)).sd, now.sd);
  }
}

TEST(FileFormatTest, ClassesThatCannotBeAreRefused) {
  using Change = std::function<void(ReleaseContent&)>;
  const std::vector<std::pair<Change, std::string>> lies = {
      {[](ReleaseContent& c) { c.classes = {"a"}; }, "2 classes"},
      {[](ReleaseContent& c) {
         c.classes = {"a", "b", "c"};
       },
       "2 classes"},
      {[](ReleaseContent& c) {
         c.classes = {"a", "a"};
       },
       "both classes"},
      {[](ReleaseContent& c) {
         c.classes = {"", "a"};
       },
       "1 to"},
      {[](ReleaseContent& c) { c.classes[0].assign(1000, 'x'); }, "1 to"},
      {[](ReleaseContent& c) { c.task = TaskKind::kRegression; }, "0 classes"},
      {[](ReleaseContent& c) { c.privacy.upper = 2; }, "-1 and 1"},
      {[](ReleaseContent& c) { c.offset = 1; }, "-1 and 1"},
      {[](ReleaseContent& c) { c.earlier_statistics.resize(21); }, "at most"},
      {[](ReleaseContent& c) {
         c.earlier_statistics = {{{"1"}, -1}};
       },
       "positive"}};
  for (const auto& [lie, message] : lies) {
    ReleaseContent content = SmallClasses();
    lie(content);
    EXPECT_THAT([&] { Release{content}; },
                testing::ThrowsMessage<InvalidInput>(HasSubstr(message)));
  }
  EXPECT_NE(ErrorOf(Forge([](Json& json) {
              json["classes"] = {"a", "b"};
            })),
            "");
  EXPECT_NE(ErrorOf(Forge([](Json& json) { json["classes"] = "a"; })), "");
  EXPECT_NE(ErrorOf(Forge([](Json& json) { json["classes"] = {1, 2}; })), "");
  EXPECT_NE(ErrorOf(Forge([](Json& json) { json["earlier_statistics"] = 3; })),
            "");
}

TEST(FileFormatTest, NamesThatThereAreNotAreRefused) {
  const auto with = [](const Json& changes) {
    return ErrorOf(Forge([&](Json& json) { json.merge_patch(changes); }));
  };
  EXPECT_THAT(with({{"task", "sorting"}}),
              HasSubstr("the task must be 'regression', 'classification', "
                        "'svm', 'histogram' or 'density', but is 'sorting'"));
  EXPECT_THAT(with({{"privacy", {{"protect", "none"}}}}),
              HasSubstr("what is protected must be 'outputs' or 'rows', but is "
                        "'none'"));
  EXPECT_THAT(with({{"link", "exp"}}),
              HasSubstr("the link of a density must be 'log' or 'identity', "
                        "but is 'exp'"));
}

TEST(FileFormatTest, TheUnitOfTheNoiseOfRowsIsKnownByTheMethod) {
  const auto in_half_widths = [](const Json& changes) {
    return ReleaseFromJson(
               Forge([&](Json& json) { json.merge_patch(changes); }), "x")
        .content()
        .privacy.in_half_widths;
  };
  const Json rows = {{"privacy", {{"protect", "rows"}}}};
  EXPECT_FALSE(in_half_widths(Json::object()));
  EXPECT_TRUE(in_half_widths(rows));
  Json variational = rows;
  variational["method"] = "variational";
  EXPECT_FALSE(in_half_widths(variational));
}

TEST(FileFormatTest, ProbabilitiesAreThoseOfTheMixtureAndSumToOne) {
  ReleaseContent content = SmallClasses();
  content.posteriors.push_back(content.posteriors[0]);
  content.posteriors[0].weight = 0.7;
  content.posteriors[1].weight = 0.3;
  content.posteriors[1].mean *= -2;
  const Release release(content);
  const Matrix X = Vector::LinSpaced(9, -3, 14);
  const ClassPredictions predicted = release.PredictClasses(X, Threads(2));
  // Sampling functions and pushing them through the link says the same.
  const Index count = 40000;
  const Matrix f = release.Sample(X, count, 7, {.latent = true}, Threads(1));
  for (Index i = 0; i < X.rows(); ++i) {
    const double sampled = (1 + (-f.row(i).array()).exp()).inverse().mean();
    EXPECT_NEAR(predicted.probability(i, 1), sampled, 0.01);
    EXPECT_NEAR(predicted.probability.row(i).sum(), 1, 1e-14);
    EXPECT_EQ(predicted.most_probable[static_cast<size_t>(i)],
              predicted.probability(i, 1) > 0.5 ? 1U : 0U);
  }
  EXPECT_THAT(release.PrivacyInWords(),
              HasSubstr("that label been the other of 'no' and 'yes'"));
  EXPECT_THROW(Release(SmallContent()).PredictClasses(X, Threads(1)),
               InvalidInput);
}

// Two statistics that were published together, and what they cost.
ReleaseContent WithCosts() {
  ReleaseContent content = SmallContent();
  content.statistic.cost = StatisticCost{"weighted sums of outputs",
                                         NoiseKind::kGaussian, 3, 12, 0.25};
  content.earlier_statistics = {
      {{"7"},
       0.5,
       StatisticCost{"squares", NoiseKind::kGaussian, 6, 24, 0.25, true}}};
  return content;
}

TEST(FileFormatTest, WhatEachStatisticCostsIsWrittenAndRead) {
  EXPECT_FALSE(Json::parse(Valid())["statistic"].contains("of"));
  EXPECT_FALSE(ReleaseFromJson(Valid(), "x").content().statistic.cost);
  const std::string text = ReleaseToJson(Release(WithCosts()));
  const Json json = Json::parse(text);
  EXPECT_EQ(json["statistic"]["of"], "weighted sums of outputs");
  EXPECT_EQ(json["statistic"]["mu"], 0.25);
  EXPECT_FALSE(json["statistic"].contains("with_next"));
  EXPECT_EQ(json["earlier_statistics"][0]["with_next"], true);
  const ReleaseContent back = ReleaseFromJson(text, "x").content();
  EXPECT_EQ(back.statistic.cost->noise, NoiseKind::kGaussian);
  EXPECT_EQ(back.statistic.cost->sensitivity, 3);
  EXPECT_EQ(back.statistic.cost->noise_scale, 12);
  EXPECT_EQ(back.statistic.cost->price, 0.25);
  EXPECT_TRUE(back.earlier_statistics[0].cost->with_next);
  EXPECT_EQ(ReleaseToJson(Release(back)), text);
}

TEST(FileFormatTest, ThePriceOfLaplaceNoiseIsAnEpsilon) {
  ReleaseContent content = SmallContent();
  content.statistic.cost =
      StatisticCost{"counts", NoiseKind::kLaplace, 2, 4, 0.5};
  content.privacy.event = "pure(epsilon=0.5)";
  const std::string text = ReleaseToJson(Release(content));
  EXPECT_EQ(Json::parse(text)["statistic"]["epsilon"], 0.5);
  const ReleaseContent back = ReleaseFromJson(text, "x").content();
  EXPECT_EQ(back.statistic.cost->price, 0.5);
  EXPECT_EQ(back.privacy.event, content.privacy.event);
  EXPECT_EQ(ReleaseFromJson(Valid(), "x").content().privacy.event, "");
}

TEST(FileFormatTest, CostsThatCannotBeAreRefused) {
  using Change = std::function<void(StatisticCost&)>;
  const std::vector<std::pair<Change, std::string>> changes = {
      {[](StatisticCost& cost) { cost.of = ""; }, "1 to 200 bytes"},
      {[](StatisticCost& cost) { cost.of = "\xff"; }, "UTF-8"},
      {[](StatisticCost& cost) { cost.sensitivity = 0; }, "the sensitivity"},
      {[](StatisticCost& cost) { cost.noise_scale = HUGE_VAL; }, "the noise"},
      {[](StatisticCost& cost) { cost.price = -1; }, "the price"},
      {[](StatisticCost& cost) { cost.with_next = true; }, "the next one"}};
  for (const auto& [change, message] : changes) {
    ReleaseContent content = WithCosts();
    change(*content.statistic.cost);
    EXPECT_THAT([&] { Release{content}; },
                testing::ThrowsMessage<InvalidInput>(HasSubstr(message)));
  }
  // The sum of all costs is not known if one of them is not.
  ReleaseContent content = WithCosts();
  content.earlier_statistics[0].cost = {};
  EXPECT_THAT([&] { Release{content}; },
              testing::ThrowsMessage<InvalidInput>(HasSubstr("together")));
  const auto with = [](const std::string& field, const Json& value) {
    return ErrorOf(Forge([&](Json& json) {
      json["statistic"].update({{"of", "x"},
                                {"noise", "gaussian"},
                                {"sensitivity", 1},
                                {"noise_scale", 1},
                                {"mu", 1}});
      json["statistic"][field] = value;
    }));
  };
  EXPECT_EQ(with("of", "y"), "");
  EXPECT_THAT(with("mu", "1"), HasSubstr("must be a number"));
  EXPECT_THAT(with("with_next", 1), HasSubstr("true or false"));
  EXPECT_THAT(with("noise", "laplace"), HasSubstr("epsilon' is missing"));
  EXPECT_THAT(with("noise", "none"), HasSubstr("'gaussian' or 'laplace'"));
}

}  // namespace
}  // namespace cloak
