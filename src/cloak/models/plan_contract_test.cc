// The contract that every plan keeps, whatever its task and method. A new model
// is listed once, in Models(), and all of this is asked of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/base/text.h"
#include "cloak/models/make_plan.h"
#include "cloak/models/rows/histogram.h"
#include "cloak/models/rows/selected_plan.h"
#include "cloak/privacy/integer128.h"
#include "cloak/release/file_format.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

constexpr Index kContractRows = 24;
constexpr uint64_t kSeed = 5;

// The private cells of a table: one column for each private input, and the
// outputs where there are some.
struct PrivateTable {
  Matrix inputs;
  Vector outputs;

  PrivateRows Closed() const {
    std::vector<Secret<Vector>> columns;
    for (Index j = 0; j < inputs.cols(); ++j) {
      columns.emplace_back(Vector(inputs.col(j)));
    }
    return {std::move(columns), Secret<Vector>(outputs)};
  }
};

using Planner =
    std::function<std::unique_ptr<Plan>(const Setting&, const Task&)>;

std::unique_ptr<Plan> PlanTask(const Setting& setting, const Task& task) {
  return MakePlan(setting, task);
}

struct Model {
  std::string name;
  Setting setting;
  Task task;
  Planner planner = PlanTask;
  // Whether the same randomness with rows in another order gives another
  // release: which of several rows that are alike comes first, or which rows
  // train a candidate, is drawn.
  bool draws_an_order = false;
  // Whether each number that is released states what it costs: the best of
  // several candidates costs more.
  bool states_its_costs = true;

  std::unique_ptr<Plan> Make() const { return planner(setting, task); }
};

void PrintTo(const Model& model, std::ostream* out) { *out << model.name; }

double PlaceOf(Index i) {
  return std::fmod(0.618034 * static_cast<double>(i + 1), 1);
}

// Returns private cells within what the setting and the task say of them.
PrivateTable TableFor(const Model& model) {
  const Setting& setting = model.setting;
  PrivateTable table;
  if (const auto* histogram = std::get_if<HistogramTask>(&model.task)) {
    table.inputs.resize(setting.rows(),
                        static_cast<Index>(histogram->axes.size()));
    for (Index i = 0; i < table.inputs.size(); ++i) {
      const HistogramAxis& axis =
          histogram->axes[static_cast<size_t>(i / setting.rows())];
      table.inputs(i) =
          axis.categories.empty()
              ? axis.edges.front() +
                    PlaceOf(i) * (axis.edges.back() - axis.edges.front())
              : static_cast<double>(i % axis.bins());
    }
    return table;
  }
  if (setting.ProtectsRows()) {
    table.inputs.resize(setting.rows(), setting.lower().size());
    for (Index i = 0; i < setting.rows(); ++i) {
      for (Index j = 0; j < setting.lower().size(); ++j) {
        table.inputs(i, j) =
            setting.lower()(j) +
            PlaceOf(3 * i + j) * (setting.upper()(j) - setting.lower()(j));
      }
    }
  }
  if (!setting.HasOutput()) return table;
  table.outputs.resize(setting.rows());
  for (Index i = 0; i < setting.rows(); ++i) {
    const OutputBounds bounds = setting.bounds();
    table.outputs(i) = setting.HasLabels()
                           ? (i % 3 == 0 ? 1 : -1)
                           : bounds.lower() + PlaceOf(i) * bounds.width();
  }
  return table;
}

// Returns a table with public inputs, of which no two rows are alike unless
// `alike`.
Setting OpenRows(bool labels, bool alike = false, Index inputs = 1) {
  Matrix X(kContractRows, inputs);
  for (Index i = 0; i < kContractRows; ++i) {
    for (Index j = 0; j < inputs; ++j) {
      X(i, j) = alike ? static_cast<double>(i % 8) : 10 * PlaceOf(i + 7 * j);
    }
  }
  Setting setting{.inputs = PublicInputs{X}, .threads = Threads(1)};
  for (Index j = 0; j < inputs; ++j)
    setting.input_names.push_back(Text("x", j));
  if (labels) {
    setting.output = LabelOutput{"y", {"no", "yes"}};
  } else {
    setting.output = NumberOutput{"y", OutputBounds(-1, 3)};
  }
  return setting;
}

