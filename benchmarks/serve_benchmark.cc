// The server under load from other processes: one-point predictions against
// the health check, a batch of 10,000 points against the library call it
// contains, and memory after load. Ratios of one run; needs wrk.
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/four_inputs.h"
#include "benchmarks/report.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/file_bytes.h"
#include "cloak/release/file_format.h"
#include "tests/integration/server_process.h"

namespace cloak {
namespace {

constexpr size_t kMostFileBytes = size_t{1} << 26;

std::string Output(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> bytes = {};
  for (size_t count = 0;
       (count = fread(bytes.data(), 1, bytes.size(), pipe)) > 0;) {
    output.append(bytes.data(), count);
  }
  RequireInput(pclose(pipe) == 0, "'", command, "' failed: ", output);
  return output;
}

// The survey of README.md: one input, few numbers.
void WriteSurvey(const std::filesystem::path& directory) {
  Output(Text(CLOAK_PROGRAM, " release ", CLOAK_SURVEY,
              " --inputs age --output height --bounds 60:200 "
              "--protect outputs --epsilon 1 --delta 1e-3 -o ",
              (directory / "survey.cloak").string(), " 2>&1"));
}

void WriteFourInputs(const std::filesystem::path& directory) {
  std::ofstream(directory / "four.cloak")
      << ReleaseToJson(ReleaseFourInputs(Threads()));
}

std::string Rows(const Matrix& X) {
  std::string rows = "{\"rows\":[";
  for (Index i = 0; i < X.rows(); ++i) {
    rows += i == 0 ? "[" : ",[";
    for (Index j = 0; j < X.cols(); ++j) {
      if (j > 0) rows += ',';
      rows += RoundedText(X(i, j), 6);
    }
    rows += ']';
  }
  return rows + "]}";
}

// Evenly over the ranges of the inputs.
Matrix Queries(const Release& release, Index count) {
  const auto& inputs = release.content().inputs;
  Matrix X = Matrix::Random(count, static_cast<Index>(inputs.size()));
  for (Index j = 0; j < X.cols(); ++j) {
    const InputColumn& input = inputs[static_cast<size_t>(j)];
    X.col(j) =
        (X.col(j).array() + 1) / 2 * (input.upper - input.lower) + input.lower;
  }
  return X;
}

struct Load {
  double per_second = 0;
  double p50 = 0;  // seconds
  double p99 = 0;
};

double Seconds(const std::string& text) {
  char* unit = nullptr;
  const double value = std::strtod(text.c_str(), &unit);
  const std::string_view name = unit;
  return value * (name == "us" ? 1e-6 : name == "ms" ? 1e-3 : 1);
}

// By wrk, on one thread.
Load LoadOf(const std::string& url, const std::string& script, int seconds,
            int connections = 200) {
  const std::string output = Output(
      Text("wrk -t1 -c", connections, " -d", seconds, "s --latency ",
           script.empty() ? "" : Text("-s ", script, " "), url, " 2>&1"));
  RequireInput(output.find("Non-2xx") == std::string::npos,
               "the server refused: ", output);
  Load load;
  std::istringstream words(output);
  for (std::string word; words >> word;) {
    if (word == "50%" || word == "99%") {
      std::string time;
      words >> time;
      (word == "50%" ? load.p50 : load.p99) = Seconds(time);
    } else if (word == "Requests/sec:") {
      words >> load.per_second;
    }
  }
  RequireInput(load.per_second > 0, "wrk says: ", output);
  return load;
}

double ResidentMegabytes(pid_t pid) {
  std::ifstream status(Text("/proc/", pid, "/status"));
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmRSS:" && status >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

std::string Url(const ServerProcess& server, const std::string& path) {
  return Text("http://127.0.0.1:", server.port(), path);
}

constexpr char kSurvey[] = "/api/v1/releases/survey/predict";

void SinglePoints(const ServerProcess& server, const std::string& script,
                  Report& report) {
  std::vector<Load> health;
  std::vector<Load> predict;
  constexpr int kRounds = 5;
  for (int round = 0; round < kRounds; ++round) {
    health.push_back(LoadOf(Url(server, "/health"), "", 2));
    predict.push_back(LoadOf(Url(server, kSurvey), script, 2));
  }
  // The round with the median throughput.
  const auto median = [](std::vector<Load>& loads) {
    std::sort(loads.begin(), loads.end(), [](const Load& a, const Load& b) {
      return a.per_second < b.per_second;
    });
    return loads[loads.size() / 2];
  };
  const Load h = median(health);
  const Load p = median(predict);
  report.Add({"GET /health, 200 connections",
              1 / h.per_second,
              {{"per_second", h.per_second}, {"p99_by_p50", h.p99 / h.p50}}});
  report.Add({"predict one point, 200 connections",
              1 / p.per_second,
              {{"per_second", p.per_second},
               {"of_health", p.per_second / h.per_second},
               {"p50_ms", 1e3 * p.p50},
               {"p99_ms", 1e3 * p.p99},
               {"p99_by_p50", p.p99 / p.p50}}});
}

void Batch(const ServerProcess& server, const std::filesystem::path& directory,
           const std::string& name, Report& report) {
  constexpr Index kRows = 10'000;
  const std::string file = (directory / (name + ".cloak")).string();
  const Release release =
      ReleaseFromJson(ReadFileBytes(file, kMostFileBytes), file);
  const Matrix X = Queries(release, kRows);
  const std::string body = Rows(X);
  const std::string request = Text(
      "POST /api/v1/releases/", name, "/predict HTTP/1.1\r\nHost: here\r\n",
      "Content-Type: application/json\r\nContent-Length: ", body.size(),
      "\r\n\r\n", body);
  const Threads threads;
  RawClient client(server.port());
  const std::vector<double> seconds = BestSecondsInTurn(
      {[&] { release.Predict(X, {}, threads); },
       [&] {
         client.Send(request);
         RequireInput(client.Receive().starts_with("HTTP/1.1 200"),
                      "the server refused a batch");
       }},
      50);
  report.Add({Text("library call, 10,000 points, ", name),
              seconds[0],
              {{"basis",
                static_cast<double>(release.content().basis_points.rows())}}});
  report.Add({Text("batch of 10,000 points, ", name),
              seconds[1],
              {{"ratio", seconds[1] / seconds[0]}}});
}

void Memory(const ServerProcess& server, const std::string& script,
            const std::string& batch_script, Report& report) {
  const char* const given = std::getenv("CLOAK_SERVE_SECONDS");
  const int total = given == nullptr ? 20 : std::atoi(given);
  const int seconds = std::max(1, total / 10);
  const auto load = [&] {
    auto batches = std::async(std::launch::async, [&] {
      LoadOf(Url(server, kSurvey), batch_script, seconds, 16);
    });
    LoadOf(Url(server, kSurvey), script, seconds);
    batches.get();
  };
  // Every buffer has its size after the first tenth.
  load();
  const double before = ResidentMegabytes(server.pid());
  for (int tenth = 1; tenth < 10; ++tenth) load();
  const double after = ResidentMegabytes(server.pid());
  report.Add({"memory under load of points and batches",
              static_cast<double>(10 * seconds),
              {{"first_mb", before},
               {"last_mb", after},
               {"growth", after / before - 1}}});
}

void Benchmark(Report& report) {
  // As the server does, so that the library call is measured alike.
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  std::string pattern =
      (std::filesystem::temp_directory_path() / "cloak-load-XXXXXX").string();
  const std::filesystem::path directory = mkdtemp(pattern.data());
  WriteSurvey(directory);
  WriteFourInputs(directory);
  const auto script = [&](const std::string& name, const std::string& body) {
    std::string path = (directory / name).string();
    std::ofstream(path) << "wrk.method = \"POST\"\nwrk.body = '" << body
                        << "'\nwrk.headers[\"Content-Type\"] = "
                           "\"application/json\"\n";
    return path;
  };
  const std::string point = script("point.lua", "{\"rows\": [[23.5]]}");
  const std::string batch =
      script("batch.lua", Rows(Matrix::Constant(1000, 1, 23.5)));
  {
    // With its log, as people run it.
    const ServerProcess server({directory.string()},
                               (directory / "log").string());
    SinglePoints(server, point, report);
    Batch(server, directory, "survey", report);
    Batch(server, directory, "four", report);
  }
  const ServerProcess server({directory.string(), "--quiet"},
                             (directory / "quiet").string());
  Memory(server, point, batch, report);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace cloak

int main(int argc, char** argv) {
  return cloak::RunBenchmark(argc, argv, cloak::Benchmark);
}
