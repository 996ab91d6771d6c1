// cloak select: a private choice, seen from outside.

#include <nlohmann/json.hpp>
#include <set>

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CliSelect : public CliTest {
 protected:
  CliSelect() { data_ = Write("data.csv", Survey(60)); }

  // An option in `more` replaces that of the same name; one whose value is
  // empty is left out.
  Args SelectArgs(const Args& more = {}) const {
    Args args =
        ReleaseArgs(data_, "",
                    {"--delta", "", "--kernel",
                     "bias(1000) + eq(variance=600, lengthscale={5,20})",
                     "--noise-variance", "{20,60}"});
    args[0] = "select";
    args.insert(args.end(),
                {"--release-epsilon", "2", "--release-delta", "1e-3"});
    for (size_t i = 0; i < more.size(); ++i) {
      const auto found = std::find(args.begin(), args.end(), more[i]);
      const bool has_value =
          i + 1 < more.size() && !more[i + 1].starts_with("-");
      if (found == args.end()) {
        args.push_back(more[i]);
        if (has_value) args.push_back(more[++i]);
      } else if (more[++i].empty()) {
        args.erase(found, found + 2);
      } else {
        *(found + 1) = more[i];
      }
    }
    return args;
  }

  std::string ErrorOf(const Args& more, int code = 2) const {
    const CliResult result = Run(SelectArgs(more));
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(result.out, "");
    return result.err;
  }

  std::string data_;
};

TEST_F(CliSelect, PrintsWhatToGiveToRelease) {
  const CliResult chosen = Run(SelectArgs({"-o", Path("choice.json")}));
  ASSERT_EQ(chosen.code, 0) << chosen.err;
  EXPECT_THAT(
      chosen.err,
      AllOf(HasSubstr("Chose one of 4 candidates for 'height' given 'age'"),
            HasSubstr("(1, 0)-differential privacy of each row's 'height'"),
            HasSubstr("exponential mechanism"), Not(HasSubstr("PRIVATE"))));
  EXPECT_THAT(chosen.out,
              testing::MatchesRegex(
                  "--kernel 'bias\\(1000\\) \\+ eq\\(variance=600, "
                  "lengthscale=(5|20)\\)' --noise-variance (20|60)\n"));
  const json choice = json::parse(Read("choice.json"));
  EXPECT_EQ(choice["candidates"].size(), 4U);
  EXPECT_EQ(choice["privacy"]["epsilon"], 1);
  EXPECT_EQ(choice["privacy"]["delta"], 0);
  EXPECT_EQ(choice["folds"], 5);
  EXPECT_THAT(choice.dump(), Not(HasSubstr("robabilit")));

  // And that does release.
  Args release = ReleaseArgs(data_, Path("out.cloak"),
                             {"--kernel", "", "--noise-variance", ""});
  for (const std::string word : choice["chosen"]["arguments"]) {
    release.push_back(word);
  }
  const CliResult released = Run(release);
  EXPECT_EQ(released.code, 0) << released.err;
}

// Whatever the outputs are, nothing but the choice depends on them.
TEST_F(CliSelect, OnlyTheChoiceDependsOnTheOutputs) {
  const auto public_part = [this](const std::string& csv) {
    data_ = Write("data.csv", csv);
    const CliResult result =
        Run(SelectArgs({"-o", Path("choice.json"), "--overwrite"}));
    EXPECT_EQ(result.code, 0) << result.err;
    json choice = json::parse(Read("choice.json"));
    choice.erase("chosen");
    return result.err + choice.dump();
  };
  const std::string one = public_part(Survey(60));
  EXPECT_EQ(one, public_part(Survey(60, 13)));
  EXPECT_EQ(one, public_part(Survey(60, 1e6)));  // all clipped
}

// With a large budget the best candidate always wins; with a tiny one anything
// does. A curve that rises within a few years needs a short lengthscale.
TEST_F(CliSelect, ChoosesWhatPredictsBest) {
  const auto choices = [this](const std::string& epsilon) {
    std::multiset<std::string> chosen;
    for (seed_ = 1; seed_ <= 12; ++seed_) {
      chosen.insert(
          Run(SelectArgs({"--epsilon", epsilon, "--release-epsilon", "1000",
                          "--noise-variance", "20", "--kernel",
                          "bias(1000) + eq(variance=600, "
                          "lengthscale={10,1000})"}))
              .out);
    }
    return chosen;
  };
  const auto certain = choices("1000");
  EXPECT_EQ(certain.count(*certain.begin()), 12U);
  EXPECT_THAT(*certain.begin(), HasSubstr("lengthscale=10)"));
  const auto chance = choices("1e-3");
  EXPECT_LT(chance.count(*chance.begin()), 12U);
}