Setting WithPersons(Setting setting) {
  std::vector<std::string> persons;
  // Seven with one to four rows each.
  for (int i = 0; i < kContractRows; ++i) persons.push_back(Text(i * i % 11));
  auto& inputs = std::get<PublicInputs>(setting.inputs);
  inputs.units = PrivacyUnits::FromLabels(persons, "person");
  inputs.unit_name = "person";
  return setting;
}

Setting WithRowNoise(Setting setting) {
  std::get<PublicInputs>(setting.inputs).noise_variances =
      Vector::LinSpaced(kContractRows, 0.05, 0.5);
  return setting;
}

template <typename Output>
Setting HiddenRows(const Output& output) {
  return {
      .input_names = {"a", "b"},
      .inputs = PrivateInputs(kContractRows, Vector{{0, -1}}, Vector{{10, 1}}),
      .output = output,
      .threads = Threads(1)};
}

const Budget kContractBudget(1, 1e-4);

Regression GivenMethod(Regression::Method method) {
  Regression task{.budget = kContractBudget, .method = method};
  if (IsBinned(method)) {
    task.budget = PureBudget(1);
    task.bins = 4;
  }
  if (method != Regression::kPolynomial && method != Regression::kBinning) {
    task.kernel = Kernel::Parse("bias(1) + eq(variance=1, lengthscale=3)");
  }
  task.noise_variance = 0.1;
  if (method == Regression::kCloaking ||
      method == Regression::kNonstationaryCloaking) {
    task.query_points = Vector{{1, 4, 9}};
  }
  if (method == Regression::kSparseCloaking) task.inducing = {4};
  return task;
}

Classification GivenClasses(Classification::Method method) {
  Classification task{.budget = kContractBudget, .method = method};
  task.kernel = Kernel::Eq(2, 3);
  task.inducing = 4;
  return task;
}

// One of two kernels by private selection, each with the rest of the task.
std::unique_ptr<Plan> PlanSelection(const Setting& setting, const Task& task) {
  std::vector<PlanFactory> candidates;
  for (const double factor : {1.0, 3.0}) {
    candidates.push_back([=](const SharedSetting& part, const Budget& budget) {
      auto candidate = std::get<Regression>(task);
      candidate.budget = budget;
      candidate.kernel = *candidate.kernel + Kernel::Eq(factor, 2);
      return MakePlan(part, candidate);
    });
  }
  return std::make_unique<SelectedPlan>(
      std::make_shared<const Setting>(setting),
      std::get<Budget>(std::get<Regression>(task).budget), candidates,
      SelectedPlanOptions{.repeats = NegativeBinomialRepeats(1, 0.3)});
}

