#include "cloak/privacy/composition.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/bounded_range.h"
#include "cloak/privacy/directed.h"
#include "cloak/privacy/gaussian_sum.h"
#include "cloak/privacy/loss_distribution.h"
#include "cloak/privacy/renyi.h"

namespace cloak {
namespace {

bool IsConvertedFromRenyi(const PrivacyEvent& event) {
  return std::holds_alternative<ZcdpEvent>(event) ||
         std::holds_alternative<SelectionEvent>(event);
}

// Events that are (epsilon, delta)-private as they stand.
struct Promise {
  double epsilon = 0;
  double delta = 0;
};
std::optional<Promise> PromiseOf(const PrivacyEvent& event) {
  if (const auto* pure = std::get_if<PureEvent>(&event)) {
    return Promise{pure->epsilon(), 0};
  }
  if (const auto* range = std::get_if<BoundedRangeEvent>(&event)) {
    return Promise{range->epsilon(), 0};
  }
  if (const auto* approximate = std::get_if<ApproximateEvent>(&event)) {
    return Promise{approximate->epsilon(), approximate->delta()};
  }
  return std::nullopt;
}

// The smallest double from 0 to kMaxEventSize at which a decreasing curve is at
// most delta, or infinity.
double SmallestEpsilon(const std::function<double(double)>& curve,
                       double delta) {
  if (curve(0) <= delta) return 0;
  if (curve(kMaxEventSize) > delta) return kInfinity;
  return SmallestDouble(0, kMaxEventSize,
                        [&](double x) { return curve(x) <= delta; });
}

// The distribution whose profile is this decreasing curve, on a grid that
// suits its deviation: what that costs is 1e-4 of the deviation at most.
LossDistribution FromCurve(const std::function<double(double)>& curve,
                           double deviation) {
  constexpr double kEnd = 1e-45;
  constexpr int kPoints = 32;
  constexpr int kMaxLength = 1 << 13;
  double end = deviation;
  while (curve(end) > kEnd && end < kMaxEventSize) end *= 1.5;
  const int exponent =
      std::max(LossDistribution::Exponent(deviation, kPoints),
               LossDistribution::Exponent(end, kMaxLength) + 1);
  std::vector<double> profile;
  for (double x = 0; profile.size() < 2 || x < end;) {
    profile.push_back(curve(x));
    x = std::ldexp(static_cast<double>(profile.size()), exponent);
  }
  return LossDistribution::FromProfile(profile, exponent, deviation);
}

struct RepeatedLoss {
  LossDistribution loss;
  int64_t times = 1;
};

// How many compositions `times` of the same take.
int Compositions(int64_t times) {
  const auto bits = static_cast<uint64_t>(times);
  return static_cast<int>(std::bit_width(bits)) + std::popcount(bits);
}

// Everything together. The two of the smallest deviation are composed first,
// so that small losses meet on grids that are fine enough for them.
LossDistribution ComposeAll(const std::vector<RepeatedLoss>& losses,
                            int points_per_deviation) {
  std::vector<LossDistribution> heap;
  for (const RepeatedLoss& repeated : losses) {
    LossDistribution power = repeated.loss;
    for (int64_t times = repeated.times;; times /= 2) {
      if (times % 2 == 1) heap.push_back(power);
      if (times <= 1) break;
      power = LossDistribution::Compose(power, power, points_per_deviation);
    }
  }
  const auto larger = [](const LossDistribution& a, const LossDistribution& b) {
    return a.deviation() > b.deviation();
  };
  std::make_heap(heap.begin(), heap.end(), larger);
  const auto pop = [&] {
    std::pop_heap(heap.begin(), heap.end(), larger);
    LossDistribution smallest = std::move(heap.back());
    heap.pop_back();
    return smallest;
  };
  while (heap.size() > 1) {
    LossDistribution first = pop();
    LossDistribution second = pop();
    heap.push_back(LossDistribution::Compose(
        std::move(first), std::move(second), points_per_deviation));
    std::push_heap(heap.begin(), heap.end(), larger);
  }
  return heap.front();
}

}  // namespace

class Composition::Bounds {
 public:
  explicit Bounds(const std::map<std::string, Repeated>& events) {
    for (const auto& [text, repeated] : events) events_.push_back(repeated);
    GaussianSum sum;
    for (const Repeated& repeated : events_) {
      if (const auto* event = std::get_if<GaussianEvent>(&repeated.event)) {
        sum.Add(event->mu(), repeated.times);
      }
    }
    mu_ = sum.Mu();
    const auto has = [&](auto test) {
      return std::any_of(
          events_.begin(), events_.end(),
          [&](const Repeated& repeated) { return test(repeated.event); });
    };
    only_gaussian_ = !has([](const PrivacyEvent& event) {
      return !std::holds_alternative<GaussianEvent>(event);
    });
    renyi_helps_ = has([](const PrivacyEvent& event) {
      return IsConvertedFromRenyi(event) ||
             std::holds_alternative<BoundedRangeEvent>(event);
    });
    SumPromises();
    alone_ = events_.size() == 1 && events_.front().times == 1;
    if (!only_gaussian_ && !alone_) curve_.emplace(Compose());
  }

