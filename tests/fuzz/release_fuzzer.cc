// Release files from strangers. A file is refused with InvalidInput, or is a
// release: what is written of it reads back bit for bit, it describes itself in
// JSON and in words, and it answers with finite numbers inside its ranges, in a
// time that its size bounds.
//
// The checksum of the input is mended first: it guards against accidents, and
// whoever means harm computes it too.
#include <sodium.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cloak/release/file_format.h"
#include "cloak/release/release_json.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/json_mutator.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace cloak {
namespace {

constexpr std::string_view kPrefix = "sha256:";
constexpr size_t kDigits = size_t{2} * crypto_hash_sha256_BYTES;

// docs/file-format.md: SHA-256 of the file with zeros for the digits.
std::string Sealed(std::string text) {
  const size_t prefix = text.find(kPrefix);
  if (prefix == std::string::npos) return text;
  const size_t place = prefix + kPrefix.size();
  if (text.size() < place + kDigits) return text;
  text.replace(place, kDigits, kDigits, '0');
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(),
                     reinterpret_cast<const unsigned char*>(text.data()),
                     text.size());
  std::array<char, kDigits + 1> digits{};
  sodium_bin2hex(digits.data(), digits.size(), hash.data(), hash.size());
  text.replace(place, kDigits, digits.data());
  return text;
}

bool SameBits(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

// Corners and middle of the ranges.
Matrix Queries(const ReleaseContent& content) {
  Matrix X(3, static_cast<Index>(content.inputs.size()));
  for (Index j = 0; j < X.cols(); ++j) {
    const InputColumn& input = content.inputs[static_cast<size_t>(j)];
    X.col(j) << input.lower, input.middle, input.upper;
  }
  return X;
}

void CheckCounts(const Release& release, const Matrix& X) {
  const CountPredictions counts = release.PredictCounts(X);
  Check(counts.count.allFinite() && counts.fraction.allFinite() &&
            counts.sd.allFinite() && counts.upper.allFinite(),
        "counts are finite");
  Check(counts.count.minCoeff() >= 0 &&
            (counts.lower.array() <= counts.upper.array()).all(),
        "counts are not negative, and intervals in order");
}

void CheckDensity(const Release& release, const Matrix& X) {
  const DensityPredictions density =
      release.PredictDensity(X, 0.95, Threads(1));
  Check(density.density.allFinite() && density.upper.allFinite(),
        "densities are finite");
  Check(density.lower.minCoeff() >= 0 &&
            (density.lower.array() <= density.density.array()).all() &&
            (density.density.array() <= density.upper.array()).all(),
        "a density is not negative, and inside its interval");
}

void CheckPredictions(const Release& release, const Release& again) {
  const Threads one(1);
  const Matrix X = Queries(release.content());
  if (release.content().histogram) return CheckCounts(release, X);
  if (release.content().task == TaskKind::kDensity) CheckDensity(release, X);
  const Predictions predicted = release.Predict(X, {}, one);
  const Predictions repeated = again.Predict(X, {}, one);
  const auto check = [&](const Vector Predictions::*part) {
    Check((predicted.*part).allFinite(), "predictions are finite");
    Check(SameBits(predicted.*part, repeated.*part),
          "what was read again predicts the same bits");
  };
  check(&Predictions::mean);
  check(&Predictions::sd);
  check(&Predictions::lower);
  check(&Predictions::upper);
  check(&Predictions::privacy_sd);
  Check(predicted.sd.minCoeff() >= 0 &&
            (predicted.privacy_sd.array() <= predicted.sd.array()).all(),
        "privacy noise is a part of the uncertainty");
  const Release::Joint joint = release.PredictJoint(X, {}, one);
  Check(joint.mean.allFinite() && joint.covariance.allFinite(),
        "joint predictions are finite");
  const auto samples =
      UnlessRefused([&] { return release.Sample(X, 2, 1, {}, one); });
  Check(!samples || samples->allFinite(), "samples are finite");
  if (release.content().classes.empty()) return;
  const Matrix probability = release.PredictClasses(X, one).probability;
  Check(probability.minCoeff() >= 0 &&
            ((probability.rowwise().sum().array() - 1).abs() < 1e-9).all(),
        "probabilities are not negative and sum to 1");
}

void CheckDescription(const Release& release) {
  Check(!release.PrivacyInWords().empty(), "a release says what it protects");
  Check(nlohmann::json::accept(JsonText(ReleaseJson(release))),
        "a release describes itself in JSON");
}

// A generous part of a second for every kilobyte: what a file asks for must not
// grow faster than the file. (Time of this process, whoever else computes.)
class TimeLimit {
 public:
  explicit TimeLimit(size_t bytes)
      : seconds_(5 + 0.5 * static_cast<double>(bytes) / 1024) {}
  ~TimeLimit() {
    const double spent =
        static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC;
    Check(spent < seconds_, "a release is used up to its size in time");
  }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  double seconds_;
  std::clock_t begin_ = std::clock();
};

void CheckFile(const std::string& text) {
  const TimeLimit limit(text.size());
  const auto release =
      UnlessRefused([&] { return ReleaseFromJson(text, "file"); });
  if (!release) return;
  const std::string written = ReleaseToJson(*release);
  const auto again =
      UnlessRefused([&] { return ReleaseFromJson(written, "again"); });
  Check(again.has_value(), "what was written can be read");
  Check(ReleaseToJson(*again) == written, "a file reads back as itself");
  Check(Sealed(written) == written, "the checksum is as documented");
  CheckDescription(*release);
  CheckPredictions(*release, *again);
}

}  // namespace
}  // namespace cloak

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  cloak::Check(sodium_init() >= 0, "libsodium starts");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cloak::CheckFile(cloak::Sealed({reinterpret_cast<const char*>(data), size}));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned int seed) {
  if (seed % 4 != 0) {
    const std::string mutated = cloak::MutatedJson(
        {reinterpret_cast<const char*>(data), size}, seed / 4);
    if (!mutated.empty() && mutated.size() <= max_size) {
      std::memcpy(data, mutated.data(), mutated.size());
      return mutated.size();
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