// Every model there is.
std::vector<Model> Models() {
  const Setting numbers = OpenRows(false);
  const Setting labels = OpenRows(true);
  const Setting rows = HiddenRows(NumberOutput{"y", OutputBounds(-1, 3)});
  const Setting label_rows = HiddenRows(LabelOutput{"y", {"no", "yes"}});
  const Setting counted = HiddenRows(std::monostate());
  const Setting spread{
      .input_names = {"a"},
      .inputs = PrivateInputs(kContractRows, Vector{{0}}, Vector{{10}}),
      .threads = Threads(1)};
  std::vector<Model> models;
  for (const Regression::Method method : RegressionMethods()) {
    if (method == Regression::kVariational) continue;
    models.push_back({NameOf(method), numbers, GivenMethod(method)});
    models.push_back({NameOf(method) + " of persons", WithPersons(numbers),
                      GivenMethod(method), PlanTask, true});
    if (IsBinned(method) || method == Regression::kPolynomial) continue;
    models.push_back({NameOf(method) + " with row noise", WithRowNoise(numbers),
                      GivenMethod(method)});
  }
  Regression task = GivenMethod(Regression::kOptimal);
  task.one_round = true;
  models.push_back({"optimal in one release", numbers, task});
  models.push_back({"optimal of rows that are alike", OpenRows(false, true),
                    task, PlanTask, true});
  task.design = Regression::kTrace;
  models.push_back({"optimal with the trace design", numbers, task});
  models.push_back(
      {"optimal, learned", numbers, Regression{.budget = kContractBudget}});
  task = GivenMethod(Regression::kCloaking);
  task.published_noise = true;
  task.design = Regression::kTrace;
  models.push_back({"cloaking with the papers' noise", numbers, task});
  for (const Classification::Method method : ClassificationMethods()) {
    models.push_back(
        {NameOf(method) + " of classes", labels, GivenClasses(method)});
  }
  Classification classes = GivenClasses(Classification::kLaplace);
  classes.newton_steps = 2;
  models.push_back(
      {"two Newton steps", WithPersons(labels), classes, PlanTask, true});
  models.push_back({"classes by principal components", OpenRows(true, false, 9),
                    Classification{.budget = kContractBudget}});

  task = Regression{.budget = kContractBudget};
  task.bins = {4, 3};
  models.push_back({"optimal of private rows, learned", rows, task});
  task.kernel = Kernel::Parse("bias(1) + eq(variance=1, lengthscale=3)");
  task.noise_variance = 0.1;
  models.push_back({"optimal of private rows", rows, task});
  task.bins = {};
  models.push_back({"optimal of private rows, adapting cells", rows, task});
  models.push_back({"classes of private rows", label_rows,
                    Classification{.budget = kContractBudget,
                                   .kernel = Kernel::Eq(2, 3),
                                   .bins = PerInput{4, 3}}});
  models.push_back(
      {"svm", label_rows, Svm{.budget = kContractBudget, .basis = 12}});
  task = GivenMethod(Regression::kVariational);
  task.kernel = Kernel::Eq(1, 3);
  task.inducing = {3};
  models.push_back({"variational", rows, task});
  models.push_back(
      {"the best of several", rows, task, PlanSelection, true, false});
  for (const bool gaussian : {false, true}) {
    const std::string noise = gaussian ? "Gaussian" : "Laplace";
    const CountBudget budget{.epsilon = 1, .delta = 1e-4, .gaussian = gaussian};
    models.push_back({Text("histogram with ", noise, " noise"), counted,
                      HistogramTask{.budget = budget,
                                    .axes = {EqualBins("a", 0, 10, 4),
                                             {"b", {}, {"x", "y", "other"}}}}});
    models.push_back({Text("density with ", noise, " noise"), spread,
                      Density{.budget = budget}});
  }
  models.push_back({"density as a function", spread,
                    Density{.budget = {.epsilon = 1, .delta = 1e-4},
                            .method = Density::kFunctional}});
  models.push_back({"density as a function of a given bandwidth", spread,
                    Density{.budget = {.epsilon = 1, .delta = 1e-4},
                            .method = Density::kFunctional,
                            .bandwidth = Vector{{2}}}});
  return models;
}

std::string NameOfModel(const testing::TestParamInfo<Model>& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
      '_');
  return name;
}

class PlanContract : public testing::TestWithParam<Model> {
 protected:
  const Model& model() const { return GetParam(); }
  static Release Execute(const Plan& plan, const PrivateTable& table) {
    Randomness random = RandomnessForTesting::Seeded(kSeed);
    return plan.Execute(table.Closed(), random);
  }
};
INSTANTIATE_TEST_SUITE_P(, PlanContract, testing::ValuesIn(Models()),
                         NameOfModel);

TEST(PlanContractModels, AreOfEveryTask) {
  std::set<size_t> tasks;
  for (const Model& model : Models()) tasks.insert(model.task.index());
  EXPECT_EQ(tasks.size(), std::variant_size_v<Task>);
}

// Returns the statistics in the order in which they were published.
std::vector<ReleasedStatistic> AllOf(const ReleaseContent& content) {
  std::vector<ReleasedStatistic> all = content.earlier_statistics;
  all.push_back(content.statistic);
  return all;
}

