// Release files that are damaged, newer or meant to do harm.

#include <sodium.h>

#include <nlohmann/json.hpp>

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using nlohmann::ordered_json;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Matcher;
using testing::Not;

class BadRelease : public CliTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(
        Run(ReleaseArgs(Write("good.csv", Survey(30)), Path("good.cloak")))
            .code,
        0);
    good_ = Read("good.cloak");
  }

  void ExpectRefused(const std::string& bytes,
                     const Matcher<const std::string&>& message) {
    const std::string file = Write("bad.cloak", bytes);
    const auto before = Files();
    for (const Args& args :
         {Args{"show", file}, Args{"show", file, "--html", Path("page.html")},
          Args{"predict", file, Path("good.csv"), "-o", Path("out.csv")}}) {
      const CliResult result = Run(args);
      EXPECT_EQ(result.code, 2) << result.err;
      EXPECT_THAT(result.err, HasSubstr("bad.cloak"));
      EXPECT_THAT(result.err, message);
      EXPECT_EQ(result.out, "");
      EXPECT_EQ(Files(), before);
    }
  }

  // As a hostile author writes it: with the right checksum.
  static std::string Sealed(std::string text) {
    const size_t place = text.find("sha256:") + 7;
    text.replace(place, 64, std::string(64, '0'));
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(
        hash, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    char digits[2 * sizeof(hash) + 1];
    sodium_bin2hex(digits, sizeof(digits), hash, sizeof(hash));
    return text.replace(place, 64, digits);
  }
  std::string SealedWith(const std::string& pointer,
                         const ordered_json& value) const {
    ordered_json altered = ordered_json::parse(good_);
    altered[ordered_json::json_pointer(pointer)] = value;
    return Sealed(altered.dump());
  }

  std::string good_;
};

TEST_F(BadRelease, SealedByThisTestIsAccepted) {
  EXPECT_EQ(Sealed(good_), good_);
  const std::string file =
      Write("renamed.cloak", SealedWith("/output", "stature"));
  EXPECT_THAT(Run({"show", file}).out, HasSubstr("stature"));
}

TEST_F(BadRelease, CutShort) {
  ExpectRefused("", HasSubstr("cut short"));
  for (const double part : {0.01, 0.5, 0.99}) {
    ExpectRefused(
        good_.substr(
            0, static_cast<size_t>(part * static_cast<double>(good_.size()))),
        HasSubstr("cut short"));
  }
}

TEST_F(BadRelease, Altered) {
  std::string altered = good_;
  const size_t digit = altered.find("\"units\"") + 14;
  altered[digit] = altered[digit] == '1' ? '2' : '1';
  ExpectRefused(altered, HasSubstr("altered or damaged"));
}

TEST_F(BadRelease, NewerVersion) {
  ExpectRefused(SealedWith("/version", 1000), HasSubstr("newer"));
}

TEST_F(BadRelease, SomethingElse) {
  ExpectRefused("{}", HasSubstr("not a Cloak release"));
  ExpectRefused("[1, 2]", HasSubstr("not a Cloak release"));
  ExpectRefused("age,height\n1,70\n", HasSubstr("cannot be used"));
  ExpectRefused(std::string(200000, '['), HasSubstr("cannot be used"));
}

TEST_F(BadRelease, SizesThatLie) {
  const std::string posterior = "/posteriors/0";
  ExpectRefused(SealedWith(posterior + "/mean", {1, 2}),
                HasSubstr("cannot be used"));
  ExpectRefused(SealedWith(posterior + "/directions/rows/0", "AAAA"),
                HasSubstr("directions"));
  ExpectRefused(SealedWith(posterior + "/directions/bytes", 5),
                HasSubstr("directions.bytes"));
  ExpectRefused(SealedWith(posterior + "/noise_parts", ordered_json::array()),
                HasSubstr("noise part"));
  ExpectRefused(SealedWith("/basis_points", ordered_json::array()),
                HasSubstr("cannot be used"));
  ExpectRefused(SealedWith("/inputs", ordered_json::array()),
                HasSubstr("cannot be used"));
  ExpectRefused(SealedWith("/posteriors", ordered_json::array()),
                HasSubstr("posteriors"));
  ExpectRefused(SealedWith("/privacy/rows", uint64_t{1} << 63),
                HasSubstr("rows"));
}

TEST_F(BadRelease, NumbersOutOfRange) {
  ExpectRefused(SealedWith("/privacy/epsilon", -1), HasSubstr("epsilon"));
  ExpectRefused(SealedWith("/privacy/delta", nullptr), HasSubstr("delta"));
  ExpectRefused(SealedWith("/posteriors/0/weight", 2), HasSubstr("weight"));
  ExpectRefused(SealedWith("/posteriors/0/kernel", "eval(1)"),
                HasSubstr("eval"));
  ExpectRefused(
      SealedWith("/posteriors/0/kernel", std::string(100000, '(') + "eq(1)"),
      HasSubstr("cannot be used"));
  std::string huge = SealedWith("/offset", 12345);
  huge.replace(huge.find("12345"), 5, "1e999");
  ExpectRefused(Sealed(huge), HasSubstr("cannot be used"));
}

TEST_F(BadRelease, BasisThatCannotBeFactored) {
  ordered_json altered = ordered_json::parse(good_);
  for (ordered_json& point : altered["basis_points"]) point[0] = 5;
  for (ordered_json& posterior : altered["posteriors"]) posterior["jitter"] = 0;
  ExpectRefused(Sealed(altered.dump()), HasSubstr("cannot be used"));
}

TEST_F(BadRelease, NamesCannotControlTheTerminal) {
  const std::string file =
      Write("hostile.cloak", SealedWith("/output", "\x1b[2J\x07height"));
  const CliResult result = Run({"show", file});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, Not(AnyOf(HasSubstr("\x1b"), HasSubstr("\x07"))));
}

}  // namespace
}  // namespace cloak
