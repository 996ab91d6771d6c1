#include "benchmarks/report.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "cloak/data/atomic_file.h"

namespace cloak {

std::vector<double> BestSecondsInTurn(
    const std::vector<std::function<void()>>& pieces, int rounds) {
  std::vector<double> best(pieces.size(),
                           std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      const auto begin = std::chrono::steady_clock::now();
      pieces[i]();
      const std::chrono::duration<double> taken =
          std::chrono::steady_clock::now() - begin;
      best[i] = std::min(best[i], taken.count());
    }
  }
  return best;
}

void Report::Add(const Measurement& measurement) {
  std::printf("%-52s %10.4f s", measurement.name.c_str(), measurement.seconds);
  for (const auto& [name, value] : measurement.figures) {
    std::printf("   %s %.4g", name.c_str(), value);
  }
  std::printf("\n");
  std::fflush(stdout);
  measurements_.push_back(measurement);
}

std::string Report::ToJson() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Measurement& measurement : measurements_) {
    nlohmann::ordered_json entry = {{"case", measurement.name},
                                    {"seconds", measurement.seconds}};
    for (const auto& [name, value] : measurement.figures) entry[name] = value;
    list.push_back(std::move(entry));
  }
  return list.dump(2) + "\n";
}

int RunBenchmark(int argc, char** argv,
                 const std::function<void(Report&)>& benchmark) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool json = arguments.size() == 2 && arguments[0] == "--json";
  if (!arguments.empty() && !json) {
    std::cerr << "usage: " << argv[0] << " [--json FILE]\n";
    return 2;
  }
  try {
    Report report;
    benchmark(report);
    if (json) WriteFileAtomically(arguments[1], report.ToJson());
    return 0;
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << "\n";
    return 1;
  }
}

}  // namespace cloak