  double Delta(double epsilon) const {
    if (only_gaussian_) return GaussianDeltaOfMu(epsilon, mu_);
    if (alone_) return DeltaUpper(events_.front().event, epsilon);
    double delta = curve_->Delta(epsilon);
    if (all_.epsilon <= epsilon) delta = std::min(delta, all_.delta);
    if (renyi_helps_) delta = std::min(delta, RenyiBoundOfDelta(epsilon));
    return delta;
  }

  double Epsilon(double delta) const {
    if (only_gaussian_) return GaussianEpsilonOfMu(mu_, delta);
    double epsilon = alone_ ? EpsilonAlone(delta) : curve_->Epsilon(delta);
    if (all_.delta <= delta) epsilon = std::min(epsilon, all_.epsilon);
    if (renyi_helps_) epsilon = std::min(epsilon, RenyiBoundOfEpsilon(delta));
    return epsilon > kMaxEventSize ? kInfinity : epsilon;
  }

  double Renyi(double order,
               bool (*counts)(const PrivacyEvent&) = nullptr) const {
    double sum = 0;
    for (const Repeated& repeated : events_) {
      if (counts != nullptr && !counts(repeated.event)) continue;
      sum = SumUp(sum, TimesUp(static_cast<double>(repeated.times),
                               RenyiUpper(repeated.event, order)));
    }
    return sum;
  }

  // The sum of the deltas of approximate events.
  double approximate_delta() const { return approximate_delta_; }

 private:
  double EpsilonAlone(double delta) const {
    const PrivacyEvent& event = events_.front().event;
    if (IsConvertedFromRenyi(event)) return kInfinity;  // the Rényi bound is it
    return SmallestEpsilon(
        [&](double epsilon) { return DeltaUpper(event, epsilon); }, delta);
  }

  void SumPromises() {
    for (const Repeated& repeated : events_) {
      const auto promise = PromiseOf(repeated.event);
      const auto times = static_cast<double>(repeated.times);
      if (!promise) {
        all_.epsilon = kInfinity;
        continue;
      }
      all_.epsilon = SumUp(all_.epsilon, TimesUp(times, promise->epsilon));
      approximate_delta_ =
          SumUp(approximate_delta_, TimesUp(times, promise->delta));
    }
    all_.delta = approximate_delta_;
  }

  LossCurve Compose() const {
    int compositions = 0;
    for (const Repeated& repeated : events_) {
      compositions += Compositions(repeated.times);
    }
    // Finer where there is time for it.
    const int points = compositions <= 8 ? 1024 : compositions <= 64 ? 64 : 32;
    std::vector<RepeatedLoss> losses;
    const Repeated* followed = FollowedRange();
    for (const Repeated& repeated : events_) {
      if (&repeated != followed) AddLoss(repeated, points, losses);
    }
    if (followed != nullptr) losses.push_back({Follow(*followed)});
    if (mu_ > 0) {
      losses.push_back({FromCurve(
          [&](double x) { return GaussianDeltaOfMu(x, mu_); }, mu_)});
    }
    AddConverted(losses);
    return LossCurve(ComposeAll(losses, points));
  }

  // The bounded-range events to be followed step by step: those that cost most,
  // if there are more than one and nothing is converted from Rényi divergences.
  const Repeated* FollowedRange() const {
    const Repeated* most = nullptr;
    double largest = 0;
    for (const Repeated& repeated : events_) {
      if (IsConvertedFromRenyi(repeated.event)) return nullptr;
      const auto* range = std::get_if<BoundedRangeEvent>(&repeated.event);
      if (range == nullptr || repeated.times == 1 ||
          repeated.times > BoundedRangeProfile::kMaxTimes) {
        continue;
      }
      const double cost = static_cast<double>(repeated.times) *
                          range->epsilon() * range->epsilon();
      if (cost > largest) {
        largest = cost;
        most = &repeated;
      }
    }
    return most;
  }

