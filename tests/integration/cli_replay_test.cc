// Every kind of release, made again with the same noise from a table that
// differs in nothing but the order of its rows, or in one private cell,
// whatever that holds: what an observer sees and no noise was added to is the
// same.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "tests/integration/cli_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;

struct ReplayCase {
  std::string name;
  std::vector<std::string> args;  // in which AT is a file of query points
};

void PrintTo(const ReplayCase& replayed, std::ostream* out) {
  *out << replayed.name;
}

constexpr char kEq[] = "bias(1000) + eq(variance=600, lengthscale=15)";

std::vector<std::string> Joined(std::vector<std::string> words,
                                const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// With the outputs private.
std::vector<ReplayCase> OutputCases() {
  const std::vector<std::string> height = {
      "release", "--protect", "outputs", "--inputs",  "age,weight", "--output",
      "height",  "--bounds",  "60:200",  "--epsilon", "0.5"};
  const std::vector<std::string> delta = {"--delta", "1e-4"};
  const std::vector<std::string> given = {
      "--delta", "1e-4", "--kernel", kEq, "--noise-variance", "40"};
  const std::vector<std::string> repaid = {
      "release",   "--task",   "classification",
      "--protect", "outputs",  "--inputs",
      "age",       "--output", "repaid",
      "--classes", "no,yes",   "--epsilon",
      "0.5",       "--delta",  "1e-4"};
  const std::vector<std::string> eq = {"--kernel", "eq(2, lengthscale=20)"};
  const auto method = [](const std::string& name) {
    return std::vector<std::string>{"--method", name};
  };
  return {
      {"Learned", Joined(height, delta)},
      {"LearnedWithUnits", Joined(Joined(height, delta), {"--unit", "person"})},
      {"Given", Joined(height, given)},
      {"WithUnits", Joined(Joined(height, given), {"--unit", "person"})},
      {"WithRowNoise",
       Joined(Joined(height, given), {"--noise-column", "spread"})},
      {"AtPoints", Joined(Joined(height, given), {"--at", "AT"})},
      {"Volume", Joined(Joined(height, given), {"--design", "volume"})},
      {"Trace", Joined(Joined(height, given), {"--design", "trace"})},
      {"Cloaking",
       Joined(Joined(height, given), {"--method", "cloaking", "--at", "AT"})},
      {"CloakingWithTrace",
       Joined(Joined(height, given),
              {"--method", "cloaking", "--at", "AT", "--design", "trace"})},
      {"Sparse", Joined(Joined(height, given),
                        {"--method", "sparse-cloaking", "--inducing", "4"})},
      {"Nonstationary",
       Joined(Joined(height, given),
              {"--method", "nonstationary-cloaking", "--at", "AT"})},
      {"Functional", Joined(Joined(height, given), method("functional"))},
      {"Polynomial", Joined(Joined(height, delta), {"--method", "polynomial",
                                                    "--noise-variance", "40"})},
      {"Binning", Joined(height, {"--method", "binning", "--bins", "3,2"})},
      {"IntegralBinning",
       Joined(height, {"--method", "integral-binning", "--bins", "3,2",
                       "--kernel", kEq, "--noise-variance", "40"})},
      {"Classes", repaid},
      {"ClassesWithUnits", Joined(repaid, {"--unit", "person"})},
      {"ClassesGiven", Joined(repaid, eq)},
      {"Laplace", Joined(Joined(repaid, eq), method("laplace"))},
      {"LaplaceTwice", Joined(Joined(repaid, eq),
                              {"--method", "laplace", "--newton-steps", "2"})},
      {"LaplaceSparse",
       Joined(Joined(repaid, eq),
              {"--method", "laplace-sparse", "--inducing", "3"})},
      {"Select",
       {"select", "--protect", "outputs", "--inputs", "age,weight", "--output",
        "height", "--bounds", "60:200", "--epsilon", "0.5", "--release-epsilon",
        "5", "--release-delta", "1e-4", "--noise-variance", "40", "--kernel",
        "bias(1000) + eq(variance=600, lengthscale={10,20,40})"}},
  };
}

// With whole rows private.
std::vector<ReplayCase> RowCases() {
  const std::vector<std::string> ranges = {"--protect", "rows",
                                           "--input-ranges", "age=0:100"};
  const std::vector<std::string> height =
      Joined({"release", "--inputs", "age", "--output", "height", "--bounds",
              "60:200", "--epsilon", "0.5", "--delta", "1e-4"},
             ranges);
  const std::vector<std::string> repaid =
      Joined({"release", "--inputs", "age", "--output", "repaid", "--classes",
              "no,yes", "--epsilon", "0.5"},
             ranges);
  const std::vector<std::string> age =
      Joined({"release", "--inputs", "age", "--epsilon", "0.5"}, ranges);
  return {
      {"Rows", height},
      // Cells are cut from round to round where there are two inputs.
      {"RowsOfTwoInputs",
       {"release", "--inputs", "age,weight", "--output", "height", "--bounds",
        "60:200", "--epsilon", "0.5", "--delta", "1e-4", "--protect", "rows",
        "--input-ranges", "age=0:100,weight=0:80", "--kernel", kEq,
        "--noise-variance", "40"}},
      {"RowsGiven",
       Joined(height, {"--kernel", kEq, "--noise-variance", "40"})},
      {"Variational",
       Joined(height,
              {"--method", "variational", "--kernel", "eq(600, lengthscale=20)",
               "--noise-variance", "40", "--inducing", "4"})},
      {"RowsOfClasses",
       Joined(repaid, {"--task", "classification", "--delta", "1e-4"})},
      {"Svm", Joined(repaid, {"--task", "svm", "--delta", "1e-4"})},
      {"Histogram", Joined(age, {"--task", "histogram", "--bins", "5"})},
      {"Density", Joined(age, {"--task", "density"})},
      {"FunctionalDensity",
       Joined(age, {"--task", "density", "--method", "functional", "--delta",
                    "1e-4", "--bandwidth", "10"})},
      {"SelectRows",
       Joined({"select", "--inputs", "age", "--output", "height", "--bounds",
               "60:200", "--epsilon", "6", "--delta", "1e-4", "--tries", "3",
               "--noise-variance", "40", "--kernel",
               "bias(1000) + eq(variance=900, lengthscale={8,20})"},
              ranges)},
  };
}

class Replay : public CliTest, public testing::WithParamInterface<ReplayCase> {
 protected:
  // What is seen of one run: the exit code, and all else in parts, each with
  // the place that it stands in.
  struct Seen {
    int code = 0;
    std::map<std::string, std::string> parts;
  };

  // `alike`: rows come in threes that have the same public columns.
  static std::vector<std::string> Rows(bool alike) {
    std::vector<std::string> rows;
    for (int i = 0; i < 30; ++i) {
      const int k = alike ? i / 3 : i;
      rows.push_back(Text("person ", k % 10, ",", 3 * k + 1, ",",
                          10 + (7 * k) % 50, ",", 30 + k % 4, ",",
                          90 + (37 * i) % 101, ",",
                          (i * i) % 5 < 2 ? "yes" : "no"));
    }
    return rows;
  }

  Seen SeenOf(const std::vector<std::string>& rows, uint64_t seed) {
    std::string csv = "person,age,weight,spread,height,repaid\n";
    for (const std::string& row : rows) csv += row + "\n";
    Args args = {};
    for (const std::string& word : GetParam().args) {
      args.push_back(word == "AT" ? Write("at.csv", "age,weight\n5,20\n30,40\n")
                                  : word);
    }
    args.insert(args.begin() + 1, Write("data.csv", csv));
    args.insert(args.end(), {"-o", Path("out"), "--overwrite"});
    seed_ = seed;
    const CliResult result = Run(args);
    Seen seen{result.code, {}};
    AddLines("out", result.out, seen);
    AddLines("err", result.err, seen);
    if (result.code != 0) return seen;
    const json file = json::parse(Read("out")).flatten();
    for (const auto& [place, value] : file.items()) {
      seen.parts[place] = value.dump();
    }
    return seen;
  }

  static void AddLines(const std::string& name, const std::string& text,
                       Seen& seen) {
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      // How long a file is depends on how many digits noisy numbers have.
      if (line.starts_with("  written ")) continue;
      seen.parts[Text(name, " line ", number)] = line;
    }
  }

  // Returns what is seen whatever the noise is.
  Seen WithoutNoise(const std::vector<std::string>& rows) {
    Seen common = SeenOf(rows, 1);
    EXPECT_EQ(common.code, 0) << common.parts["err line 1"];
    for (uint64_t seed = 100; seed < 500; seed += 100) {
      const Seen other = SeenOf(rows, seed);
      std::erase_if(common.parts, [&other](const auto& part) {
        const auto found = other.parts.find(part.first);
        return found == other.parts.end() || found->second != part.second;
      });
    }
    EraseLaterRounds(common);
    ErasePacking(common);
    return common;
  }

  // In how many digits packed numbers stand in a file follows from the noisy
  // ones that they were computed from: a power of two and a number of bytes,
  // which several draws of the noise may share by chance.
  static void ErasePacking(Seen& seen) {
    std::erase_if(seen.parts, [](const auto& part) {
      const std::string& place = part.first;
      const bool packed = place.find("/directions/") != std::string::npos ||
                          place.starts_with("/sites/rounds/");
      return packed && (place.ends_with("/step") || place.ends_with("/bytes"));
    });
  }

  // What a round after the first is of, and so what it costs to the last bit,
  // is chosen by what was published before it: it is the same for several draws
  // of the noise only by chance.
  static void EraseLaterRounds(Seen& seen) {
    std::vector<std::string> later;
    for (const auto& [place, value] : seen.parts) {
      const bool of_a_round =
          place.ends_with("/of") &&
          (value.starts_with("\"round ") || value.starts_with("\"step "));
      if (!of_a_round || value.find(" 1 of ") != std::string::npos) continue;
      later.push_back(place.substr(0, place.size() - 2));
    }
    if (later.empty()) return;
    std::erase_if(seen.parts, [&later](const auto& part) {
      // Rounds differ in how many numbers they release, too.
      if (part.second.starts_with("Released ")) return true;
      return std::any_of(later.begin(), later.end(),
                         [&part](const std::string& prefix) {
                           return part.first.starts_with(prefix) &&
                                  !part.first.ends_with("/of");
                         });
    });
  }

  static void ExpectHas(const Seen& seen, const Seen& expected,
                        const std::string& what) {
    EXPECT_EQ(seen.code, expected.code) << what;
    for (const auto& [place, value] : expected.parts) {
      const auto found = seen.parts.find(place);
      EXPECT_EQ(found == seen.parts.end() ? "(nothing)" : found->second, value)
          << place << ", " << what;
    }
  }

  // The places of the private columns in a row.
  static std::vector<size_t> PrivateCells() {
    const std::vector<std::string>& args = GetParam().args;
    const auto has = [&args](const std::string& word) {
      return std::count(args.begin(), args.end(), word) > 0;
    };
    std::vector<size_t> cells;
    if (has("rows")) cells.push_back(1);
    if (has("height")) cells.push_back(4);
    if (has("repaid")) cells.push_back(5);
    return cells;
  }

  static std::vector<std::string> WithCell(std::vector<std::string> rows,
                                           size_t row, size_t place,
                                           const std::string& cell) {
    std::vector<std::string> cells = Split(rows[row], ',');
    cells[place] = cell;
    rows[row] = Join(cells, ",");
    return rows;
  }

  static std::vector<std::vector<std::string>> Permutations(
      std::vector<std::string> rows) {
    std::vector<std::vector<std::string>> all;
    all.emplace_back(rows.rbegin(), rows.rend());
    // By the private output, as a database would: ranks stand in the order.
    std::sort(rows.begin(), rows.end(),
              [](const std::string& a, const std::string& b) {
                const auto private_part = [](const std::string& row) {
                  size_t comma = 0;
                  for (int k = 0; k < 4; ++k) comma = row.find(',', comma) + 1;
                  return row.substr(comma);
                };
                return private_part(a) < private_part(b);
              });
    all.push_back(rows);
    std::mt19937 generator(7);
    std::shuffle(rows.begin(), rows.end(), generator);
    all.push_back(rows);
    return all;
  }
};

