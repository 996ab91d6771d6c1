#include <nlohmann/json.hpp>

#include "cloak/release/file_format.h"
#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class CliAudit : public CliTest {
 protected:
  // The options of a release, for `cloak audit`.
  Args AuditArgs(const std::string& data, const Args& more = {}) const {
    Args args = ReleaseArgs(data, "", more);
    args[0] = "audit";
    args.insert(args.end(), {"--releases", "20000"});
    return args;
  }

  // A release file, with its noise multiplied and a fresh checksum.
  std::string ReleaseFile(double noise) {
    const std::string data = Write("data.csv", Survey(60));
    const CliResult made = Run(ReleaseArgs(data, Path("true.cloak")));
    EXPECT_EQ(made.code, 0) << made.err;
    ReleaseContent content =
        ReleaseFromJson(Read("true.cloak"), "true.cloak").content();
    content.privacy.noise_sd *= noise;
    return Write("other.cloak", ReleaseToJson(Release(content)));
  }
};

TEST_F(CliAudit, APlannedReleaseIsNotAccused) {
  const std::string data = Write("data.csv", Survey(60));
  const auto before = Files();
  const CliResult result = Run(AuditArgs(data));
  EXPECT_EQ(result.code, kDone) << result.err;
  // The first of five rounds, which has a share of the budget.
  EXPECT_THAT(result.out, HasSubstr("claimed      epsilon = 0.18"));
  EXPECT_THAT(result.out, HasSubstr("5 rounds, which alone is known"));
  EXPECT_THAT(result.out, HasSubstr("equal in exact integers"));
  EXPECT_THAT(result.out, HasSubstr("not accused"));
  EXPECT_EQ(Files(), before);
}

TEST_F(CliAudit, SaysTheSameInJson) {
  const std::string person =
      "person,age,height\na,1,100\nb,20,150\na,30,160\nb,50,170\nc,70,165\n";
  const std::string data = Write("data.csv", person);
  const CliResult result = Run(AuditArgs(data, {"--json", "--unit", "person"}));
  EXPECT_EQ(result.code, kDone) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["claimed_epsilon"], 1);
  EXPECT_EQ(report["delta"], 1e-3);
  EXPECT_EQ(report["releases"], 20000);
  EXPECT_EQ(report["accused"], false);
  EXPECT_EQ(report["declared_sensitivity_squared_units"],
            report["measured_sensitivity_squared_units"]);
  EXPECT_GT(report["gaussian_epsilon_lower"], 0.95);
  EXPECT_LE(report["gaussian_epsilon_lower"], 1);
}

TEST_F(CliAudit, DoesNotReadThePrivateOutputs) {
  const std::string data =
      Write("data.csv", "age,height\n1,secret\n30,\n70,not a number\n");
  const CliResult hidden = Run(AuditArgs(data));
  EXPECT_EQ(hidden.code, kDone) << hidden.err;
  const std::string other =
      Write("other.csv", "age,height\n1,100\n30,160\n70,170\n");
  EXPECT_EQ(Run(AuditArgs(other)).out, hidden.out);
}

TEST_F(CliAudit, AReleaseFileIsNotAccused) {
  const CliResult result = Run({"audit", ReleaseFile(1)});
  EXPECT_EQ(result.code, kDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("not checked"));
}

TEST_F(CliAudit, AFileThatStatesTooLittleNoiseIsAccused) {
  // The file states the noise of the last of five rounds, which has 54 % of
  // the budget.
  const CliResult result = Run({"audit", ReleaseFile(0.6), "--json"});
  EXPECT_EQ(result.code, kPrivacyNotKept);
  EXPECT_EQ(json::parse(result.out)["accused"], true);
  EXPECT_GT(json::parse(result.out)["stated_epsilon"], 1.2);
  EXPECT_THAT(result.err, HasSubstr("the audit refutes the privacy claim"));
}

TEST_F(CliAudit, SaysWhatIsMissing) {
  EXPECT_THAT(Run({"audit"}).err, HasSubstr("cloak audit DATA.csv"));
  const std::string data = Write("data.csv", Survey(10));
  EXPECT_EQ(Run({"audit", data}).code, kWrongInput);
  EXPECT_THAT(Run({"audit", data, "--inputs", "age"}).err,
              HasSubstr("--output is missing"));
  EXPECT_THAT(Run({"audit", data, "--inputs", "age", "--output", "height"}).err,
              HasSubstr("--protect is missing"));
  EXPECT_THAT(Run({"audit", data, "--releases", "10"}).err,
              HasSubstr("an audit needs 10000"));
}

}  // namespace
}  // namespace cloak