TEST_F(CliSelect, ADryRunListsCandidatesAndOpensNoOutput) {
  // Without the private column's content nothing can be chosen.
  data_ = Write(
      "data.csv", "age,height\n" + [] {
        std::string rows;
        for (int i = 0; i < 60; ++i) rows += Text(i, ",secret\n");
        return rows;
      }());
  const CliResult result = Run(SelectArgs({"--dry-run"}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("Would choose one of 4 candidates"),
                    HasSubstr("privacy noise  moved by  candidate"),
                    HasSubstr("lengthscale=20)' --noise-variance 60"),
                    HasSubstr("a dry run opens no output")));
  EXPECT_THAT(ErrorOf({"--missing", "refuse"}), Not(HasSubstr("secret")));
  const json priced = json::parse(Run(SelectArgs({"--dry-run", "--json"})).out);
  EXPECT_FALSE(priced.contains("chosen"));
  EXPECT_GT(priced["candidates"][3]["sensitivity"], 120);
}

TEST_F(CliSelect, ReadsCandidatesFromAFileToo) {
  const std::string grid =
      Write("grid.txt",
            "# the exact process, and a few others\n\n"
            "--kernel 'bias(1000) + eq(variance=600, lengthscale={5,20})' "
            "--noise-variance 40\n"
            "  --method polynomial --degree {0,1,2} --noise-variance 40\n"
            "--method cloaking --kernel \"eq(600, lengthscale=15)\" "
            "--noise-variance 40 "
            "--design {volume,trace}\n"
            "--method sparse-cloaking --inducing 4 --kernel 'eq(600, "
            "lengthscale=15)' "
            "--noise-variance 40\n");
  const CliResult result = Run(SelectArgs(
      {"--kernel", "", "--noise-variance", "", "--grid", grid, "--dry-run"}));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("--method polynomial --noise-variance 40 "
                              "--degree 2"),
                    HasSubstr("--method cloaking --design trace"),
                    HasSubstr("--method sparse-cloaking")));
  Write("grid.txt", "--noise-variance 3\n--kernle 'eq(1)'\n");
  EXPECT_THAT(ErrorOf({"--kernel", "", "--noise-variance", "", "--grid", grid}),
              AllOf(HasSubstr("line 2"), HasSubstr("--kernle")));
  EXPECT_THAT(ErrorOf({"--grid", grid}), HasSubstr("not both"));
}

TEST_F(CliSelect, ProtectsAllRowsOfAUnit) {
  std::string csv = "person,age,height\n";
  for (int i = 0; i < 60; ++i) {
    csv += Text("person ", i % 20, ",", i, ",", 100 + i, "\n");
  }
  data_ = Write("data.csv", csv);
  const Args priced = {"--dry-run", "--json", "--release-epsilon", "20"};
  Args by_unit = priced;
  by_unit.insert(by_unit.end(), {"--unit", "person"});
  const auto sensitivity = [](const CliResult& result) -> double {
    EXPECT_EQ(result.code, 0) << result.err;
    return json::parse(result.out)["privacy"]["sensitivity"];
  };
  EXPECT_GT(sensitivity(Run(SelectArgs(by_unit))),
            1.5 * sensitivity(Run(SelectArgs(priced))));
}