TEST_P(Replay, TheOrderOfRowsLeavesNoTrace) {
  for (const bool alike : {false, true}) {
    const Seen expected = WithoutNoise(Rows(alike));
    // More than the version of the format is known before any noise is drawn.
    EXPECT_GT(expected.parts.size(), 10U);
    int number = 0;
    for (const auto& permuted : Permutations(Rows(alike))) {
      ExpectHas(SeenOf(permuted, 1), expected,
                Text("order ", ++number, alike ? ", rows alike" : ""));
    }
  }
}

// What a private cell can hold that a careless reader would stumble over.
const std::string kHostileCells[] = {
    "",      " ",      "NA",      "NaN",    ".",      "tall",
    "1e400", "-1e400", "inf",     "5e-324", "-0",     "60",
    "200",   "17e1",   "\"1,5\"", "5\"",    "\"5\"x", "\xff\xfe"};

TEST_P(Replay, APrivateCellLeavesNoTraceWhateverItHolds) {
  const std::vector<std::string> rows = Rows(false);
  const Seen expected = WithoutNoise(rows);
  for (const size_t place : PrivateCells()) {
    for (const std::string& cell : kHostileCells) {
      ExpectHas(SeenOf(WithCell(rows, 11, place, cell), 1), expected,
                Text("'", cell, "' in column ", place + 1));
    }
  }
  // All of them, too: but what is inferred, also how sure that is, follows from
  // how many are published to be there.
  Seen words = expected;
  std::erase_if(words.parts, [](const auto& part) {
    return part.first.starts_with("/posteriors");
  });
  std::vector<std::string> empty = rows;
  for (size_t row = 0; row < rows.size(); ++row) {
    for (const size_t place : PrivateCells()) {
      empty = WithCell(empty, row, place, "");
    }
  }
  ExpectHas(SeenOf(empty, 1), words, "nothing but missing cells");
}

