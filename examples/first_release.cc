// The first program to read: a private release of a survey, from C++.
//
//   first_release examples/survey/simulated_heights.csv
#include <iomanip>
#include <iostream>

#include "cloak/base/error.h"
#include "cloak/data/csv.h"
#include "cloak/models/make_plan.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/randomness.h"

namespace {

void ReleaseHeights(const char* file) {
  // Ages are public. Heights are private: they go straight into a Secret,
  // which cannot be printed, logged or saved by accident.
  const cloak::Table survey =
      cloak::ReadCsv(file, {.numeric = {"age"}, .secret = {"height"}});

  // A plan is made of public things alone, so it can be looked at before
  // anything is spent. The bounds are general knowledge, not read off the data.
  const cloak::Threads threads;
  const auto plan = cloak::MakePlan(
      {.input_names = {"age"},
       .inputs = cloak::PublicInputs{survey.Numeric({"age"})},
       .output = cloak::NumberOutput{"height", cloak::OutputBounds(60, 200)},
       .threads = threads},
      cloak::Regression{.budget = cloak::Budget(1, 1e-3)});
  std::cout << "Expected error of the curve: " << plan->summary().expected_sd
            << " cm, without privacy "
            << plan->summary().expected_sd_without_privacy << " cm\n";

  // This spends the budget: do it once. What comes back is public.
  cloak::Randomness randomness = cloak::Randomness::FromSystem();
  const cloak::Release release =
      plan->Execute(survey.Private("height"), randomness);
  std::cout << release.PrivacyInWords() << "\n\n";

  const cloak::Vector ages{{2, 5, 10, 20, 40, 60}};
  const cloak::Predictions heights = release.Predict(ages, {}, threads);
  std::cout << std::fixed << std::setprecision(1);
  for (cloak::Index i = 0; i < ages.size(); ++i) {
    std::cout << "At " << ages(i) << " years: " << heights.mean(i)
              << " cm, 95 % interval " << heights.lower(i) << " to "
              << heights.upper(i) << " cm\n";
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw cloak::InvalidInput("usage: first_release SURVEY.csv");
  ReleaseHeights(argv[1]);
} catch (const cloak::Error& error) {
  std::cerr << "first_release: " << error.what() << "\n";
  return 2;
}