TEST_P(PlanContract, SaysAllThatAReleaseSays) {
  const auto plan = model().Make();
  const PlanSummary& summary = plan->summary();
  EXPECT_FALSE(summary.method.empty());
  EXPECT_FALSE(summary.design.empty());
  EXPECT_GT(summary.rank, 0);
  EXPECT_GE(summary.rounds, 1);
  EXPECT_TRUE(std::isfinite(summary.certified_gap));
  EXPECT_TRUE(std::isfinite(summary.expected_sd));
  EXPECT_GT(summary.expected_sd, 0);
  EXPECT_GE(summary.expected_sd_without_privacy, 0);
  EXPECT_LT(summary.expected_sd_without_privacy, summary.expected_sd);
  const PrivacyStatement& privacy = plan->privacy();
  EXPECT_EQ(privacy.epsilon, 1);
  EXPECT_EQ(privacy.rows, model().setting.rows());
  EXPECT_FALSE(privacy.mechanism.empty());
  EXPECT_LT(privacy.lower, privacy.upper);
  for (const double size : {privacy.sensitivity, privacy.noise_sd}) {
    EXPECT_TRUE(std::isfinite(size));
    EXPECT_GT(size, 0);
  }
  EXPECT_EQ(plan->privacy_units().rows(), privacy.rows);
  EXPECT_EQ(plan->privacy_units().count(),
            model().setting.UnitsOrRows().count());
  EXPECT_EQ(plan->neighbours() == Neighbours::kRow,
            model().setting.ProtectsRows());
  EXPECT_EQ(plan->neighbours() == Neighbours::kUnit, !privacy.unit.empty());

  const ReleaseContent content = Execute(*plan, TableFor(model())).content();
  EXPECT_EQ(content.task, summary.task);
  EXPECT_EQ(content.method, summary.method);
  EXPECT_EQ(content.design, summary.design);
  EXPECT_EQ(content.privacy.protect, privacy.protect);
  EXPECT_EQ(content.privacy.mechanism, privacy.mechanism);
  EXPECT_EQ(content.privacy.delta, privacy.delta);
  EXPECT_EQ(content.classes, model().setting.classes());
  EXPECT_FALSE(content.inputs.empty());
  EXPECT_FALSE(content.output.empty());
  if (summary.rank_is_a_guess) return;
  Index numbers = 0;
  for (const ReleasedStatistic& statistic : AllOf(content)) {
    numbers += static_cast<Index>(statistic.integers.size());
  }
  EXPECT_EQ(numbers, summary.rank);
}

TEST_P(PlanContract, CostsWhatItsReleaseStates) {
  const auto plan = model().Make();
  const PrivacyEvent event = plan->event();
  // Two plans of one thing cost the same, and making a release changes nothing.
  EXPECT_EQ(ToString(model().Make()->event()), ToString(event));
  const ReleaseContent content = Execute(*plan, TableFor(model())).content();
  EXPECT_EQ(ToString(plan->event()), ToString(event));
  if (!model().states_its_costs) {
    EXPECT_EQ(content.privacy.event, ToString(event));
    return;
  }
  EXPECT_EQ(content.privacy.event, "");
  double spent = 0;
  for (const ReleasedStatistic& statistic : AllOf(content)) {
    ASSERT_TRUE(statistic.cost.has_value());
    const double price = statistic.cost->price;
    if (statistic.cost->with_next) continue;
    spent +=
        statistic.cost->noise == NoiseKind::kGaussian ? price * price : price;
  }
  const auto* gaussian = std::get_if<GaussianEvent>(&event);
  const double charged = gaussian != nullptr
                             ? gaussian->mu() * gaussian->mu()
                             : std::get<PureEvent>(event).epsilon();
  EXPECT_LE(spent, charged * (1 + 1e-12));
  // The papers' noise may be more than the budget needs.
  EXPECT_GT(spent, charged * 0.999);
}

