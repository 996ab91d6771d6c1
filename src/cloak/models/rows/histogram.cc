#include "cloak/models/rows/histogram.h"

#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/bin_prior.h"
#include "cloak/gp/consistent_counts.h"
#include "cloak/models/magnitudes.h"
#include "cloak/models/release_parts.h"
#include "cloak/selection/pattern_search.h"

namespace cloak {
namespace {

constexpr double kInterval = 0.95;

// With more bins, fewer functions: the time is bins times their square.
Index MostFunctions(Index bins) {
  if (bins <= 1000) return 150;
  return bins <= 3000 ? 80 : 40;
}

// The belief about a hyperparameter before anything is known, which is
// log-normal.
struct Belief {
  double median;
  double spread;
  double least;
  double most;
};
constexpr Belief kBinVariance = {2, 1.5, 0.01, 50};
constexpr Belief kBinRoughness = {0.05, 2.5, 1e-4, 50};
constexpr double kRough = 3;
constexpr Belief kBinLengthscale = {0.25, 1, 0, 4};

std::vector<BinAxis> AsBins(const std::vector<HistogramAxis>& axes) {
  std::vector<BinAxis> bins;
  for (const HistogramAxis& axis : axes) {
    BinAxis bin{axis.bins(), !axis.categories.empty(), {}};
    for (size_t i = 1; i < axis.edges.size(); ++i) {
      bin.widths.push_back(axis.edges[i] - axis.edges[i - 1]);
    }
    bins.push_back(std::move(bin));
  }
  return bins;
}

// The logarithms of variance, roughness and the lengthscales of numbers.
class BinSearch {
 public:
  BinSearch(std::vector<BinAxis> axes, const NoisyBins& bins,
            const Threads& threads)
      : axes_(std::move(axes)), bins_(bins), threads_(threads) {
    beliefs_ = {kBinVariance, kBinRoughness};
    for (const BinAxis& axis : axes_) {
      if (axis.categorical) continue;
      Belief belief = kBinLengthscale;
      belief.least = 0.5 / static_cast<double>(axis.bins);
      belief.median = std::max(belief.median, belief.least);
      beliefs_.push_back(belief);
    }
  }

  LogIntensity At(const Vector& logs) const {
    BinHyperparameters value;
    value.variance = std::exp(logs(0));
    value.roughness = std::exp(logs(1));
    Index next = 2;
    for (const BinAxis& axis : axes_) {
      value.lengthscales.push_back(axis.categorical ? 1
                                                    : std::exp(logs(next++)));
    }
    return {PriorOfBins(axes_, value, bins_.rows,
                        MostFunctions(bins_.counts.size())),
            bins_, threads_};
  }

  // From smooth and from rough, between which there may be a ridge.
  Vector Best() const {
    const Vector smooth = From(std::log(kBinRoughness.median));
    const Vector rough = From(std::log(kRough));
    return Cost(rough) < Cost(smooth) ? rough : smooth;
  }

 private:
  Vector From(double log_roughness) const {
    const auto size = static_cast<Index>(beliefs_.size());
    SearchBox box{Vector(size), Vector(size), Vector(size)};
    for (Index j = 0; j < size; ++j) {
      const Belief& belief = beliefs_[static_cast<size_t>(j)];
      box.start(j) = std::log(belief.median);
      box.lower(j) = std::log(belief.least);
      box.upper(j) = std::log(belief.most);
    }
    box.start(1) = log_roughness;
    return PatternSearch(box, [&](const Vector& logs) { return Cost(logs); });
  }

  // −log of evidence and belief.
  double Cost(const Vector& logs) const {
    double cost = 0;
    for (Index j = 0; j < logs.size(); ++j) {
      const Belief& belief = beliefs_[static_cast<size_t>(j)];
      const double z = (logs(j) - std::log(belief.median)) / belief.spread;
      cost += 0.5 * z * z;
    }
    try {
      return cost + At(logs).Cost();
    } catch (const Error&) {
      return HUGE_VAL;  // another may do
    }
  }