  static LossDistribution Follow(const Repeated& repeated) {
    const double epsilon =
        std::get<BoundedRangeEvent>(repeated.event).epsilon();
    const BoundedRangeProfile profile(epsilon, repeated.times);
    return FromCurve(
        [&](double x) { return profile.Delta(x); },
        epsilon / 2 * std::sqrt(static_cast<double>(repeated.times)));
  }

  static void AddLoss(const Repeated& repeated, int points,
                      std::vector<RepeatedLoss>& losses) {
    const auto promise = PromiseOf(repeated.event);
    if (!promise) return;
    if (std::holds_alternative<BoundedRangeEvent>(repeated.event)) {
      losses.push_back(
          {FromCurve([&](double x) { return DeltaUpper(repeated.event, x); },
                     promise->epsilon / std::sqrt(3.0)),
           repeated.times});
    } else {
      losses.push_back(
          {LossDistribution::RandomisedResponse(
               promise->epsilon, promise->delta,
               LossDistribution::Exponent(promise->epsilon, points)),
           repeated.times});
    }
  }

  // zCDP events and selections, from their Rényi divergences at many orders.
  void AddConverted(std::vector<RepeatedLoss>& losses) const {
    struct Point {
      double order = 0;
      double renyi = 0;
    };
    std::vector<Point> points;
    for (double s = -8; s < 20; s += 0.07) {
      const double order = 1 + std::exp(s);
      points.push_back({order, Renyi(order, IsConvertedFromRenyi)});
    }
    if (points.front().renyi == 0) return;
    const auto curve = [&](double x) {
      // The best of them by a rough reckoning, then with every digit.
      const auto log_delta = [x](const Point& point) {
        return (point.order - 1) *
                   (point.renyi - x + std::log1p(-1 / point.order)) -
               std::log(point.order);
      };
      const Point best = *std::min_element(points.begin(), points.end(),
                                           [&](const Point& a, const Point& b) {
                                             return log_delta(a) < log_delta(b);
                                           });
      return std::min(1.0, ExpUp(RenyiLogDelta(best.renyi, best.order, x)));
    };
    losses.push_back(
        {FromCurve(curve, std::sqrt(Renyi(2, IsConvertedFromRenyi)))});
  }

  double RenyiBoundOfDelta(double epsilon) const {
    const auto log_delta = [&](double order) {
      return RenyiLogDelta(Renyi(order), order, epsilon);
    };
    const double delta = ExpUp(log_delta(BestOrder(log_delta)));
    return std::min(1.0, SumUp(approximate_delta_, delta));
  }

  double RenyiBoundOfEpsilon(double delta) const {
    if (delta <= approximate_delta_) return kInfinity;
    const double rest =
        approximate_delta_ > 0 ? Below(delta - approximate_delta_) : delta;
    const auto epsilon = [&](double order) {
      return RenyiEpsilon(Renyi(order), order, rest);
    };
    return std::max(0.0, epsilon(BestOrder(epsilon)));
  }

  std::vector<Repeated> events_;
  double mu_ = 0;
  bool only_gaussian_ = true;
  // One event that is not Gaussian, once.
  bool alone_ = false;
  bool renyi_helps_ = false;
  // The sums of epsilon and delta, if all events have one.
  Promise all_;
  double approximate_delta_ = 0;
  std::optional<LossCurve> curve_;
};

void Composition::Add(const PrivacyEvent& event, int64_t times) {
  RequireInput(times >= 1 && times <= kMaxTimes,
               "an event must be added from 1 to ", kMaxTimes,
               " times, but was ", times, " times");
  Repeated& repeated =
      events_.try_emplace(ToString(event), Repeated{event, 0}).first->second;
  RequireInput(repeated.times <= kMaxTimes - times,
               "an event must be added at most ", kMaxTimes, " times");
  repeated.times += times;
  bounds_.reset();
}

void Composition::Add(const Composition& other) {
  const auto added = other.events_;  // may be this one
  for (const auto& [text, repeated] : added) {
    Add(repeated.event, repeated.times);
  }
}

const Composition::Bounds& Composition::bounds() const {
  if (!bounds_) bounds_ = std::make_shared<const Bounds>(events_);
  return *bounds_;
}

double Composition::Delta(double epsilon) const {
  RequireInput(epsilon >= 0 && epsilon <= kMaxEventSize,
               "epsilon must be from 0 to ", kMaxEventSize, ", but is ",
               epsilon);
  return bounds().Delta(epsilon);
}

double Composition::Epsilon(double delta) const {
  RequireInput(delta >= 0 && delta < 1,
               "delta must be from 0 to below 1, but is ", delta);
  return bounds().Epsilon(delta);
}

RenyiBound Composition::Renyi(double order) const {
  return {bounds().Renyi(order), bounds().approximate_delta()};
}

}  // namespace cloak