// With the same noise, neighbours differ in what is published first by no more
// than the noise was made for. (What comes after it is chosen by it.)
TEST_P(PlanContract, NeighboursAreAsNearAsTheNoiseIsMadeFor) {
  if (!model().states_its_costs) GTEST_SKIP() << "halves are drawn";
  const auto plan = model().Make();
  const auto first = [&](const PrivateTable& table) {
    std::vector<ReleasedStatistic> all = AllOf(Execute(*plan, table).content());
    size_t count = 0;
    while (all[count++].cost->with_next) continue;
    all.resize(count);
    return all;
  };
  const PrivacyUnits units = model().setting.UnitsOrRows();
  const double extremes[] = {-1e300, 1e300, kNan, kInfinity, 0};
  double most = 0;
  double price = 0;
  for (Index unit = 0; unit < units.count(); unit += 5) {
    PrivateTable table = TableFor(model());
    PrivateTable other = table;
    for (const Index row : units.Rows(unit)) {
      for (Index j = 0; j < table.inputs.cols(); ++j) {
        table.inputs(row, j) = extremes[(row + j) % 2];
        other.inputs(row, j) = extremes[(row + j + unit) % 5];
      }
      if (table.outputs.size() == 0) continue;
      table.outputs(row) = model().setting.HasLabels() ? 1 : extremes[row % 2];
      other.outputs(row) =
          model().setting.HasLabels() ? -1 : extremes[(row + 1) % 2];
    }
    const std::vector<ReleasedStatistic> a = first(table);
    const std::vector<ReleasedStatistic> b = first(other);
    ASSERT_EQ(a.size(), b.size());
    const bool gaussian = a.back().cost->noise == NoiseKind::kGaussian;
    price = a.back().cost->price;
    double moved = 0;
    for (size_t k = 0; k < a.size(); ++k) {
      ASSERT_EQ(a[k].integers.size(), b[k].integers.size());
      const double worth = a[k].step / a[k].cost->noise_scale;
      for (size_t i = 0; i < a[k].integers.size(); ++i) {
        const Int128 difference = ParseInt128(a[k].integers[i], "a") -
                                  ParseInt128(b[k].integers[i], "b");
        const double size = std::abs(static_cast<double>(difference)) * worth;
        moved += gaussian ? size * size : size;
      }
    }
    most = std::max(most, gaussian ? std::sqrt(moved) : moved);
  }
  EXPECT_LE(most, price * (1 + 1e-12));
  EXPECT_GT(most, 0.01 * price);
}

TEST_P(PlanContract, IsTheSameOnTwoThreads) {
  Model two = model();
  two.setting.threads = Threads(2);
  const PrivateTable table = TableFor(model());
  EXPECT_EQ(ReleaseToJson(Execute(*two.Make(), table)),
            ReleaseToJson(Execute(*model().Make(), table)));
}

// Returns the release without the numbers that noise was added to and what was
// inferred from them.
std::string WithoutNumbers(ReleaseContent content) {
  for (ReleasedStatistic& statistic : content.earlier_statistics) {
    std::fill(statistic.integers.begin(), statistic.integers.end(), "0");
  }
  std::fill(content.statistic.integers.begin(),
            content.statistic.integers.end(), "0");
  for (Posterior& posterior : content.posteriors) posterior.mean.setZero();
  return ReleaseToJson(Release(std::move(content)));
}

TEST_P(PlanContract, TheOrderOfRowsLeavesNoTrace) {
  std::vector<Index> order(static_cast<size_t>(kContractRows));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [](Index a, Index b) { return PlaceOf(5 * a) < PlaceOf(5 * b); });
  Model permuted = model();
  if (auto* inputs = std::get_if<PublicInputs>(&permuted.setting.inputs)) {
    inputs->X = Matrix(inputs->X(order, Eigen::all));
    if (inputs->units) inputs->units = inputs->units->Of(order);
    if (inputs->noise_variances)
      inputs->noise_variances = Vector((*inputs->noise_variances)(order));
  }
  const PrivateTable table = TableFor(model());
  PrivateTable other = table;
  if (table.inputs.size() > 0) other.inputs = table.inputs(order, Eigen::all);
  if (table.outputs.size() > 0) other.outputs = table.outputs(order);
  const auto plan = model().Make();
  const auto after = permuted.Make();
  EXPECT_EQ(plan->summary().expected_sd, after->summary().expected_sd);
  EXPECT_EQ(plan->summary().rank, after->summary().rank);
  EXPECT_EQ(ToString(plan->event()), ToString(after->event()));
  const Release a = Execute(*plan, table);
  const Release b = Execute(*after, other);
  if (!model().states_its_costs) return;
  if (model().draws_an_order) {
    EXPECT_EQ(WithoutNumbers(a.content()), WithoutNumbers(b.content()));
  } else {
    EXPECT_EQ(ReleaseToJson(a), ReleaseToJson(b));
  }
}

