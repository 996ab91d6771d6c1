#include <cmath>
#include <iostream>

#include "cloak/data/secret.h"
#include "cloak/models/make_plan.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/randomness.h"
#include "cloak/release/release.h"

// A release of a few rows, and a prediction from it.
int main() {
  const cloak::Vector ages{{2, 5, 9, 14, 20, 40}};
  const cloak::Secret<cloak::Vector> heights(
      cloak::Vector{{87, 109, 133, 161, 170, 170}});
  const cloak::Threads threads(1);
  const auto plan = cloak::MakePlan(
      {.input_names = {"age"},
       .inputs = cloak::PublicInputs{ages},
       .output = cloak::NumberOutput{"height", cloak::OutputBounds(60, 200)},
       .threads = threads},
      cloak::Regression{.budget = cloak::Budget(1, 1e-3)});
  cloak::Randomness randomness = cloak::Randomness::FromSystem();
  const cloak::Release release = plan->Execute(heights, randomness);
  const cloak::Predictions at = release.Predict(ages, {}, threads);
  std::cout << "at 2 years: " << at.mean(0) << " ± " << at.sd(0) << " cm\n";
  return std::isfinite(at.mean(0)) && at.sd(0) > 0 ? 0 : 1;
}
