// The Gaussian mechanism where several outputs share a column of R.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "tests/testing/any_number.h"
#include "tests/testing/exact_integers.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;

const OutputBounds& SomeBounds() {
  static const OutputBounds bounds(-3, 5);
  return bounds;
}

double AnyOutputOfSite() {
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return kNan;
    case 1:
      return kInfinity;
    case 2:
      return SomeBounds().lower();
    case 3:
      return SomeBounds().upper();
    default:
      return Uniform(-4, 6);
  }
}

// All that is published, with noise that is always the same.
std::vector<Int128> PublishedOf(const GaussianMechanism& mechanism,
                                const Vector& y) {
  Randomness random = RandomnessForTesting::Seeded(3);
  const NoisyStatistic noisy = mechanism.Release(Secret<Vector>(y), random);
  std::vector<Int128> numbers = noisy.integers;
  numbers.push_back(noisy.squares_integer);
  numbers.push_back(noisy.present_integer);
  return numbers;
}

struct SitesAndUnits {
  Matrix R;  // a column for each site
  RowSites sites = RowSites::EachRow(1);
  PrivacyUnits units = PrivacyUnits::EachRow(1);
  bool with_squares = false;

  GaussianMechanism Mechanism() const {
    return {R,
            sites,
            units,
            SomeBounds(),
            Budget(1, 1e-5),
            /*least_sigma=*/0,
            with_squares};
  }
};

// Rows in sites, some of which may be empty, and of persons with up to three
// rows, often in the same site.
SitesAndUnits AnySites() {
  const int rows = *rc::gen::inRange(1, 12);
  const int count = *rc::gen::inRange(1, 5);
  std::vector<int32_t> site_of_row;
  std::vector<std::string> labels;
  const bool persons = *rc::gen::arbitrary<bool>();
  for (int i = 0; i < rows; ++i) {
    site_of_row.push_back(*rc::gen::inRange(0, count));
    labels.push_back(std::to_string(persons ? *rc::gen::inRange(0, 4) : i));
  }
  SitesAndUnits any;
  any.R.resize(*rc::gen::inRange(1, 4), count);
  for (double& weight : any.R.reshaped()) weight = Uniform(-1, 1);
  // Every column has a row, unless it has none.
  any.sites = RowSites(std::move(site_of_row), count);
  any.units = PrivacyUnits::FromLabels(labels, "person");
  any.with_squares = *rc::gen::arbitrary<bool>();
  return any;
}

RC_GTEST_PROP(SiteStatistic, AUnitMovedAnywhereStaysWithinTheSensitivity, ()) {
  const SitesAndUnits any = AnySites();
  const GaussianMechanism mechanism = any.Mechanism();
  Vector y(any.sites.rows());
  for (double& output : y) output = AnyOutputOfSite();
  Vector other = y;
  for (const Index i :
       any.units.Rows(*rc::gen::inRange<Index>(0, any.units.count()))) {
    other(i) = AnyOutputOfSite();
  }
  RC_ASSERT(SquaredDistance(PublishedOf(mechanism, y),
                            PublishedOf(mechanism, other)) <=
            Exact(mechanism.noise().sensitivity_squared()));
}

// What one of them publishes is what the other does, so its proof is too.
RC_GTEST_PROP(SiteStatistic, IsThatOfAColumnForEachRow, ()) {
  SitesAndUnits any = AnySites();
  // A site that nobody is in would count as one more output without rows.
  if (any.units.IsEachRow() && any.sites.Sizes().minCoeff() == 0) {
    return;
  }
  const GaussianMechanism of_sites = any.Mechanism();
  const GaussianMechanism of_rows(any.sites.OfRows(of_sites.R()), any.units,
                                  SomeBounds(), Budget(1, 1e-5), 0,
                                  any.with_squares);
  // Both have the same columns, but the power of two may differ.
  RC_ASSERT(std::abs(of_rows.noise().sensitivity() -
                     of_sites.noise().sensitivity()) <=
            1e-6 * of_rows.noise().sensitivity());
  Vector y(any.sites.rows());
  for (double& output : y) output = AnyOutputOfSite();
  Randomness random = RandomnessForTesting::Seeded(3);
  Randomness again = RandomnessForTesting::Seeded(3);
  const NoisyStatistic a = of_sites.Release(Secret<Vector>(y), random);
  const NoisyStatistic b = of_rows.Release(Secret<Vector>(y), again);
  RC_ASSERT((a.value - b.value).cwiseAbs().maxCoeff() <= 1e-5 * a.noise_sd);
  RC_ASSERT(std::abs(a.squares - b.squares) <= 1e-5 * (1 + a.squares_noise_sd));
}

RC_GTEST_PROP(SiteStatistic, DoesNotDependOnTheOrderOfRowsOfASite, ()) {
  SitesAndUnits any = AnySites();
  any.units = PrivacyUnits::EachRow(any.sites.rows());
  const GaussianMechanism mechanism = any.Mechanism();
  Vector y(any.sites.rows());
  for (double& output : y) output = AnyOutputOfSite();
  Vector other = y;
  for (Index i = 1; i < y.size(); ++i) {
    const Index j = *rc::gen::inRange<Index>(0, i + 1);
    if (any.sites.Of(i) == any.sites.Of(j)) std::swap(other(i), other(j));
  }
  RC_ASSERT(PublishedOf(mechanism, y) == PublishedOf(mechanism, other));
}

TEST(SiteStatisticTest, MeasuresPersonsAsSetsOfSites) {
  // Two rows of a person in one site move the statistic twice as far as one.
  const RowSites sites({0, 0, 1}, 2);
  const Matrix R{{1, 0.5}};
  const OutputBounds bounds(0, 1);
  const GaussianMechanism person(
      R, sites, PrivacyUnits::FromLabels({"a", "a", "b"}, "person"), bounds,
      Budget(1, 1e-5));
  EXPECT_NEAR(person.noise().sensitivity(), 2, 1e-6);
  const GaussianMechanism rows(R, sites, PrivacyUnits::EachRow(3), bounds,
                               Budget(1, 1e-5));
  EXPECT_NEAR(rows.noise().sensitivity(), 1, 1e-6);
  // In two sites, whose weights may have the same sign or not.
  const GaussianMechanism apart(
      R, sites, PrivacyUnits::FromLabels({"a", "b", "a"}, "person"), bounds,
      Budget(1, 1e-5));
  EXPECT_NEAR(apart.noise().sensitivity(), 1.5, 1e-6);
}

TEST(SiteStatisticTest, RefusesWhatDoesNotFit) {
  const RowSites sites({0, 0, 1}, 2);
  const OutputBounds bounds(0, 1);
  const Budget budget(1, 1e-5);
  EXPECT_THROW(GaussianMechanism(Matrix::Ones(1, 3), sites,
                                 PrivacyUnits::EachRow(3), bounds, budget),
               InvalidInput);
  EXPECT_THROW(GaussianMechanism(Matrix::Ones(1, 2), sites,
                                 PrivacyUnits::EachRow(2), bounds, budget),
               InvalidInput);
  EXPECT_THROW(RowSites({0, 2}, 2), Error);
  EXPECT_THROW(RowSites({0, -1}, 2), Error);
  const GaussianMechanism mechanism(Matrix::Ones(1, 2), sites,
                                    PrivacyUnits::EachRow(3), bounds, budget);
  Randomness random = RandomnessForTesting::Seeded(1);
  EXPECT_THROW(mechanism.Release(Secret<Vector>(Vector::Zero(2)), random),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