// Whatever is asked for is refused when it is planned, before anything is
// charged, or made without an error.
TEST_P(PlanContract, AbsurdMagnitudesAreRefusedBeforeTheyAreCharged) {
  // `spoil` returns whether there was something to spoil.
  const auto ask = [&](const auto& spoil) {
    Model absurd = model();
    if (!spoil(absurd)) return;
    std::unique_ptr<Plan> plan;
    try {
      plan = absurd.Make();
      plan->event();
    } catch (const Error&) {
      return;
    }
    EXPECT_NO_THROW(Execute(*plan, TableFor(model()))) << "planned, though";
  };
  for (const double size : {1e300, 1e-300, 1e40, 1e-40}) {
    SCOPED_TRACE(size);
    ask([&](Model& absurd) {
      auto* number = std::get_if<NumberOutput>(&absurd.setting.output);
      if (number != nullptr) number->bounds = OutputBounds(-size, size);
      return number != nullptr;
    });
    ask([&](Model& absurd) {
      if (auto* open = std::get_if<PublicInputs>(&absurd.setting.inputs)) {
        open->X(0, 0) = size;
        return true;
      }
      auto& hidden = std::get<PrivateInputs>(absurd.setting.inputs);
      hidden.lower(0) = -size;
      hidden.upper(0) = size;
      return !std::holds_alternative<HistogramTask>(absurd.task);
    });
    const auto ask_task = [&](const auto& change) {
      ask([&](Model& absurd) { return std::visit(change, absurd.task); });
    };
    for (const bool variance : {false, true}) {
      ask_task([&](auto& task) {
        if constexpr (requires { task.kernel; }) {
          if (!task.kernel) return false;
          task.kernel = variance ? *task.kernel + Kernel::Eq(size, 1)
                                 : Kernel::Eq(1, size);
          return true;
        }
        return false;
      });
    }
    ask_task([&](auto& task) {
      if constexpr (requires { task.noise_variance; }) {
        if (!task.noise_variance) return false;
        task.noise_variance = size;
        return true;
      }
      return false;
    });
    ask_task([&](auto& task) {
      if constexpr (requires { task.query_points; }) {
        if (!task.query_points) return false;
        (*task.query_points)(0) = size;
        return true;
      }
      return false;
    });
    ask_task([&](auto& task) {
      if constexpr (requires { task.bins; }) {
        if (!task.bins) return false;
        task.bins = size;
        return true;
      }
      return false;
    });
    ask_task([&](auto& task) {
      if constexpr (requires { task.axes; }) {
        task.axes[0].edges.back() = size;
        task.axes[0].edges.front() = -size;
        return true;
      }
      return false;
    });
    ask_task([&](auto& task) {
      if constexpr (requires { task.bandwidth; }) {
        if (!task.bandwidth) return false;
        task.bandwidth = Vector::Constant(1, size);
        return true;
      }
      return false;
    });
  }
}

TEST_P(PlanContract, AnyPrivateCellsAreReleasedWithoutAnError) {
  const auto plan = model().Make();
  const double hostile[] = {kNan,   kInfinity, -kInfinity, 1e300,
                            -1e300, -0.0,      5e-324};
  PrivateTable table = TableFor(model());
  for (Index i = 0; i < table.inputs.size(); ++i)
    table.inputs(i) = hostile[i % 7];
  for (Index i = 0; i < table.outputs.size(); ++i) {
    table.outputs(i) =
        model().setting.HasLabels() ? (i % 2 == 0 ? kNan : 1) : hostile[i % 7];
  }
  EXPECT_NO_THROW(Execute(*plan, table));
}

TEST_P(PlanContract, TheFileReadsBackAsTheSameRelease) {
  const std::string json =
      ReleaseToJson(Execute(*model().Make(), TableFor(model())));
  EXPECT_EQ(ReleaseToJson(ReleaseFromJson(json, "release.cloak")), json);
}

}  // namespace
}  // namespace cloak
