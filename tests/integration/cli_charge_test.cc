// What cannot be released for a reason that is known beforehand is refused
// before it is charged: with exit code 2, a message that names what is wrong,
// and no file.

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Matcher;
using testing::Not;
using testing::StartsWith;

// A kind of release by its options, which others are added to or replace.
using Options = std::map<std::string, std::string>;

struct Refused {
  Options change;  // what makes it impossible; left out where empty
  std::string message;
};

class Charge : public CliTest {
 protected:
  Charge() {
    std::string csv = "age,height,tall,sex\n";
    for (int i = 0; i < 40; ++i) {
      csv += Text(2 * i, ",", 100 + i + i % 7, ",", i % 2, ",",
                  i % 3 == 0 ? "F" : "M", "\n");
    }
    data_ = Write("data.csv", csv);
    Init("outputs", "height");
    Init("labels", "tall");
    Init("rows", "age,sex,height,tall");
  }

  void ExpectUncharged(const std::string& ledger, const Options& options,
                       const std::vector<Refused>& cases) {
    ExpectReleased(ledger, options);
    for (const Refused& refused : cases) {
      Options all = options;
      for (const auto& [name, value] : refused.change) all[name] = value;
      const auto before = Files();
      const CliResult result = Run(ArgsOf(ledger, all));
      EXPECT_EQ(result.code, 2) << testing::PrintToString(refused.change);
      EXPECT_THAT(result.err,
                  AllOf(StartsWith("cloak: "), HasSubstr(refused.message),
                        Not(HasSubstr("unexpected"))))
          << testing::PrintToString(refused.change);
      EXPECT_EQ(result.out, "");
      // The ledger is one of them.
      EXPECT_EQ(Files(), before) << testing::PrintToString(refused.change);
    }
  }

  Args ArgsOf(const std::string& ledger, const Options& options) const {
    Args args = {"release",         data_,       "--ledger", Path(ledger), "-o",
                 Path("out.cloak"), "--threads", "1"};
    if (!options.contains("--protect")) {
      args.insert(args.end(), {"--protect", "outputs"});
    }
    for (const auto& [name, value] : options) {
      if (value.empty()) continue;
      args.push_back(name);
      args.push_back(value);
    }
    return args;
  }

  std::string data_;

 private:
  void Init(const std::string& ledger, const std::string& columns) {
    const CliResult made =
        Run({"ledger", "init", Path(ledger), data_, "--dataset", ledger,
             "--private", columns, "--epsilon", "90", "--delta", "1e-2",
             "--protect", ledger == "rows" ? "rows" : "outputs"});
    EXPECT_EQ(made.code, 0) << made.err;
  }

  // Without the change it can be released.
  void ExpectReleased(const std::string& ledger, const Options& options) {
    const CliResult made = Run(ArgsOf(ledger, options));
    EXPECT_EQ(made.code, 0) << made.err;
    std::filesystem::remove(Path("out.cloak"));
  }
};

const char* const kKernel = "bias(1000) + eq(variance=600, lengthscale=15)";

const Options kRegression = {{"--inputs", "age"},       {"--output", "height"},
                             {"--bounds", "60:200"},    {"--epsilon", "1"},
                             {"--delta", "1e-3"},       {"--kernel", kKernel},
                             {"--noise-variance", "40"}};

const Options kClasses = {{"--task", "classification"},
                          {"--inputs", "age"},
                          {"--output", "tall"},
                          {"--classes", "0,1"},
                          {"--epsilon", "1"},
                          {"--delta", "1e-3"},
                          {"--kernel", "eq(1, lengthscale=15)"}};

Options With(Options options, const Options& more) {
  for (const auto& [name, value] : more) options[name] = value;
  return options;
}

Options ChargedRows(const Options& options) {
  return With(options, {{"--protect", "rows"}, {"--input-ranges", "age=0:90"}});
}