// Inputs are public where outputs are private, but a file need not say whose
// they are: its numbers are nobody's. The decimals of these rows are odd enough
// that no mean and no grid has them by chance.
TEST_P(Replay, NoValueOfARowStandsInTheFile) {
  std::vector<std::string> rows;
  for (int i = 0; i < 40; ++i) {
    const int odd = 1000 + (i * i * i * 37 + 11 * i) % 8999;
    rows.push_back(Text("person ", i % 10, ",", 2 * i + 1, ".", odd, "13,",
                        10 + (17 * i) % 50, ".", odd, "37,", 30 + i % 4, ".",
                        odd, "91,", 90 + (37 * i) % 101, ",",
                        i % 5 < 2 ? "yes" : "no"));
  }
  for (const size_t count : {size_t{8}, rows.size()}) {
    std::vector<std::string> table = rows;
    table.resize(count);
    const Seen seen = SeenOf(table, 1);
    ASSERT_EQ(seen.code, 0) << seen.parts.begin()->second;
    const std::string file = Read("out");
    for (const std::string& row : table) {
      std::istringstream cells(row);
      std::string cell;
      std::getline(cells, cell, ',');
      for (int column = 1; column < 4; ++column) {
        std::getline(cells, cell, ',');
        EXPECT_EQ(file.find(cell), std::string::npos)
            << cell << " of " << count << " rows";
      }
    }
  }
}

std::string CaseName(const testing::TestParamInfo<ReplayCase>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Outputs, Replay, testing::ValuesIn(OutputCases()),
                         CaseName);
INSTANTIATE_TEST_SUITE_P(Rows, Replay, testing::ValuesIn(RowCases()), CaseName);

}  // namespace
}  // namespace cloak