  std::vector<BinAxis> axes_;
  const NoisyBins& bins_;
  Threads threads_;
  std::vector<Belief> beliefs_;
};

// Returns what the counts say by themselves, for where no density can be found:
// a release that is paid for must tell something.
LogIntensity::Moments Alone(const NoisyBins& bins) {
  return {bins.counts,
          Vector::Constant(bins.counts.size(), bins.noise_variance)};
}

LogIntensity::Moments MomentsOf(const std::vector<HistogramAxis>& axes,
                                const NoisyBins& bins, const Threads& threads) {
  try {
    const BinSearch search(AsBins(axes), bins, threads);
    return search.At(search.Best()).Counts();
  } catch (const Error&) {
    return Alone(bins);
  }
}

void ValidateAxes(const std::vector<HistogramAxis>& axes) {
  RequireInput(!axes.empty() && axes.size() <= HistogramPlan::kMostInputs,
               "a histogram has 1 to ", HistogramPlan::kMostInputs,
               " inputs, but there are ", axes.size());
  std::set<std::string> names;
  for (const HistogramAxis& axis : axes) {
    RequireInput(axis.categories.empty() != axis.edges.empty(), "'", axis.name,
                 "' must have edges or categories");
    RequireInput(names.insert(axis.name).second, "a histogram counts by '",
                 axis.name, "' twice");
    std::set<std::string> categories(axis.categories.begin(),
                                     axis.categories.end());
    RequireInput(categories.size() == axis.categories.size(), "'", axis.name,
                 "' has a category twice");
    for (size_t i = 0; i < axis.edges.size(); ++i) {
      RequireInput(std::isfinite(axis.edges[i]) &&
                       (i == 0 || axis.edges[i - 1] < axis.edges[i]),
                   "the edges of '", axis.name,
                   "' must be finite and increase; take fewer bins, or a wider "
                   "range");
    }
    if (axis.edges.empty()) continue;
    RequireRange(Text("the input '", axis.name, "'"), axis.edges.front(),
                 axis.edges.back());
  }
}

InputColumn DescribeAxis(const HistogramAxis& axis) {
  if (!axis.categories.empty()) {
    const auto last = static_cast<double>(axis.categories.size() - 1);
    return {axis.name, 0, last, last / 2};
  }
  const double lower = axis.edges.front();
  const double upper = axis.edges.back();
  return {axis.name, lower, upper, lower + (upper - lower) / 2};
}

}  // namespace

HistogramAxis EqualBins(const std::string& name, double lower, double upper,
                        Index bins) {
  RequireInput(std::isfinite(upper - lower) && lower < upper, "the range of '",
               name,
               "' must be finite, and its lower end below its upper, but "
               "it is ",
               lower, " to ", upper);
  RequireInput(bins >= 1 && bins <= CountRelease::kMostBins, "'", name,
               "' must have 1 to ", CountRelease::kMostBins, " bins, but has ",
               bins);
  HistogramAxis axis{name};
  for (Index i = 0; i < bins; ++i) {
    axis.edges.push_back(lower + (upper - lower) * static_cast<double>(i) /
                                     static_cast<double>(bins));
  }
  axis.edges.push_back(upper);
  return axis;
}

Histogram InferHistogram(const std::vector<HistogramAxis>& axes,
                         const NoisyBins& bins, const Threads& threads) {
  const LogIntensity::Moments moments = MomentsOf(axes, bins, threads);
  ConsistentCounts counts =
      MakeConsistent(moments.mean, moments.variance, bins.rows, kInterval);
  // No bin has more rows than there are.
  counts.upper = counts.upper.cwiseMin(bins.rows).cwiseMax(counts.count);
  return {axes, std::move(counts.count), std::move(counts.sd),
          std::move(counts.lower), std::move(counts.upper)};
}

HistogramPlan::HistogramPlan(const SharedSetting& setting,
                             const HistogramTask& task)
    : Plan(setting), counts_(task.axes, setting->rows(), task.budget) {
  ValidateAxes(task.axes);
  event_ = [this] { return counts_.event(); };
  summary_.task = TaskKind::kHistogram;
  summary_.method = "optimal";
  summary_.design = "counts";
  summary_.privacy = counts_.Statement();
  summary_.rank = counts_.bins() + 1;
  summary_.expected_sd = counts_.noise_sd();
  ReleaseContent content = Beforehand();
  const Index bins = counts_.bins();
  const Vector none = Vector::Zero(bins);
  const Vector even = Vector::Constant(
      bins, static_cast<double>(setting->rows()) / static_cast<double>(bins));
  content.histogram = {task.axes, even, none, none, even};
  CheckReleasable(std::move(content));
}

ReleaseContent HistogramPlan::Beforehand() const {
  ReleaseContent content = ContentOf(summary_);
  content.output = "count";
  for (const HistogramAxis& axis : counts_.axes()) {
    content.inputs.push_back(DescribeAxis(axis));
  }
  return content;
}

Release HistogramPlan::Run(const PrivateRows& rows, Randomness& randomness,
                           const ReleaseObserver& /*observer*/) const {
  setting().progress("releasing", 0);
  CountRelease::Published published =
      counts_.Release(rows.inputs(), randomness);
  setting().progress("inferring", 0.2);
  ReleaseContent content = Beforehand();
  content.statistic = std::move(published.counts);
  content.earlier_statistics = {std::move(published.missing)};
  content.histogram =
      InferHistogram(counts_.axes(), published.bins, setting().threads);
  return Release(std::move(content));
}

}  // namespace cloak
