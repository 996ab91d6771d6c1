#include "apps/cli/release_request.h"

#include <gtest/gtest.h>

#include <set>

#include "apps/cli/release_place.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/kind.h"

namespace cloak {
namespace {

// Returns the arguments of a release of this kind that lack nothing.
ReleaseArguments Complete(TaskKind task, Protection protect,
                          const std::string& method) {
  ReleaseArguments arguments;
  arguments.data = "data.csv";
  arguments.task = NameOf(task);
  arguments.protect = NameOf(protect);
  arguments.method = method;
  arguments.inputs = "a,b";
  arguments.epsilon = "1";
  arguments.delta = "1e-3";
  if (KindOf(task).has_output) arguments.output = "y";
  if (KindOf(task).has_labels) arguments.classes = "no,yes";
  if (KindOf(task).has_observations) arguments.bounds = "0:1";
  if (protect == Protection::kRows) arguments.input_ranges = "a=0:1,b=0:1";
  return arguments;
}

// Returns the arguments with what some methods need and others refuse, so that
// they make a request.
ReleaseArguments Mended(ReleaseArguments arguments) {
  const auto works = [](const ReleaseArguments& some) {
    try {
      RequestOf(some);
      return true;
    } catch (const InvalidInput&) {
      return false;
    }
  };
  using Member = std::optional<std::string> ReleaseArguments::*;
  const std::vector<std::vector<std::pair<Member, std::string>>> needs = {
      {},
      {{&ReleaseArguments::kernel, "eq(1)"}},
      {{&ReleaseArguments::noise_variance, "1"}},
      {{&ReleaseArguments::kernel, "eq(1)"},
       {&ReleaseArguments::noise_variance, "1"}},
      {{&ReleaseArguments::kernel, "eq(1)"},
       {&ReleaseArguments::noise_variance, "1"},
       {&ReleaseArguments::at, "at.csv"}}};
  for (const bool has_delta : {true, false}) {
    for (const auto& need : needs) {
      ReleaseArguments mended = arguments;
      for (const auto& [member, value] : need) mended.*member = value;
      if (!has_delta) mended.delta.reset();
      if (works(mended)) return mended;
    }
  }
  ADD_FAILURE() << arguments.task << " " << arguments.protect.value_or("")
                << " " << arguments.method << " needs more than is given here";
  return arguments;
}

// Calls visit for each task, promise and method.
template <typename F>
void ForEveryRelease(const F& visit) {
  for (const TaskKind task : cloak::AllOf<TaskKind>()) {
    for (const Protection protect : cloak::AllOf<Protection>()) {
      for (const std::string& method : MethodsOf(task, protect)) {
        visit(Mended(Complete(task, protect, method)));
      }
    }
  }
}

bool Belongs(const ReleaseOption& option, const ReleaseArguments& arguments) {
  ReleaseArguments given = arguments;
  SetValue(option, "?!", given);
  try {
    RequireBelonging(given);
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

// Whoever adds an option to the table must also read it: what cannot be read is
// refused wherever the option belongs.
TEST(ReleaseRequest, ReadsEveryOptionWhereverItBelongs) {
  // Names of columns, files and the like, which may be any text.
  const std::set<std::string> names = {
      "--inputs",       "--output",         "--unit",
      "--noise-column", "--missing-values", "--at",
      "--ledger",       "--dataset",        "-o",
      "--reproduce",    "--missing"};
  int refused = 0;
  ForEveryRelease([&](const ReleaseArguments& arguments) {
    for (const ReleaseOption& option : ReleaseOptions()) {
      if ((option.commands & kRelease) == 0 || option.value.empty() ||
          names.contains(option.name) || !Belongs(option, arguments)) {
        continue;
      }
      ReleaseArguments given = arguments;
      SetValue(option, "?!", given);
      EXPECT_THROW(RequestOf(given), InvalidInput)
          << option.name << " of " << given.task << " " << *given.protect << " "
          << given.method;
      ++refused;
    }
  });
  EXPECT_GT(refused, 50);
}

TEST(ReleaseRequest, RefusesEveryOptionWhereverItDoesNotBelong) {
  ForEveryRelease([&](const ReleaseArguments& arguments) {
    for (const ReleaseOption& option : ReleaseOptions()) {
      if ((option.commands & kRelease) == 0 || option.value.empty() ||
          option.places.front().tasks == kAnyTask ||
          Belongs(option, arguments)) {
        continue;
      }
      ReleaseArguments given = arguments;
      SetValue(option, "?!", given);
      try {
        RequestOf(given);
        ADD_FAILURE() << option.name << " of " << given.task;
      } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find("belong"), std::string::npos)
            << error.what();
      }
    }
  });
}

}  // namespace
}  // namespace cloak
