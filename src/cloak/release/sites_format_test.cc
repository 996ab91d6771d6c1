#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/release/file_format.h"
#include "tests/testing/small_release.h"

namespace cloak {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(SitesFormatTest, SitesAreWrittenAndReadBitForBit) {
  const std::string text = ReleaseToJson(Release(SiteContent()));
  const Release back = ReleaseFromJson(text, "x.cloak");
  EXPECT_EQ(ReleaseToJson(back), text);
  ASSERT_TRUE(back.content().sites);
  const SiteStatistics& sites = *back.content().sites;
  const ReleaseContent written = SiteContent();
  EXPECT_EQ(sites.points, written.sites->points);
  EXPECT_EQ(sites.rows, written.sites->rows);
  EXPECT_EQ(sites.deviations, written.sites->deviations);
  EXPECT_EQ(sites.site_of_point, written.sites->site_of_point);
  EXPECT_EQ(sites.noise_variances, written.sites->noise_variances);
  EXPECT_EQ(sites.kernel.ToString(), written.sites->kernel.ToString());
  EXPECT_TRUE(sites.kernel_is_learned);
  EXPECT_TRUE(sites.noise_is_learned);
  ASSERT_EQ(sites.rounds.size(), 1U);
  EXPECT_EQ(sites.rounds[0].R, written.sites->rounds[0].R);
  EXPECT_EQ(sites.rounds[0].centre, written.sites->rounds[0].centre);
  EXPECT_EQ(sites.rounds[0].half_width, written.sites->rounds[0].half_width);
}

TEST(SitesFormatTest, WhyThereAreNoneIsWrittenAndRead) {
  ReleaseContent content = SmallContent();
  content.no_sites = "left out, as was asked for";
  content.inferred_anew = true;
  const std::string text = ReleaseToJson(Release(content));
  const Release back = ReleaseFromJson(text, "x.cloak");
  EXPECT_EQ(back.content().no_sites, content.no_sites);
  EXPECT_TRUE(back.content().inferred_anew);
  EXPECT_FALSE(back.content().sites);
}

TEST(SitesFormatTest, SitesThatCannotBeAreRefused) {
  using Change = std::function<void(ReleaseContent&)>;
  const std::vector<std::pair<Change, std::string>> changes = {
      {[](ReleaseContent& c) { c.sites->rows(0) = 9; }, "at least 10"},
      {[](ReleaseContent& c) { c.sites->rows(0) = 101; }, "as many"},
      {[](ReleaseContent& c) { c.sites->rows(0) = 99.5; }, "number of rows"},
      {[](ReleaseContent& c) { c.sites->points(1, 0) = NAN; }, "points"},
      {[](ReleaseContent& c) { c.sites->deviations(1, 0) = -1; }, "deviations"},
      {[](ReleaseContent& c) {
         c.sites->site_of_point = {0, 0, 0};
       },
       "a point in each site"},
      {[](ReleaseContent& c) {
         c.sites->site_of_point = {0, 0, 2};
       },
       "a site for each point"},
      {[](ReleaseContent& c) { c.sites->noise_variances(0) = -1; },
       "noise variance for each site"},
      {[](ReleaseContent& c) { c.sites->noise_variance = 0; },
       "noise variance that is"},
      {[](ReleaseContent& c) {
         c.sites->kernel = Kernel::Eq(1, {1, 2});
       },
       "input"},
      {[](ReleaseContent& c) { c.sites->rounds[0].half_width(0) = 0; },
       "positive widths"},
      {[](ReleaseContent& c) { c.sites->rounds[0].R = Matrix::Ones(3, 2); },
       "weights of each site"},
      {[](ReleaseContent& c) { c.sites->rounds.clear(); }, "sites"},
      {[](ReleaseContent& c) { c.earlier_statistics.clear(); },
       "two or three statistics"},
      {[](ReleaseContent& c) { c.privacy.protect = Protection::kRows; },
       "outputs are protected"},
      {[](ReleaseContent& c) { c.no_sites = "there are none"; }, "sites"}};
  EXPECT_NO_THROW(Release{SiteContent()});
  for (const auto& [change, message] : changes) {
    ReleaseContent content = SiteContent();
    change(content);
    EXPECT_THAT([&] { Release{content}; },
                ThrowsMessage<InvalidInput>(HasSubstr(message)))
        << message;
  }
}

}  // namespace
}  // namespace cloak