// Numbers that no output is measured in, whose squares are no doubles.
std::vector<Refused> OutputsTooLargeOrSmall() {
  std::vector<Refused> cases;
  for (const char* const bounds :
       {"-1e150:1e150", "60:1e160", "1e300:1e301", "0:1e308", "0:1e-320",
        "0:1e-300", "0:1e-150"}) {
    cases.push_back({{{"--bounds", bounds}}, "1e50"});
  }
  for (const char* const kernel :
       {"bias(1e300)", "eq(1e300, lengthscale=15)", "linear(1e300)",
        "eq(1, lengthscale=1e-300)", "bias(1e30) + linear(1e30)",
        "eq(1e24, lengthscale=15)"}) {
    cases.push_back({{{"--kernel", kernel}}, "kernel"});
  }
  for (const char* const variance : {"1e-320", "1e300", "0", "nan"}) {
    cases.push_back({{{"--noise-variance", variance}}, "noise"});
  }
  return cases;
}

std::vector<Refused> RangesTooLargeOrSmall() {
  std::vector<Refused> cases;
  for (const char* const range :
       {"-1e151:1e151", "1e300:1e301", "0:1e-300", "0:1e-320", "0:1e308"}) {
    cases.push_back({{{"--input-ranges", Text("age=", range)}}, "'age'"});
  }
  cases.push_back({{{"--input-ranges", "age=90:0"}}, "LO below HI"});
  cases.push_back({{{"--input-ranges", "age=0:nan"}}, "--input-ranges"});
  return cases;
}

TEST_F(Charge, IsNotMadeForAbsurdOutputs) {
  ExpectUncharged("outputs", kRegression, OutputsTooLargeOrSmall());
  ExpectUncharged("rows", ChargedRows(kRegression), OutputsTooLargeOrSmall());
  ExpectUncharged("rows",
                  With(ChargedRows(kRegression), {{"--method", "variational"}}),
                  OutputsTooLargeOrSmall());
  for (const char* const method : {"sparse-cloaking", "functional"}) {
    ExpectUncharged("outputs", With(kRegression, {{"--method", method}}),
                    OutputsTooLargeOrSmall());
  }
}

TEST_F(Charge, IsNotMadeForAbsurdRanges) {
  const Options spread = {{"--inputs", "age"},
                          {"--epsilon", "1"},
                          {"--delta", "1e-3"},
                          {"--protect", "rows"},
                          {"--input-ranges", "age=0:90"}};
  const Options svm =
      With(ChargedRows(kClasses), {{"--task", "svm"}, {"--kernel", ""}});
  const Options functional =
      With(spread, {{"--task", "density"}, {"--method", "functional"}});
  for (const Options& kind :
       {ChargedRows(kRegression), ChargedRows(kClasses), svm, functional,
        With(spread, {{"--task", "histogram"}}),
        With(spread, {{"--task", "density"}})}) {
    ExpectUncharged("rows", kind, RangesTooLargeOrSmall());
  }
}

TEST_F(Charge, IsNotMadeForNamesThatAReleaseCannotHave) {
  const std::string long_name(201, 'x');
  const std::vector<Refused> classes = {
      {{{"--classes", "0," + long_name}}, "200 bytes"},
      {{{"--classes", "0,\xff"}}, "UTF-8"},
      {{{"--classes", "0,0.0"}}, "are the same"}};
  ExpectUncharged("labels", kClasses, classes);
  ExpectUncharged("rows", ChargedRows(kClasses), classes);
  std::string many = "sex=F";
  for (int i = 0; i < 20000; ++i) many += Text("|c", i);
  ExpectUncharged("rows",
                  {{"--task", "histogram"},
                   {"--protect", "rows"},
                   {"--inputs", "age,sex"},
                   {"--input-ranges", "age=0:90"},
                   {"--categories", "sex=F|M"},
                   {"--epsilon", "1"},
                   {"--delta", "1e-3"}},
                  {{{{"--categories", "sex=F|" + long_name}}, "200 bytes"},
                   {{{"--categories", "sex=F|\xff"}}, "UTF-8"},
                   {{{"--categories", "sex=F|F"}}, "are the same"},
                   {{{"--categories", "sex=F|"}}, "empty name"},
                   {{{"--categories", many}}, "10000"},
                   {{{"--bins", "10001"}}, "10000 bins"},
                   {{{"--bins", "0"}}, "--bins"},
                   {{{"--bins", "1e9"}}, "--bins"}});
}

