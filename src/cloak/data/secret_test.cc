#include "cloak/data/secret.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>

#include "cloak/data/test_key.h"
#include "cloak/linalg/matrix.h"

namespace cloak {
namespace {

template <typename T>
concept Printable = requires(std::ostream& out, const T& value) {
  out << value;
};
template <typename T>
concept Comparable = requires(const T& a, const T& b) {
  a == b;
}
|| requires(const T& a, const T& b) { a < b; };

TEST(SecretTest, IsNeitherPrintableNorComparableNorConvertible) {
  EXPECT_TRUE(Printable<double>);
  EXPECT_FALSE(Printable<Secret<double>>);
  EXPECT_TRUE(Comparable<double>);
  EXPECT_FALSE(Comparable<Secret<double>>);
  EXPECT_FALSE((std::is_convertible_v<Secret<double>, double>));
  EXPECT_FALSE((std::is_constructible_v<double, Secret<double>>));
  EXPECT_FALSE((std::is_constructible_v<bool, Secret<bool>>));
  EXPECT_FALSE((std::is_convertible_v<double, Secret<double>>));
}

TEST(SecretTest, ComputingOnASecretGivesASecretOfTheResult) {
  const Secret<Vector> values(Vector::LinSpaced(3, 1, 3));
  const auto total = values.Map([](const Vector& v) { return v.sum(); });
  EXPECT_TRUE((std::is_same_v<decltype(total), const Secret<double>>));
  EXPECT_EQ(OpenInTest(total), 6);
}

TEST(SecretTest, PublicValuesAreGivenToTheFunctionAsArguments) {
  const Secret<Vector> values(Vector::LinSpaced(3, 1, 3));
  const auto clipped = values.Map(
      [](const Vector& v, double lo, double hi) -> Vector {
        return v.cwiseMax(lo).cwiseMin(hi);
      },
      1.5, 2.5);
  EXPECT_EQ(OpenInTest(clipped), Vector::LinSpaced(3, 1.5, 2.5));
}

TEST(SecretTest, SeveralTogetherAreASecret) {
  const Secret<std::vector<int>> both =
      Secret<int>::Together({Secret<int>(3), Secret<int>(4)});
  EXPECT_EQ(OpenInTest(both), (std::vector<int>{3, 4}));
}

TEST(SecretTest, ACopyIsIndependentOfTheOriginal) {
  Secret<std::string> original("a");
  const Secret<std::string> copy = original;
  original = Secret<std::string>("b");
  EXPECT_EQ(OpenInTest(copy), "a");
  EXPECT_EQ(OpenInTest(original), "b");
}

TEST(SecretTest, AResultThatRefersToItsOperandsIsRecognised) {
  EXPECT_TRUE(internal::UnevaluatedExpression<decltype(2 * Vector())>);
  EXPECT_TRUE(internal::UnevaluatedExpression<decltype(Matrix() * Vector())>);
  EXPECT_TRUE(internal::UnevaluatedExpression<Eigen::Map<Vector>>);
  EXPECT_FALSE(internal::UnevaluatedExpression<Vector>);
  EXPECT_FALSE(internal::UnevaluatedExpression<Matrix>);
  EXPECT_FALSE(internal::UnevaluatedExpression<double>);
}

TEST(SecretTest, AnArgumentThatLendsWriteAccessIsRecognised) {
  EXPECT_TRUE(internal::LendsWriteAccess<double*>);
  EXPECT_TRUE(internal::LendsWriteAccess<std::span<double>>);
  EXPECT_TRUE(internal::LendsWriteAccess<std::reference_wrapper<double>>);
  EXPECT_TRUE(internal::LendsWriteAccess<std::shared_ptr<double>>);
  EXPECT_FALSE(internal::LendsWriteAccess<const double*>);
  EXPECT_FALSE(internal::LendsWriteAccess<std::span<const double>>);
  EXPECT_FALSE(internal::LendsWriteAccess<std::optional<double>>);
  EXPECT_FALSE(internal::LendsWriteAccess<std::string>);
  EXPECT_FALSE(internal::LendsWriteAccess<double>);
  EXPECT_FALSE(internal::LendsWriteAccess<Vector>);
  EXPECT_FALSE(internal::LendsWriteAccess<Matrix>);
}

}  // namespace
}  // namespace cloak
