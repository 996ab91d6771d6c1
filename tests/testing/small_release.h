#ifndef CLOAK_TESTS_TESTING_SMALL_RELEASE_H_
#define CLOAK_TESTS_TESTING_SMALL_RELEASE_H_

#include "cloak/base/error.h"
#include "cloak/release/release.h"

namespace cloak {

// A small, valid release of made-up numbers, for tests.
inline ReleaseContent SmallContent() {
  ReleaseContent content;
  content.method = "optimal";
  content.design = "bayes";
  content.certified_gap = 0.005;
  content.inputs = {{"age", 0, 10, 4}};
  content.output = "height";
  content.offset = 130;
  content.privacy = {.epsilon = 1,
                     .delta = 0.001,
                     .rows = 300,
                     .lower = 60,
                     .upper = 200,
                     .mechanism = "exact Gaussian release",
                     .sensitivity = 140,
                     .noise_sd = 360};
  content.statistic = {{"123456789012345678901234567890", "-7"}, 1e-7};
  content.basis_points = Vector::LinSpaced(4, 0, 10);
  Posterior posterior;
  posterior.kernel = Kernel::Parse("bias(2) + eq(variance=4, lengthscale=2)");
  posterior.noise_variance = 0.5;
  posterior.jitter = 1e-9;
  posterior.mean = Vector::LinSpaced(4, -1, 2);
  Matrix explained(2, 4);
  explained << 0.8, 0.1, 0.2, 0, 0, 0.5, -0.3, 0.1;
  SetFactors(explained, 0.3 * explained, posterior);
  content.posteriors.push_back(posterior);
  return content;
}

// The same, with two sites of three points, from one round.
inline ReleaseContent SiteContent() {
  ReleaseContent content = SmallContent();
  StatisticCost cost = {"sums", NoiseKind::kGaussian, 1, 1, 1};
  content.statistic.cost = cost;
  cost.with_next = true;
  content.earlier_statistics = {{{"12"}, 0.5, cost}, {{"34"}, 0.5, cost}};
  SiteStatistics sites;
  sites.points = Eigen::Vector3d(1, 2, 8);
  sites.rows = Eigen::Vector3d(100, 150, 50);
  sites.deviations = Eigen::Vector3d(0.1, 0, 0.3);
  sites.site_of_point = {0, 0, 1};
  sites.noise_variances = Eigen::Vector2d(20, 30);
  sites.kernel = content.posteriors[0].kernel;
  sites.noise_variance = 0.5;
  sites.kernel_is_learned = true;
  sites.noise_is_learned = true;
  Matrix R(2, 2);
  R << 0.75, -0.5, 0.25, 1;
  sites.rounds = {{R, Eigen::Vector2d(100, 150), Eigen::Vector2d(20, 35)}};
  content.sites = sites;
  return content;
}

// Of every other kind, each made from that one.
inline ReleaseContent ClassContent() {
  ReleaseContent content = SmallContent();
  content.task = TaskKind::kClassification;
  content.classes = {"healthy", "ill"};
  content.output = "state";
  content.offset = 0;
  content.privacy.lower = -1;
  content.privacy.upper = 1;
  return content;
}

inline ReleaseContent TwoInputContent() {
  ReleaseContent content = SmallContent();
  content.inputs = {{"age", 0, 10, 4}, {"weight", 3, 90, 50}};
  content.basis_points = Matrix(4, 2);
  content.basis_points << 0, 3, 3, 40, 6, 60, 10, 90;
  return content;
}

inline ReleaseContent MachineContent() {
  ReleaseContent content = ClassContent();
  content.task = TaskKind::kSvm;
  content.method = "functional";
  content.privacy.protect = Protection::kRows;
  content.posteriors[0].noise_variance = 0;
  return content;
}

inline ReleaseContent DensityContent() {
  ReleaseContent content = SmallContent();
  content.task = TaskKind::kDensity;
  content.link = DensityLink::kLog;
  content.offset = 0;
  content.privacy.protect = Protection::kRows;
  content.posteriors[0].noise_variance = 0;
  return content;
}

// Of ages in three bins and of two towns: 6 bins.
inline ReleaseContent HistogramContent() {
  ReleaseContent content = SmallContent();
  content.task = TaskKind::kHistogram;
  content.privacy.protect = Protection::kRows;
  content.inputs = {{"age", 0, 30, 15}, {"town", 0, 1, 0.5}};
  content.basis_points = Matrix();
  content.posteriors.clear();
  Histogram histogram;
  histogram.axes = {{"age", {0, 10, 20, 30}, {}},
                    {"town", {}, {"Oslo", "other"}}};
  histogram.count = Vector(6);
  histogram.count << 10, 20, 30, 40, 50, 150;
  histogram.sd = Vector::Constant(6, 3);
  histogram.lower = (histogram.count.array() - 6).matrix();
  histogram.upper = (histogram.count.array() + 6).matrix();
  content.histogram = histogram;
  return content;
}

// Returns a release of the task.
inline ReleaseContent SmallContentOf(TaskKind task) {
  switch (task) {
    case TaskKind::kRegression:
      return SmallContent();
    case TaskKind::kClassification:
      return ClassContent();
    case TaskKind::kSvm:
      return MachineContent();
    case TaskKind::kHistogram:
      return HistogramContent();
    case TaskKind::kDensity:
      return DensityContent();
  }
  throw Error("a task that is none");
}

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_SMALL_RELEASE_H_
