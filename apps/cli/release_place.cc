#include "apps/cli/release_place.h"

#include <algorithm>

#include "apps/cli/release_options.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/task.h"
#include "cloak/release/kind.h"

namespace cloak {
namespace {

bool IsIn(const Place& place, TaskKind task, Protection protect) {
  return (place.tasks & Bit(task)) != 0 && (place.protect & Bit(protect)) != 0;
}

// Returns the names of the values whose bits are set.
template <typename Kind>
std::vector<std::string> NamesIn(unsigned bits) {
  std::vector<std::string> names;
  for (const Kind kind : AllOf<Kind>()) {
    if ((bits & Bit(kind)) != 0) names.push_back(NameOf(kind));
  }
  return names;
}

template <typename Kind>
Kind Named(const std::string& option, const std::string& name) {
  for (const Kind kind : AllOf<Kind>()) {
    if (NameOf(kind) == name) return kind;
  }
  throw InvalidInput(Text(option, " must be ", Join(NamesOfAll<Kind>(), " or "),
                          ", but is '", name, "'"));
}

// Returns the places of the method of a name.
std::vector<Place> PlacesOfMethod(const std::string& name) {
  std::vector<Place> places;
  for (const TaskKind task : AllOf<TaskKind>()) {
    for (const Protection protect : AllOf<Protection>()) {
      const std::vector<std::string> names = MethodsOf(task, protect);
      if (std::count(names.begin(), names.end(), name) > 0) {
        places.push_back({Bit(task), Bit(protect)});
      }
    }
  }
  return places;
}

// Says where something belongs that does not belong to this task and promise by
// this method: to another method, if that is all, or promise, or task.
std::string BelongsText(const std::string& what,
                        const std::vector<Place>& places,
                        const ReleaseArguments& arguments) {
  const unsigned task = Bit(TaskOf(arguments));
  std::vector<std::string> methods;
  unsigned protect = 0;
  unsigned tasks = 0;
  for (const Place& place : places) {
    tasks |= place.tasks;
    if ((place.tasks & task) == 0) continue;
    protect |= place.protect;
    if (!IsIn(place, TaskOf(arguments), ProtectOf(arguments))) continue;
    methods.insert(methods.end(), place.methods.begin(), place.methods.end());
  }
  if (!methods.empty()) {
    return Text(what, " belongs to --method ", Join(methods, " and "));
  }
  if (protect != 0) {
    return Text(what, " belongs to --protect ",
                Join(NamesIn<Protection>(protect), " or "));
  }
  const std::vector<std::string> names = NamesIn<TaskKind>(tasks);
  if (names.size() > 2) {
    return Text(what, " does not belong to --task ", arguments.task,
                KindOf(TaskOf(arguments)).has_output
                    ? ""
                    : ", which has inputs and no output");
  }
  return Text(what, " belongs to --task ", Join(names, " and "));
}

void RequirePlace(const ReleaseOption& option,
                  const ReleaseArguments& arguments) {
  if (!IsGiven(option, arguments)) return;
  const bool belongs = std::any_of(
      option.places.begin(), option.places.end(), [&](const Place& place) {
        return IsIn(place, TaskOf(arguments), ProtectOf(arguments)) &&
               (place.methods.empty() ||
                std::count(place.methods.begin(), place.methods.end(),
                           arguments.method) > 0);
      });
  if (belongs) return;
  throw InvalidInput(BelongsText(option.name, option.places, arguments));
}

void RequireMethod(const ReleaseArguments& arguments) {
  const std::vector<std::string> here =
      MethodsOf(TaskOf(arguments), ProtectOf(arguments));
  if (std::count(here.begin(), here.end(), arguments.method) > 0) return;
  const std::string rule =
      BelongsText("--method " + arguments.method,
                  PlacesOfMethod(arguments.method), arguments);
  throw InvalidInput(
      here.size() == 1
          ? Text(rule, "; --task ", arguments.task,
                 " has no other --method here than --method ", here.front(),
                 ", so leave it out")
          : Text(rule, "; here there is --method ", Join(here, " or ")));
}

}  // namespace

std::vector<std::string> MethodsOf(TaskKind task, Protection protect) {
  const bool rows = protect == Protection::kRows;
  std::vector<std::string> names;
  switch (task) {
    case TaskKind::kRegression:
      for (const Regression::Method method : RegressionMethods()) {
        if (rows ? ProtectsRows(method) : ProtectsOutputs(method)) {
          names.push_back(NameOf(method));
        }
      }
      return names;
    case TaskKind::kClassification:
      if (rows) return {NameOf(Classification::kOptimal)};
      for (const Classification::Method method : ClassificationMethods()) {
        names.push_back(NameOf(method));
      }
      return names;
    case TaskKind::kSvm:
    case TaskKind::kHistogram:
      if (rows) names = {NameOf(Regression::kOptimal)};
      return names;
    case TaskKind::kDensity:
      if (!rows) return {};
      for (const Density::Method method : DensityMethods()) {
        names.push_back(NameOf(method));
      }
      return names;
  }
  throw Error("a task that is none");
}

TaskKind TaskOf(const ReleaseArguments& arguments) {
  return Named<TaskKind>("--task", arguments.task);
}

Protection ProtectOf(const ReleaseArguments& arguments) {
  RequireInput(
      arguments.protect.has_value(),
      "--protect is missing: what is private in the table\n"
      "--protect outputs promises nothing about the inputs, which anybody "
      "may know, and adds the least noise.\n"
      "--protect rows hides whole rows, inputs too: it adds more noise, "
      "and needs --input-ranges from public knowledge.");
  return Named<Protection>("--protect", *arguments.protect);
}

void RequireBelonging(const ReleaseArguments& arguments) {
  RequireInput(!MethodsOf(TaskOf(arguments), ProtectOf(arguments)).empty(),
               "--task ", arguments.task,
               ProtectOf(arguments) == Protection::kOutputs
                   ? " needs --protect rows: it is about whole rows"
                   : " needs --protect outputs: it has public inputs");
  RequireMethod(arguments);
  for (const ReleaseOption& option : ReleaseOptions()) {
    if ((option.commands & kRelease) != 0) RequirePlace(option, arguments);
  }
}

void RequireSelectBelonging(const SelectArguments& arguments) {
  for (const ReleaseOption& option : ReleaseOptions()) {
    if (option.commands == kSelect && !option.model) {
      RequirePlace(option, arguments);
    }
  }
}

std::string PlacesText(const ReleaseOption& option) {
  std::vector<std::string> all;
  for (const Place& place : option.places) {
    std::vector<std::string> words;
    if (place.tasks != kAnyTask) {
      words.push_back("--task " + Join(NamesIn<TaskKind>(place.tasks), "|"));
    }
    if (place.protect != kAnyProtection) {
      words.push_back("--protect " +
                      Join(NamesIn<Protection>(place.protect), "|"));
    }
    if (!place.methods.empty()) {
      words.push_back("--method " + Join(place.methods, "|"));
    }
    if (words.empty()) return "";
    all.push_back(Join(words, " "));
  }
  return Join(all, "; ");
}

}  // namespace cloak
