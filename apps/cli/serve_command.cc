#include <malloc.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/option_values.h"
#include "apps/cli/printable.h"
#include "apps/server/access_log.h"
#include "apps/server/http_server.h"
#include "apps/server/memory_reserve.h"
#include "apps/web/web_page.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/file_bytes.h"
#include "cloak/linalg/blas_memory.h"
#include "cloak/server/api.h"
#include "cloak/server/catalogue.h"

namespace cloak {
namespace {

HttpServerOptions ServerOptions(const ServeArguments& arguments) {
  HttpServerOptions options;
  options.address = arguments.address;
  options.port =
      static_cast<uint16_t>(WholeNumber(arguments.port, "--port", 0, 65535));
  options.tls_certificate = arguments.tls_certificate.value_or("");
  options.tls_key = arguments.tls_key.value_or("");
  constexpr Index kMostBody = Index{1} << 30;
  options.body_bytes = static_cast<size_t>(
      WholeNumber(arguments.max_body, "--max-body", 1024, kMostBody));
  const double seconds = ParseNumber(arguments.timeout, "--timeout");
  RequireInput(seconds >= 0.1 && seconds <= 3600,
               "--timeout must be from 0.1 to 3600 seconds, but is ",
               arguments.timeout);
  options.timeout = std::chrono::milliseconds(
      static_cast<int64_t>(std::lround(1000 * seconds)));
  options.drain = options.timeout;
  return options;
}

Tokens ReadTokens(const ServeArguments& arguments) {
  if (!arguments.token_file.has_value()) return {};
  constexpr size_t kMostBytes = 1 << 20;
  return Tokens(ReadFileBytes(*arguments.token_file, kMostBytes));
}

bool IsLoopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

void Announce(const ServeArguments& arguments, const HttpServerOptions& options,
              const HttpServer& server, size_t releases,
              const Streams& streams) {
  const bool tls = !options.tls_certificate.empty();
  const std::string host = options.address.find(':') == std::string::npos
                               ? options.address
                               : Text("[", options.address, "]");
  streams.err << Printable(Text(
      "Serving ", releases, releases == 1 ? " release" : " releases", " at ",
      tls ? "https" : "http", "://", host, ":", server.port(), "/\n"));
  if (!IsLoopback(options.address)) {
    if (!tls) {
      streams.err << "Whoever is on the way can read what is asked and "
                     "answered: --tls-cert and --tls-key encrypt it.\n";
    }
    if (!arguments.token_file.has_value()) {
      streams.err << "Anybody who can reach it may ask: --token-file says who "
                     "may.\n";
    }
  }
  streams.err << std::flush;
}

// Memory that one request gives back, the next one takes: without this, the C
// library returns it to the system each time, which takes longer than a
// prediction.
void KeepFreedMemory() {
  constexpr int kKept = 64 << 20;
  mallopt(M_TRIM_THRESHOLD, kKept);
  mallopt(M_MMAP_THRESHOLD, kKept / 2);
  // Each thread would set 64 MiB of address space aside for itself.
  if (HasLittleAddressSpace()) mallopt(M_ARENA_MAX, 1);
}

// Where there is too little address space for all threads to compute at once,
// one computes.
void FitThreads(HttpServerOptions& options) {
  // Those that hold connections, as many that compute, and those who help.
  const int most = 3 * HttpThreads();
  if (ThreadsThatFit(most) >= most) return;
  options.workers = 1;
  options.answers_at_once = false;
}

}  // namespace

void RunServe(const ServeArguments& arguments, const Streams& streams) {
  KeepFreedMemory();
  // A client that goes away while it is answered is no reason to end, nor is a
  // reader of the log.
  std::signal(SIGPIPE, SIG_IGN);
  HttpServerOptions options = ServerOptions(arguments);
  FitThreads(options);
  Tokens tokens = ReadTokens(arguments);
  Catalogue catalogue({arguments.sources.begin(), arguments.sources.end()});
  AccessLog log(streams.out, {.requests = !arguments.quiet,
                              .queries = arguments.log_queries,
                              .file = arguments.log_file.value_or("")});
  Metrics metrics;
  const auto refresh = [&catalogue, &log, &metrics] {
    KeepMemoryReserve();
    for (const Catalogue::Change& change : catalogue.Refresh()) {
      log.Note(change.text);
      if (change.kind == Catalogue::Change::kServed) metrics.FileServed();
      if (change.kind == Catalogue::Change::kRefused) metrics.FileRefused();
    }
  };
  refresh();
  // A file that was named must be a release; one found in a directory may be
  // another's half-written one.
  const auto releases = catalogue.Snapshot();
  for (const std::string& source : arguments.sources) {
    if (std::filesystem::is_directory(source)) continue;
    RequireInput(releases->contains(Catalogue::NameOf(source)), "'", source,
                 "' cannot be served; the log says why");
  }
  Api api(catalogue, metrics, std::move(tokens), {}, WebAssets());
  HttpServer server(api, metrics, log, options);
  Announce(arguments, options, server, releases->size(), streams);
  server.Run(refresh, [&] {
    log.Reopen();
    log.Note("reloading tokens, certificate and files");
    catalogue.ReadAllAgain();
    refresh();
    api.ReplaceTokens(ReadTokens(arguments));
  });
}

}  // namespace cloak
