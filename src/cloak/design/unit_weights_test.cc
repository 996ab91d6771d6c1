#include "cloak/design/unit_weights.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"

namespace cloak {
namespace {

// Rows in turn: 0, 1, 2, 0, 1, 2, … for three units.
PrivacyUnits InTurn(Index rows, Index count) {
  std::vector<std::string> labels(static_cast<size_t>(rows));
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = Text(Index(i) % count);
  return PrivacyUnits::FromLabels(labels, "labels");
}

// Every signed sum of every unit, one after the other.
Matrix AllSignedSums(const Matrix& C, const PrivacyUnits& units) {
  std::vector<Vector> sums;
  for (Index unit = 0; unit < units.count(); ++unit) {
    const auto rows = units.Rows(unit);
    for (uint64_t code = 0; code < uint64_t{1} << (rows.size() - 1); ++code) {
      Vector sum = Vector::Zero(C.rows());
      for (size_t i = 0; i < rows.size(); ++i) {
        sum += ((code >> i & 1) == 1 ? -1.0 : 1.0) * C.col(rows[i]);
      }
      sums.push_back(std::move(sum));
    }
  }
  Matrix all(C.rows(), static_cast<Index>(sums.size()));
  for (size_t k = 0; k < sums.size(); ++k) all.col(Index(k)) = sums[k];
  return all;
}

class UnitDesignTest : public testing::TestWithParam<bool> {
 protected:
  static NoiseDesign Design(const Matrix& C, const PrivacyUnits& units) {
    const Threads threads(1);
    return GetParam() ? VolumeDesign(C, units, threads)
                      : TraceDesign(C, units, Vector::Ones(C.rows()), threads);
  }
  static NoiseDesign Plain(const Matrix& C) {
    const Threads threads(1);
    return GetParam() ? VolumeDesign(C, threads)
                      : TraceDesign(C, Vector::Ones(C.rows()), threads);
  }
  // How much larger the noise of `a` is than that of `b`, as a fraction.
  static double Excess(const NoiseDesign& a, const NoiseDesign& b) {
    return GetParam() ? std::expm1((a.objective - b.objective) /
                                   static_cast<double>(a.R.rows()))
                      : a.objective / b.objective - 1;
  }
};

// The same problem with all its constraints listed is an independent oracle.
TEST_P(UnitDesignTest, IsTheDesignForAllSignedSums) {
  std::srand(1);
  for (const Index count : {3, 5, 9, 20}) {
    const Matrix C = Matrix::Random(4, 27);
    const PrivacyUnits units = InTurn(27, count);
    const NoiseDesign design = Design(C, units);
    const NoiseDesign listed = Plain(AllSignedSums(C, units));
    EXPECT_NEAR(Excess(design, listed), 0, 2e-4) << count;
    EXPECT_LE(design.gap, 1e-4);
  }
}

TEST_P(UnitDesignTest, DecodesToThePredictionsAndMovesByAtMostOne) {
  std::srand(2);
  for (const Index size : {2, 7, 40}) {
    const Matrix C = Matrix::Random(5, 80);
    const PrivacyUnits units = InTurn(80, 80 / size);
    const NoiseDesign design = Design(C, units);
    EXPECT_LT((design.decoder * design.R - C).norm(), 1e-9 * C.norm());
    EXPECT_NEAR(LargestUnitMove(design.R, units), 1, 1e-9);
  }
}

TEST_P(UnitDesignTest, FewerUnitsThanNumbersReleasedAreNoTrouble) {
  std::srand(3);
  const Matrix C = Matrix::Random(12, 30);
  const NoiseDesign design = Design(C, InTurn(30, 2));
  EXPECT_EQ(design.R.rows(), 12);
  EXPECT_NEAR(Excess(design, Plain(AllSignedSums(C, InTurn(30, 2)))), 0, 2e-4);
}

// Whatever M is feasible for every signed sum does not beat the objective by
// more than the gap, also where units are bounded and not enumerated.
TEST_P(UnitDesignTest, TheGapHoldsAgainstRandomCompetitors) {
  std::srand(4);
  const Matrix C = Matrix::Random(4, 66);
  const PrivacyUnits units = InTurn(66, 2);
  const NoiseDesign design = Design(C, units);
  EXPECT_GT(design.gap, 1e-4);  // a bound, and it says so
  EXPECT_LT(design.gap, 0.3);
  for (int k = 0; k < 200; ++k) {
    const Matrix half = Matrix::Random(4, 4 + k % 10);
    Matrix M = half * half.transpose() + 1e-3 * Matrix::Identity(4, 4);
    const Matrix whitened = Eigen::LLT<Matrix>(M).matrixL().solve(C);
    // Signs that were found are a lower bound: M is feasible, or not even.
    double longest = 0;
    for (Index unit = 0; unit < 2; ++unit) {
      Matrix columns = whitened(Eigen::all, units.Rows(unit));
      for (int start = 0; start < 20; ++start) {
        Vector signs = Vector::Random(columns.cols()).cwiseSign();
        for (int step = 0; step < 8; ++step) {
          signs = (columns.transpose() * (columns * signs)).cwiseSign();
        }
        longest = std::max(longest, (columns * signs).squaredNorm());
      }
    }
    M *= longest;
    NoiseDesign competitor = design;
    competitor.objective = GetParam()
                               ? 2 * Matrix(Eigen::LLT<Matrix>(M).matrixL())
                                         .diagonal()
                                         .array()
                                         .log()
                                         .sum()
                               : M.trace();
    EXPECT_GE((1 + Excess(competitor, design)) * (1 + design.gap), 1 - 1e-9);
  }
}

TEST_P(UnitDesignTest, BeatsADesignForRowsThatIsScaledToTheUnits) {
  std::srand(5);
  const Matrix C = Matrix::Random(6, 60);
  const PrivacyUnits units = InTurn(60, 12);
  const NoiseDesign rows = Plain(C);
  NoiseDesign scaled = rows;
  const double move = LargestUnitMove(rows.R, units);
  scaled.objective =
      GetParam() ? rows.objective + 6 * std::log(move) : rows.objective * move;
  EXPECT_GT(Excess(scaled, Design(C, units)), 0.05);
}

TEST_P(UnitDesignTest, UnitsOfOneRowGiveTheSameBits) {
  std::srand(6);
  const Matrix C = Matrix::Random(5, 50);
  const NoiseDesign each = Design(C, PrivacyUnits::EachRow(50));
  EXPECT_EQ(each.R, Plain(C).R);
  EXPECT_EQ(each.decoder, Plain(C).decoder);
}

TEST_P(UnitDesignTest, OneQueryPointNeedsNoiseForTheHeaviestUnit) {
  Matrix C(1, 5);
  C << 0.5, -2, 1, 3, -0.1;
  // Units {0, 2, 4} and {1, 3}: 1.6 and 5.
  const NoiseDesign design = Design(C, InTurn(5, 2));
  EXPECT_NEAR(std::abs(design.decoder(0, 0)), 5, 5e-4);
}

INSTANTIATE_TEST_SUITE_P(VolumeAndTrace, UnitDesignTest, testing::Bool(),
                         [](const auto& design) {
                           return design.param ? "Volume" : "Trace";
                         });

}  // namespace
}  // namespace cloak
