#include "cloak/models/outputs/principal_components.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/models/make_plan.h"
#include "cloak/release/file_format.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

TEST(PrincipalComponents, AreOrthogonalAndHaveMostOfWhatDiffers) {
  std::srand(3);
  Matrix X = Matrix::Random(200, 12);
  X.col(0) *= 1000;  // measured in something else
  X.col(5).setConstant(7);
  X.col(7) = 2 * X.col(3);
  const InputProjection all = PrincipalComponents(X, 12);
  // One input is constant and one is another's multiple.
  EXPECT_EQ(all.directions.rows(), 10);
  const Matrix P = all.Apply(X);
  EXPECT_LT(P.colwise().mean().norm(), 1e-4);
  const Matrix covariance = P.transpose() * P / 200.0;
  const Vector variances = covariance.diagonal();
  EXPECT_LT((covariance - Matrix(variances.asDiagonal())).norm(),
            1e-4 * variances(0));
  for (Index k = 1; k < 10; ++k) EXPECT_LE(variances(k), variances(k - 1));
  const InputProjection few = PrincipalComponents(X, 3);
  EXPECT_EQ(few.directions, all.directions.topRows(3));
}

TEST(PrincipalComponents, InputsThatAreAllAlikeHaveOneOfNoLength) {
  const InputProjection none =
      PrincipalComponents(Matrix::Constant(12, 10, 3), 4);
  EXPECT_EQ(none.directions, Matrix::Zero(1, 10));
}

TEST(PrincipalComponents, AreOfAtLeastTenRows) {
  std::srand(3);
  EXPECT_NO_THROW(PrincipalComponents(Matrix::Random(10, 12), 4));
  EXPECT_THROW(PrincipalComponents(Matrix::Random(9, 12), 4), InvalidInput);
}

// 40 inputs, of which two hidden ones are what matters.
struct Images {
  Matrix X;
  Vector y;
};

Images SomeImages(Index n, unsigned seed) {
  std::srand(7);
  const Matrix patterns = Matrix::Random(2, 40);
  std::srand(seed);
  const Matrix hidden = 2 * Matrix::Random(n, 2);
  const Matrix X = hidden * patterns + 0.2 * Matrix::Random(n, 40);
  const Vector y = (hidden.col(0).array() * hidden.col(1).array() > 0)
                       .select(Vector::Ones(n), -Vector::Ones(n));
  return {X, y};
}

TEST(ManyInputs, AreClassifiedThroughTheirComponents) {
  const Images train = SomeImages(300, 1);
  const Images test = SomeImages(200, 2);
  ClassificationOptions options;
  options.classes = {"no", "yes"};
  options.output_name = "y";
  for (Index j = 0; j < 40; ++j) {
    options.input_names.push_back("x" + std::to_string(j));
  }
  const ClassificationPlan plan(train.X, Budget(2, 1e-3), options, Threads(2));
  Randomness randomness = RandomnessForTesting::Seeded(4);
  const Release release = plan.Execute(Secret<Vector>(train.y), randomness);
  ASSERT_TRUE(release.content().projection.has_value());
  EXPECT_LE(release.content().basis_points.cols(), 15);
  EXPECT_EQ(release.content().inputs.size(), 40U);
  const ClassPredictions predicted = release.PredictClasses(test.X, Threads(1));
  double right = 0;
  for (Index i = 0; i < 200; ++i) {
    const bool yes = predicted.most_probable[static_cast<size_t>(i)] == 1;
    right += yes == (test.y(i) > 0) ? 1 : 0;
  }
  EXPECT_GT(right / 200, 0.8);

  // The file says the same.
  const Release read = ReleaseFromJson(ReleaseToJson(release), "x");
  EXPECT_EQ(read.PredictClasses(test.X, Threads(1)).probability,
            predicted.probability);
  const Release::Joint joint =
      read.PredictJoint(test.X.topRows(3), {.latent = true}, Threads(1));
  const Predictions marginal =
      read.Predict(test.X.topRows(3), {.latent = true}, Threads(1));
  EXPECT_LT((joint.mean - marginal.mean).norm(), 1e-9);

  // A kernel that is given is of the inputs as they are.
  options.kernel = Kernel::Eq(4, 5);
  const ClassificationPlan given(train.X, Budget(2, 1e-3), options, Threads(2));
  EXPECT_FALSE(given.Execute(Secret<Vector>(train.y), randomness)
                   .content()
                   .projection.has_value());
}

TEST(ManyInputs, AProjectionThatDoesNotFitIsRefused) {
  const Images train = SomeImages(60, 1);
  ClassificationOptions options;
  options.classes = {"no", "yes"};
  options.output_name = "y";
  for (Index j = 0; j < 40; ++j) {
    options.input_names.push_back("x" + std::to_string(j));
  }
  const ClassificationPlan plan(train.X, Budget(2, 1e-3), options, Threads(2));
  Randomness randomness = RandomnessForTesting::Seeded(4);
  const ReleaseContent good =
      plan.Execute(Secret<Vector>(train.y), randomness).content();
  ReleaseContent content = good;
  content.projection->centre.conservativeResize(39);
  EXPECT_THROW(Release{content}, InvalidInput);
  content = good;
  content.projection->directions(0, 0) = HUGE_VAL;
  EXPECT_THROW(Release{content}, InvalidInput);
  content = good;
  content.projection->directions.conservativeResize(3, 40);
  EXPECT_THROW(Release{content}, InvalidInput);
  content = good;
  content.projection.reset();
  EXPECT_THROW(Release{content}, InvalidInput);
}

}  // namespace
}  // namespace cloak