TEST_F(Charge, IsNotMadeForCellsThatAreTooMany) {
  ExpectUncharged("rows", ChargedRows(kRegression),
                  {{{{"--bins", "1000000"}}, "8192 cells"}});
}

TEST_F(Charge, IsNotMadeForAChoiceThatCannotBeMade) {
  const Args select = {"select",
                       data_,
                       "--protect",
                       "outputs",
                       "--inputs",
                       "age",
                       "--output",
                       "height",
                       "--bounds",
                       "60:200",
                       "--release-epsilon",
                       "1",
                       "--release-delta",
                       "1e-3",
                       "--ledger",
                       Path("outputs"),
                       "-o",
                       Path("choice.json")};
  const auto chosen = [&](const Args& more) {
    Args args = select;
    args.insert(args.end(), more.begin(), more.end());
    return Run(args);
  };
  const std::string kernel = "bias(1000) + eq(600, lengthscale={8,15})";
  for (const Args& more :
       {Args{"--epsilon", "1e-300", "--kernel", kernel, "--noise-variance",
             "40"},
        Args{"--epsilon", "1", "--kernel", "eq({1e300,1e299}, lengthscale=15)",
             "--noise-variance", "40"},
        Args{"--epsilon", "1", "--kernel", "eq({1e24,1e20}, lengthscale=15)",
             "--noise-variance", "40"}}) {
    const auto before = Files();
    const CliResult result = chosen(more);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(Files(), before);
  }
  const Args good = {"--epsilon",        "1", "--kernel", kernel,
                     "--noise-variance", "40"};
  ASSERT_EQ(chosen(good).code, 0);
  const auto before = Files();
  EXPECT_EQ(chosen(good).code, 2);
  EXPECT_EQ(Files(), before);
}

TEST_F(Charge, IsNotMadeForAFileThatCannotBeWritten) {
  for (const std::string& file :
       {Path(std::string(300, 'x')), Path("none/out.cloak"), Path(".")}) {
    const auto before = Files();
    Args args = ArgsOf("outputs", kRegression);
    *(std::find(args.begin(), args.end(), "-o") + 1) = file;
    const CliResult result = Run(args);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("cannot write"));
    EXPECT_EQ(Files(), before);
  }
}

// A release that was paid for cannot be made again.
TEST_F(Charge, IsNotMadeForAFileThatExists) {
  const Args args = ArgsOf("outputs", kRegression);
  ASSERT_EQ(Run(args).code, 0);
  const auto before = Files();
  const CliResult again = Run(args);
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err,
              AllOf(HasSubstr("out.cloak' exists"), HasSubstr("--overwrite")));
  EXPECT_EQ(Files(), before);
  Args dry = args;
  dry.emplace_back("--dry-run");
  EXPECT_EQ(Run(dry).code, 0);
  seed_ = 2;
  Args over = args;
  over.emplace_back("--overwrite");
  const CliResult replaced = Run(over);
  EXPECT_EQ(replaced.code, 0) << replaced.err;
  EXPECT_NE(Files().at("out.cloak"), before.at("out.cloak"));
}

// Log odds of any size take no longer than others.
TEST_F(Charge, LogOddsOfAnySizeAreReleased) {
  for (const char* const kernel : {"linear(1e6)", "eq(1e5, lengthscale=15)"}) {
    std::filesystem::remove(Path("out.cloak"));
    const CliResult made = Run(
        ArgsOf("rows", With(ChargedRows(kClasses), {{"--kernel", kernel}})));
    EXPECT_EQ(made.code, 0) << made.err;
  }
}

}  // namespace
}  // namespace cloak
