// Smith et al. 2018, Figure 3: prices of London homes on a map, and how much of
// what is told of them is privacy noise.
//
//   london DATA.csv FOLDER
//
// DATA.csv has the columns price, year, lon and lat. Prints errors on sales
// held out and draws maps into FOLDER. Which sales is seeded; the noise is the
// real thing.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "apps/plot/heat_map.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/csv.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/models/make_plan.h"

namespace cloak {
namespace {

constexpr double kLowestPrice = 100e3;
constexpr double kHighestPrice = 500e3;
constexpr int kLastYear = 2016;
constexpr size_t kTrain = 5000;
constexpr size_t kTest = 1000;

// The paper's lengthscale and noise; it does not say its kernel's variance.
// With this one, predictions without privacy vary as its contours do.
constexpr double kLengthscaleKm = 15;
constexpr double kNoiseSd = 400e3;
constexpr double kSignalSd = 100e3;

// Where a map is drawn: around most of the sales, in kilometres.
constexpr double kReach = 26;
constexpr Index kCells = 60;

struct Sales {
  Matrix place;  // kilometres east and north of the middle
  Vector price;
};

// The scale of degrees in the middle of London.
Matrix Kilometres(const Matrix& lon_lat) {
  constexpr double kMiddleLongitude = -0.11;
  constexpr double kMiddleLatitude = 51.5;
  constexpr double kPerDegree = 111.2;
  Matrix km(lon_lat.rows(), 2);
  km.col(0) = (lon_lat.col(0).array() - kMiddleLongitude) * kPerDegree *
              std::cos(kMiddleLatitude * std::numbers::pi / 180);
  km.col(1) = (lon_lat.col(1).array() - kMiddleLatitude) * kPerDegree;
  return km;
}

// Sales of 2015 and 2016 in the range of prices, in a seeded order.
Sales ReadSales(const std::filesystem::path& path) {
  const std::vector<std::string> columns = {"lon", "lat", "price", "year"};
  const Matrix all = ReadCsv(path, {.numeric = columns}).Numeric(columns);
  std::vector<Index> rows;
  for (Index i = 0; i < all.rows(); ++i) {
    if (all(i, 2) >= kLowestPrice && all(i, 2) <= kHighestPrice &&
        all(i, 3) <= kLastYear) {
      rows.push_back(i);
    }
  }
  RequireInput(rows.size() >= kTrain + kTest, "there are too few sales");
  std::mt19937_64 generator(2018);
  for (size_t i = 0; i < kTrain + kTest; ++i) {
    std::swap(rows[i], rows[i + generator() % (rows.size() - i)]);
  }
  rows.resize(kTrain + kTest);
  return {Kilometres(all(rows, {0, 1})), all(rows, 2)};
}

double Rmse(const Vector& predicted, const Vector& truth) {
  return std::sqrt((predicted - truth).squaredNorm() /
                   static_cast<double>(truth.size()));
}

Matrix MapCells() {
  Matrix cells(kCells * kCells, 2);
  for (Index i = 0; i < kCells; ++i) {
    for (Index j = 0; j < kCells; ++j) {
      const auto middle = [](Index k) {
        return kReach * ((2.0 * static_cast<double>(k) + 1) / kCells - 1);
      };
      cells.row(i * kCells + j) << middle(j), middle(i);
    }
  }
  return cells;
}

// A picture that stands by itself, with a title.
void DrawMap(const std::filesystem::path& path, const std::string& title,
             ColourMap colours, const Vector& values) {
  constexpr PlotSize kSize{.width = 560, .height = 480};
  constexpr double kTitleHeight = 34;
  const std::string map =
      HeatMapSvg({.description = title,
                  .x_label = "km east of the middle",
                  .y_label = "km north of the middle",
                  .colours = colours,
                  .x_lower = -kReach,
                  .x_upper = kReach,
                  .y_lower = -kReach,
                  .y_upper = kReach,
                  .values = values.reshaped(kCells, kCells).transpose() / 1000},
                 kSize);
  std::ofstream out(path);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
      << kSize.width << " " << kSize.height + kTitleHeight << "\">\n<style>"
      << "text { font: 13px sans-serif; fill: #1d2530; } "
         ".axis { fill: none; stroke: #5a6675; } "
         ".grid { fill: none; stroke: #1d2530; stroke-opacity: .08; }"
      << "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      << "<text x=\"12\" y=\"22\">" << title << "</text>\n<svg y=\""
      << kTitleHeight << "\" width=\"" << kSize.width << "\" height=\""
      << kSize.height << "\">\n"
      << map << "</svg>\n</svg>\n";
  RequireInput(out.good(), "cannot write ", path.string());
}

// The paper's kernel, a bias in the place of a mean that would cost privacy.
Regression CloakingTask(const Matrix& places, const Budget& budget,
                        bool published_noise) {
  Regression task{.budget = budget, .method = Regression::kCloaking};
  task.kernel = Kernel::Bias(kSignalSd * kSignalSd) +
                Kernel::Eq(kSignalSd * kSignalSd, kLengthscaleKm);
  task.noise_variance = kNoiseSd * kNoiseSd;
  task.query_points = places;
  task.published_noise = published_noise;
  return task;
}

struct Case {
  std::string name;
  Regression task;
};

void Score(const Sales& sales, const Budget& budget, const Case& c,
           const std::filesystem::path& folder) {
  const Threads threads;
  const Matrix X = sales.place.topRows(kTrain);
  const Matrix Xs = sales.place.bottomRows(kTest);
  const Vector truth = sales.price.tail(kTest);
  const auto plan = MakePlan(
      {.input_names = {"east_km", "north_km"},
       .inputs = PublicInputs{X},
       .output =
           NumberOutput{"price", OutputBounds(kLowestPrice, kHighestPrice)},
       .threads = threads},
      c.task);
  Randomness randomness = Randomness::FromSystem();
  const Release release = plan->Execute(
      Secret<Vector>(Vector(sales.price.head(kTrain))), randomness);
  const Predictions at = release.Predict(Xs, {}, threads);
  std::printf("%-34s %7g %7g %9.0f %9.0f\n", c.name.c_str(), budget.epsilon(),
              budget.delta(), Rmse(at.mean, truth),
              at.privacy_sd.norm() / std::sqrt(static_cast<double>(kTest)));
  std::fflush(stdout);
  if (c.task.method != Regression::kOptimal) return;
  const Predictions map =
      release.Predict(MapCells(), {.latent = true}, threads);
  const std::string stem = Text("london-delta-", budget.delta());
  DrawMap(folder / Text(stem, "-price.svg"), "Price of a home, £1000",
          ColourMap::kViridis, map.mean);
  DrawMap(folder / Text(stem, "-noise.svg"),
          "Standard deviation of the privacy noise, £1000", ColourMap::kInferno,
          map.privacy_sd);
}

int Main(const std::filesystem::path& data,
         const std::filesystem::path& folder) {
  const Sales sales = ReadSales(data);
  std::filesystem::create_directories(folder);
  const Matrix X = sales.place.topRows(kTrain);
  const Matrix Xs = sales.place.bottomRows(kTest);
  const Vector truth = sales.price.tail(kTest);
  const Vector price = sales.price.head(kTrain);
  std::printf("%-34s %7s %7s %9s %9s\n", "pounds", "ε", "δ", "RMSE",
              "noise sd");
  const auto print = [](const char* name, double rmse) {
    std::printf("%-34s %7s %7s %9.0f\n", name, "", "", rmse);
  };
  print("the mean, without privacy",
        Rmse(Vector::Constant(truth.size(), price.mean()), truth));
  const Regression paper = CloakingTask(Xs, Budget(1, 0.01), true);
  const ExactGp gp(*paper.kernel, *paper.noise_variance, X, Threads());
  const double middle = (kLowestPrice + kHighestPrice) / 2;
  const Vector centred = price.array() - middle;
  print("the paper's process, no privacy",
        Rmse(gp.PosteriorMean(Xs, centred).array() + middle, truth));
  for (const double delta : {0.01, 1e-5}) {
    const Budget budget(1, delta);
    for (const Case& c :
         {Case{"cloaking, published noise", CloakingTask(Xs, budget, true)},
          Case{"cloaking, exact noise", CloakingTask(Xs, budget, false)},
          Case{"optimal, all learned", Regression{.budget = budget}}}) {
      Score(sales, budget, c, folder);
    }
  }
  return 0;
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: london DATA.csv FOLDER\n";
    return 2;
  }
  try {
    return cloak::Main(argv[1], argv[2]);
  } catch (const cloak::Error& error) {
    std::cerr << "london: " << error.what() << "\n";
    return 2;
  }
}
