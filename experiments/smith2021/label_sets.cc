#include "experiments/smith2021/label_sets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>

#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "experiments/dice.h"

namespace cloak {
namespace {

// The first `count` of all rows in random order, each next one with a chance
// in proportion to its weight: those with the smallest −log(u)/weight.
std::vector<Index> DrawWithout(const Vector& weights, Index count, Dice& dice) {
  std::vector<std::pair<double, Index>> keys;
  for (Index i = 0; i < weights.size(); ++i) {
    keys.emplace_back(-std::log(1 - dice.Uniform()) / weights(i), i);
  }
  std::partial_sort(keys.begin(), keys.begin() + count, keys.end());
  std::vector<Index> rows;
  for (Index k = 0; k < count; ++k) {
    rows.push_back(keys[static_cast<size_t>(k)].second);
  }
  return rows;
}

std::vector<Index> DrawWith(const Vector& weights, Index count, Dice& dice) {
  std::vector<double> sums(static_cast<size_t>(weights.size()));
  std::partial_sum(weights.begin(), weights.end(), sums.begin());
  std::vector<Index> rows;
  for (Index k = 0; k < count; ++k) {
    const double u = dice.Uniform() * sums.back();
    rows.push_back(std::upper_bound(sums.begin(), sums.end() - 1, u) -
                   sums.begin());
  }
  return rows;
}

// Each of `to` averages its share of `from`, parts of cells included.
Matrix AreaAverages(Index from, Index to) {
  Matrix A = Matrix::Zero(to, from);
  const double width = static_cast<double>(from) / static_cast<double>(to);
  for (Index i = 0; i < to; ++i) {
    for (Index j = 0; j < from; ++j) {
      const double low =
          std::max(width * static_cast<double>(i), static_cast<double>(j));
      const double high = std::min(width * static_cast<double>(i + 1),
                                   static_cast<double>(j + 1));
      A(i, j) = std::max(0.0, high - low) / width;
    }
  }
  return A;
}

std::vector<std::string> Numbered(const std::string& letter, Index count) {
  std::vector<std::string> names;
  for (Index j = 0; j < count; ++j) names.push_back(Text(letter, j));
  return names;
}

struct Rows {
  Matrix X;
  Vector y;
};

Rows At(const Rows& rows, const std::vector<Index>& which) {
  const auto count = static_cast<Index>(which.size());
  Rows chosen{Matrix(count, rows.X.cols()), Vector(count)};
  for (Index k = 0; k < count; ++k) {
    const Index i = which[static_cast<size_t>(k)];
    chosen.X.row(k) = rows.X.row(i);
    chosen.y(k) = rows.y(i);
  }
  return chosen;
}

LabelSplit Pick(const Rows& rows, const std::vector<Index>& train,
                const std::vector<Index>& test) {
  const Rows learned = At(rows, train);
  const Rows judged = At(rows, test);
  return {learned.X, learned.y, judged.X, judged.y};
}

double Stripe(double x, double y) {
  return std::fmod(std::floor((x + y) / 5), 2) == 0 ? 1 : -1;
}

LabelSplit DrawStripes(uint64_t seed) {
  constexpr Index kRows = 200;
  constexpr Index kSide = 10;
  Dice dice(seed);
  LabelSplit split{Matrix(kRows, 2), Vector(kRows), Matrix(kSide * kSide, 2),
                   Vector(kSide * kSide)};
  for (Index i = 0; i < kRows; ++i) {
    const double x = kSide * dice.Uniform();
    const double y = kSide * (1 - std::sqrt(1 - dice.Uniform()));
    split.X.row(i) << x, y;
    split.y(i) = (dice.Uniform() < 0.1 ? -1 : 1) * Stripe(x, y);
  }
  for (Index row = 0; row < kSide; ++row) {
    for (Index column = 0; column < kSide; ++column) {
      const Index k = row * kSide + column;
      const double x = static_cast<double>(column) + 0.5;
      const double y = static_cast<double>(row) + 0.5;
      split.test_inputs.row(k) << x, y;
      split.test_y(k) = Stripe(x, y);
    }
  }
  return split;
}

}  // namespace

LabelSet Digits(const std::filesystem::path& path) {
  constexpr Index kSide = 28;
  constexpr Index kSmallSide = 15;
  const std::vector<std::string> pixels = Numbered("p", kSide * kSide);
  CsvOptions csv{.numeric = pixels};
  csv.numeric.emplace_back("label");
  const Table table = ReadCsv(path, csv);
  const Matrix images = table.Numeric(pixels);
  const Matrix A = AreaAverages(kSide, kSmallSide);
  const auto rows = std::make_shared<Rows>();
  rows->X.resize(images.rows(), kSmallSide * kSmallSide);
  for (Index i = 0; i < images.rows(); ++i) {
    const Vector image = images.row(i);
    const Matrix small = A *
                         Eigen::Map<const Matrix>(image.data(), kSide, kSide) *
                         A.transpose();
    rows->X.row(i) = small.reshaped();
  }
  rows->y = (table.Numeric({"label"}).col(0).array() >= 5)
                .select(Vector::Ones(images.rows()), -1.0);
  return {"digits", Numbered("p", kSmallSide * kSmallSide),
          [rows](uint64_t seed) {
            Dice dice(seed);
            std::vector<Index> train =
                DrawWithout(Vector::Ones(rows->y.size()), 356, dice);
            std::vector<Index> test(100);
            std::copy(train.end() - 100, train.end(), test.begin());
            train.resize(256);
            return Pick(*rows, train, test);
          }};
}

LabelSet Loans(const std::filesystem::path& path) {
  // DELINQ is missing in some rows, which are left out.
  const Table table = ReadCsv(path, {.text = {"BAD", "DELINQ"}});
  const std::vector<std::string>& bad = table.TextColumn("BAD");
  const std::vector<std::string>& lines = table.TextColumn("DELINQ");
  std::vector<double> x;
  std::vector<double> y;
  std::map<double, double> with_lines;
  std::map<double, double> with_label;
  for (size_t i = 0; i < bad.size(); ++i) {
    if (lines[i].empty()) continue;
    x.push_back(ParseNumber(lines[i], "DELINQ"));
    y.push_back(2 * ParseNumber(bad[i], "BAD") - 1);
    ++with_lines[x.back()];
    ++with_label[y.back()];
  }
  const auto count = static_cast<Index>(x.size());
  const auto rows = std::make_shared<Rows>();
  rows->X = Eigen::Map<const Vector>(x.data(), count);
  rows->y = Eigen::Map<const Vector>(y.data(), count);
  Vector weights(count);
  for (Index i = 0; i < count; ++i) {
    weights(i) = 1 / (with_lines[rows->X(i, 0)] * with_label[rows->y(i)]);
  }
  return {"loans", {"DELINQ"}, [rows, weights](uint64_t seed) {
            Dice dice(seed);
            const std::vector<Index> train = DrawWithout(weights, 200, dice);
            Vector others = weights;
            for (const Index i : train) others(i) = 0;
            return Pick(*rows, train, DrawWith(others, 400, dice));
          }};
}

LabelSet Stripes() { return {"stripes", {"x", "y"}, DrawStripes}; }

}  // namespace cloak
