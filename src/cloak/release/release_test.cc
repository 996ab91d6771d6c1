#include "cloak/release/release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "cloak/base/error.h"
#include "cloak/gp/basis.h"
#include "cloak/release/kind.h"
#include "tests/testing/small_release.h"

namespace cloak {
namespace {

TEST(ReleaseTest, PredictionsAreThoseOfThePosteriorOverTheWeights) {
  const ReleaseContent content = SmallContent();
  const Release release(content);
  const Matrix X = Vector::LinSpaced(7, -2, 12);
  const Posterior& posterior = content.posteriors[0];
  const Basis basis(posterior.kernel, content.basis_points, posterior.jitter,
                    Threads(1));
  const Matrix phi = basis.Features(X);
  const Index m = basis.size();
  const Matrix S =
      Matrix::Identity(m, m) -
      posterior.directions.transpose() *
          Vector(1 - 2 * posterior.noise_parts.array()).asDiagonal() *
          posterior.directions;
  const Predictions predictions =
      release.Predict(X, {.interval = 0.9, .latent = true}, Threads(2));
  for (Index i = 0; i < X.rows(); ++i) {
    const Vector p = phi.col(i);
    EXPECT_NEAR(predictions.mean(i), content.offset + p.dot(posterior.mean),
                1e-8);
    const double variance =
        posterior.kernel.Variances(X)(i) - p.squaredNorm() + p.dot(S * p);
    EXPECT_NEAR(predictions.sd(i), std::sqrt(variance), 1e-8);
    EXPECT_NEAR(
        predictions.privacy_sd(i),
        std::sqrt(
            (posterior.directions * p).cwiseAbs2().dot(posterior.noise_parts)),
        1e-8);
    EXPECT_NEAR(predictions.upper(i) - predictions.mean(i),
                1.6448536269514722 * predictions.sd(i), 1e-8);
  }
}

TEST(ReleaseTest, ObservationsVaryMoreThanTheFunction) {
  const Release release(SmallContent());
  const Matrix X = Matrix::Constant(1, 1, 3);
  const double latent = release.Predict(X, {.latent = true}, Threads(1)).sd(0);
  const double observed = release.Predict(X, {}, Threads(1)).sd(0);
  EXPECT_NEAR(observed * observed - latent * latent,
              SmallContent().posteriors[0].noise_variance, 1e-9);
}

ReleaseContent Mixture() {
  ReleaseContent content = SmallContent();
  Posterior other = content.posteriors[0];
  other.kernel = Kernel::Parse("bias(2) + eq(variance=4, lengthscale=3)");
  other.mean *= 1.5;
  other.noise_variance = 2;
  other.weight = 0.3;
  content.posteriors[0].weight = 0.7;
  content.posteriors.push_back(other);
  return content;
}

TEST(ReleaseTest, NoPlacesHaveNoAnswers) {
  const Release release(Mixture());
  const Matrix none(0, 1);
  EXPECT_EQ(release.Predict(none, {}, Threads(1)).mean.size(), 0);
  EXPECT_EQ(release.PredictJoint(none, {}, Threads(1)).covariance.size(), 0);
  const Matrix samples = release.Sample(none, 3, 1, {}, Threads(1));
  EXPECT_EQ(samples.rows(), 0);
  EXPECT_EQ(samples.cols(), 3);
}

TEST(ReleaseTest, MarginalJointAndSampledPredictionsAgree) {
  for (const ReleaseContent& content : {SmallContent(), Mixture()}) {
    const Release release(content);
    const Matrix X = Vector::LinSpaced(5, 0, 9);
    for (const bool latent : {false, true}) {
      const PredictOptions options{.latent = latent};
      const Predictions marginal = release.Predict(X, options, Threads(1));
      const Release::Joint joint = release.PredictJoint(X, options, Threads(1));
      EXPECT_LT((marginal.mean - joint.mean).norm(), 1e-9);
      EXPECT_LT((marginal.sd.cwiseAbs2() - joint.covariance.diagonal()).norm(),
                1e-8);
      const Index count = 20000;
      const Matrix samples = release.Sample(X, count, 42, options, Threads(1));
      const Vector mean = samples.rowwise().mean();
      const Matrix centred = samples.colwise() - mean;
      const Matrix covariance =
          centred * centred.transpose() / static_cast<double>(count);
      const double scale = marginal.sd.maxCoeff();
      EXPECT_LT((mean - joint.mean).cwiseAbs().maxCoeff(), 0.05 * scale);
      EXPECT_LT((covariance - joint.covariance).cwiseAbs().maxCoeff(),
                0.05 * scale * scale);
    }
  }
}

TEST(ReleaseTest, ManyQueriesAreTheSameOneByOneAndOnAnyThreads) {
  const Release release(Mixture());
  const Matrix X = Vector::LinSpaced(3000, -5, 15);
  const Predictions one = release.Predict(X, {}, Threads(1));
  const Predictions two = release.Predict(X, {}, Threads(2));
  EXPECT_EQ(one.mean, two.mean);
  EXPECT_EQ(one.sd, two.sd);
  const Predictions single = release.Predict(X.row(1777), {}, Threads(1));
  EXPECT_NEAR(single.mean(0), one.mean(1777), 1e-10);
  EXPECT_NEAR(single.sd(0), one.sd(1777), 1e-10);
}

TEST(ReleaseTest, WrongQueriesAreRefused) {
  const Release release(SmallContent());
  EXPECT_THROW(release.Predict(Matrix::Ones(2, 2), {}, Threads(1)),
               InvalidInput);
  EXPECT_THROW(release.Predict(Matrix::Constant(1, 1, NAN), {}, Threads(1)),
               InvalidInput);
  EXPECT_THROW(release.Predict(Matrix::Ones(1, 1), {.interval = 1}, Threads(1)),
               InvalidInput);
  EXPECT_EQ(release.Predict(Matrix(0, 1), {}, Threads(1)).mean.size(), 0);
}

TEST(ReleaseTest, NumbersWhoseAnswersWouldNotBeFiniteAreRefused) {
  const auto refused = [](const auto& change) {
    ReleaseContent content = SmallContent();
    change(content);
    EXPECT_THROW(Release{content}, InvalidInput);
  };
  refused([](auto& content) { content.offset = 1e200; });
  refused([](auto& content) { content.inputs[0].upper = 1e200; });
  refused([](auto& content) { content.posteriors[0].mean(0) = 1e200; });
  refused(
      [](auto& content) { content.posteriors[0].directions(0, 0) = -1e160; });
  refused([](auto& content) { content.posteriors[0].noise_variance = 1e307; });
  refused([](auto& content) {
    content.posteriors[0].kernel = Kernel::Parse("bias(1e305) + eq(1e305)");
  });
  refused([](auto& content) {
    content.projection = {Vector::Zero(1), Matrix::Constant(1, 1, 1e308)};
  });
  // Large, but not too large.
  ReleaseContent content = SmallContent();
  content.posteriors[0].mean *= 1e100;
  const Predictions predictions =
      Release(content).Predict(content.basis_points, {}, Threads(1));
  EXPECT_TRUE(predictions.mean.allFinite() && predictions.upper.allFinite());
}

TEST(ReleaseTest, AFileThatWouldTakeMinutesToReadIsRefusedAtOnce) {
  constexpr Index kPoints = 2000;
  ReleaseContent content = SmallContent();
  content.basis_points = Vector::LinSpaced(kPoints, 0, 10);
  Posterior& posterior = content.posteriors[0];
  posterior.mean = Vector::Zero(kPoints);
  SetFactors(Matrix(0, kPoints), Matrix(0, kPoints), posterior);
  Kernel kernel = Kernel::White(1);
  for (int i = 0; i < 400; ++i) kernel = kernel + Kernel::Eq(1, 2.0);
  posterior.kernel = kernel;
  posterior.weight = 0.01;
  content.posteriors.resize(100, Posterior(posterior));
  try {
    const Release release(content);
    FAIL() << "it was read";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("times too long"));
  }
}

TEST(ReleaseTest, ADensityIsFiniteWhereItIsTooSmallForADouble) {
  ReleaseContent content = DensityContent();
  content.posteriors[0].mean << 2000, 0, 0, -2000;
  content.posteriors.push_back(content.posteriors[0]);
  content.posteriors[0].weight = 1;
  content.posteriors[1].weight = 0;
  content.posteriors[1].mean << -2000, 0, 0, 2000;
  const Matrix X = Vector::LinSpaced(5, 0, 10);
  const DensityPredictions density =
      Release(content).PredictDensity(X, 0.95, Threads(1));
  EXPECT_GT(density.density(0), 0);
  EXPECT_EQ(density.density(4), 0);
  EXPECT_TRUE(density.density.allFinite());
  EXPECT_TRUE(density.upper.allFinite());
  EXPECT_TRUE((density.lower.array() <= density.density.array()).all());
}

TEST(ReleaseTest, SamplesFarFromWhatAMachineKnowsAreItsMean) {
  ReleaseContent content = MachineContent();
  content.posteriors[0].kernel = Kernel::Eq(1, 0.5);
  const Matrix far = Vector::LinSpaced(2, 1e6, 2e6);
  EXPECT_EQ(Release(content).Sample(far, 3, 1, {.latent = true}, Threads(1)),
            Matrix::Zero(2, 3));
}

TEST(ReleaseTest, TheStatementNamesWhatIsProtectedAndWhatIsNot) {
  const std::string words = Release(SmallContent()).PrivacyInWords();
  EXPECT_THAT(words, testing::HasSubstr("epsilon = 1"));
  EXPECT_THAT(words, testing::HasSubstr("delta = 0.001"));
  EXPECT_THAT(words, testing::HasSubstr("'height'"));
  EXPECT_THAT(words, testing::HasSubstr("between 60 and 200"));
  EXPECT_THAT(words, testing::HasSubstr("the inputs (age)"));
  EXPECT_THAT(words, testing::HasSubstr("Each row's 'height' is protected"));
}

TEST(ReleaseTest, TheStatementOfAPureGuaranteeHasNoDelta) {
  ReleaseContent content = SmallContent();
  content.privacy.delta = 0;
  const std::string words = Release(content).PrivacyInWords();
  EXPECT_THAT(words, testing::HasSubstr("epsilon = 1. Suppose"));
  EXPECT_THAT(words, testing::HasSubstr("at most 2.72. This holds"));
  EXPECT_THAT(words, testing::Not(testing::HasSubstr("delta")));
  content.privacy.delta = -1e-9;
  EXPECT_THROW(Release{content}, InvalidInput);
  content.privacy.delta = 1;
  EXPECT_THROW(Release{content}, InvalidInput);
}

TEST(ReleaseTest, TheStatementSaysWhoseOutputsAreProtectedTogether) {
  ReleaseContent content = SmallContent();
  content.privacy.unit = "person";
  content.privacy.units = 80;
  const std::string words = Release(content).PrivacyInWords();
  EXPECT_THAT(words, testing::HasSubstr(
                         "All values of 'height' of one 'person' are protected "
                         "together"));
  EXPECT_THAT(words, testing::HasSubstr("'person' (80)"));
  EXPECT_THAT(words, testing::Not(testing::HasSubstr("less for all of them")));
  content.privacy.units = 301;  // more than rows
  EXPECT_THROW(Release{content}, InvalidInput);
  content.privacy.units = 0;
  EXPECT_THROW(Release{content}, InvalidInput);
  content.privacy.unit.clear();
  content.privacy.units = 80;
  EXPECT_THROW(Release{content}, InvalidInput);
}

// Scores of held-out rows are taken for functions of one row each: what the
// others are changes no bit of a prediction.
TEST(ReleaseTest, APredictionDoesNotDependOnTheOtherQueries) {
  const Release release(TwoInputContent());
  for (const Index rows : {1, 2, 3, 7, 64, 129, 500}) {
    Matrix queries(rows, 2);
    for (Index i = 0; i < rows; ++i) {
      queries.row(i) << std::fmod(1.37 * static_cast<double>(i), 10),
          3 + std::fmod(7.9 * static_cast<double>(i), 87);
    }
    const Predictions before = release.Predict(queries, {}, Threads(1));
    for (const double other : {0.0, 10.0, -1e300, 5e-324}) {
      const Index kept = rows / 2;
      Matrix changed = Matrix::Constant(rows, 2, other);
      changed.row(kept) = queries.row(kept);
      const Predictions after = release.Predict(changed, {}, Threads(1));
      EXPECT_EQ(before.mean(kept), after.mean(kept)) << rows;
      EXPECT_EQ(before.sd(kept), after.sd(kept)) << rows;
    }
  }
}

TEST(ReleaseTest, EveryTaskHasAKindThatAnswersAndDescribesItself) {
  for (const TaskKind task : AllOf<TaskKind>()) {
    SCOPED_TRACE(NameOf(task));
    const ReleaseContent content = SmallContentOf(task);
    const ReleaseKind& kind = KindOf(task);
    const Release release(content);
    const Matrix X = Matrix::Zero(3, std::ssize(content.inputs));
    for (const AnswerColumn& column :
         kind.columns(release, X, {}, Threads(1))) {
      EXPECT_EQ(std::max<size_t>(column.numbers.size(), column.text.size()), 3U)
          << column.name;
    }
    EXPECT_NE(kind.output_words(content), "");
    for (const Posterior& posterior : content.posteriors) {
      EXPECT_NE(kind.posterior_words(content, posterior), "");
    }
    for (size_t j = 0; j < content.inputs.size(); ++j) {
      EXPECT_THAT(kind.input_words(content, j),
                  testing::StartsWith(content.inputs[j].name));
    }
  }
}

}  // namespace
}  // namespace cloak