TEST_F(CliSelect, SaysWhatIsMissingOrWrong) {
  EXPECT_THAT(ErrorOf({"--noise-variance", "{20,20}"}),
              HasSubstr("two candidates are the same"));
  const std::string open = Write(
      "open.txt", "--noise-variance 50 --kernel 'bias(1) + eq(6, {5,6})\n");
  EXPECT_THAT(
      ErrorOf({"--grid", open, "--kernel", "", "--noise-variance", ""}),
      AllOf(HasSubstr("line 1"), HasSubstr("a quote is opened and not")));
  EXPECT_THAT(ErrorOf({"--epsilon", ""}), HasSubstr("--epsilon is missing"));
  EXPECT_THAT(ErrorOf({"--release-epsilon", ""}),
              HasSubstr("--release-epsilon is missing"));
  EXPECT_THAT(ErrorOf({"--release-delta", "2"}), HasSubstr("delta must be"));
  EXPECT_THAT(ErrorOf({"--bounds", ""}), HasSubstr("--bounds LO:HI"));
  EXPECT_THAT(ErrorOf({"--kernel", "", "--noise-variance", ""}),
              HasSubstr("what is there to choose from?"));
  EXPECT_THAT(ErrorOf({"--kernel", "eq(1)", "--noise-variance", "1"}),
              HasSubstr("at least two candidates"));
  EXPECT_THAT(ErrorOf({"--noise-variance", "{1,2"}),
              HasSubstr("--noise-variance must have alternatives as {a,b}"));
  EXPECT_THAT(ErrorOf({"--noise-variance", "{1,}"}),
              HasSubstr("empty alternative"));
  EXPECT_THAT(ErrorOf({"--noise-variance", "{1,-2}"}),
              AllOf(HasSubstr("candidate 2 ("),
                    HasSubstr("--noise-variance must be finite and positive")));
  EXPECT_THAT(ErrorOf({"--noise-variance", ""}),
              HasSubstr("a candidate says everything"));
  EXPECT_THAT(ErrorOf({"--method", "binning"}), HasSubstr("--method must be"));
  EXPECT_THAT(ErrorOf({"--protect", ""}),
              StartsWith("cloak: --protect is missing"));
  EXPECT_THAT(ErrorOf({"--protect", "rows"}),
              HasSubstr("--release-epsilon belongs to --protect outputs"));
  EXPECT_THAT(ErrorOf({"--delta", "1e-5"}),
              HasSubstr("--delta belongs to --protect rows"));
  EXPECT_THAT(ErrorOf({"--folds", "1"}), HasSubstr("--folds must be"));
  EXPECT_THAT(ErrorOf({"--folds", "100"}), HasSubstr("from 2 to 60 folds"));
  EXPECT_THAT(
      ErrorOf({"--method", "sparse-cloaking", "--release-epsilon", "1e-4"}),
      HasSubstr("no candidate is worth choosing"));
  // Also of a dry run, for which nothing is charged.
  EXPECT_THAT(ErrorOf({"--epsilon", "1e-19", "--dry-run"}),
              HasSubstr("epsilon must be from 2^-60"));
}

TEST_F(CliSelect, ProbabilitiesAreForTheTerminalAlone) {
  EXPECT_THAT(ErrorOf({"--show-probabilities"}), HasSubstr("on a terminal"));
  const CliResult shown =
      Run(SelectArgs({"--show-probabilities", "-o", Path("choice.json")}), "",
          /*terminal=*/true);
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.err, AllOf(HasSubstr("PRIVATE, for you alone"),
                               HasSubstr(" %  --kernel")));
  EXPECT_THAT(shown.out + Read("choice.json"), Not(HasSubstr("%")));
}

TEST_F(CliSelect, IsChargedToALedgerWithTheRelease) {
  const std::string ledger = Path("spent.ledger");
  ASSERT_EQ(Run({"ledger", "init", ledger, data_, "--dataset", "heights",
                 "--private", "height", "--protect", "outputs", "--epsilon",
                 "2", "--delta", "1e-3"})
                .code,
            0);
  const Args charged = {"--ledger", ledger, "--epsilon", "0.5"};
  const CliResult priced =
      Run(SelectArgs({"--ledger", ledger, "--epsilon", "0.5", "--dry-run"}));
  EXPECT_THAT(priced.out, HasSubstr("the budget of 'heights' allows it"));
  const CliResult chosen = Run(SelectArgs(charged));
  ASSERT_EQ(chosen.code, 0) << chosen.err;
  EXPECT_THAT(chosen.err, HasSubstr("charged to 'heights' as entry 3"));
  const json shown = json::parse(Run({"ledger", "show", ledger, "--json"}).out);
  EXPECT_EQ(shown["datasets"][0]["releases"][0]["event"],
            "bounded_range(epsilon=0.5)");
  EXPECT_THAT(shown.dump(), HasSubstr("choice of hyperparameters for height"));
  // More than is left: refused before anything is drawn.
  EXPECT_THAT(ErrorOf({"--ledger", ledger, "--epsilon", "100"}, 3),
              HasSubstr("does not allow this release"));
}

}  // namespace
}  // namespace cloak
