#include "cloak/release/packed_rows.h"

#include <sodium.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "cloak/base/error.h"

namespace cloak {
namespace {

// With at most so many bits, a number fits in kMostBytes bytes with its sign.
constexpr int kMostBits = 30;
constexpr int kBitsOfByte = 8;
constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL;

// The exponent of the finest step in which the matrix can be packed.
int FinestExponent(const Matrix& matrix, int bits) {
  int exponent = 0;
  if (matrix.size() > 0) std::frexp(matrix.cwiseAbs().maxCoeff(), &exponent);
  return exponent - bits;
}

// The largest is not rounded up to 2^bits, which would be packed in other
// steps.
int32_t InSteps(double value, int exponent, int bits) {
  const double most = std::ldexp(1.0, bits) - 1;
  return static_cast<int32_t>(
      std::clamp(std::round(std::ldexp(value, -exponent)), -most, most));
}

// How many bytes a number takes that has so many bits besides its sign.
Index BytesFor(int bits) { return (bits + kBitsOfByte) / kBitsOfByte; }

std::string Base64(const std::vector<unsigned char>& bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), kBase64), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(),
                    kBase64);
  text.pop_back();  // the zero at the end
  return text;
}

}  // namespace

Matrix Packable(const Matrix& matrix, int bits) {
  const int exponent = FinestExponent(matrix, bits);
  return matrix.unaryExpr([=](double value) {
    const auto steps = static_cast<double>(InSteps(value, exponent, bits));
    return std::ldexp(steps, exponent);
  });
}

PackedRows Pack(const Matrix& matrix) {
  const int finest = FinestExponent(matrix, kMostBits);
  // Bits that are set in any of the numbers, and in any of their sizes.
  uint32_t any = 0;
  uint32_t sizes = 0;
  for (const double value : matrix.reshaped()) {
    const int32_t number = InSteps(value, finest, kMostBits);
    any |= static_cast<uint32_t>(number);
    sizes |= static_cast<uint32_t>(number < 0 ? -number - 1 : number);
  }
  PackedRows packed;
  const int shift = any == 0 ? 0 : std::countr_zero(any);
  packed.bytes = BytesFor(static_cast<int>(std::bit_width(sizes >> shift)));
  if (any != 0) packed.step = std::ldexp(1.0, finest + shift);
  const auto columns = static_cast<size_t>(matrix.cols());
  std::vector<unsigned char> bytes(columns * static_cast<size_t>(packed.bytes));
  for (Index i = 0; i < matrix.rows(); ++i) {
    size_t place = 0;
    for (Index j = 0; j < matrix.cols(); ++j) {
      int32_t number = InSteps(matrix(i, j), finest, kMostBits) >> shift;
      for (Index byte = 0; byte < packed.bytes; ++byte) {
        bytes[place++] = static_cast<unsigned char>(number & 0xff);
        number >>= kBitsOfByte;
      }
    }
    packed.rows.push_back(Base64(bytes));
  }
  return packed;
}

Matrix Unpack(const PackedRows& packed, Index columns,
              const std::string& name) {
  RequireInput(packed.bytes >= 1 && packed.bytes <= PackedRows::kMostBytes, "'",
               name, ".bytes' must be 1 to ", PackedRows::kMostBytes,
               ", but is ", packed.bytes);
  RequireInput(std::isfinite(packed.step) && packed.step > 0, "'", name,
               ".step' must be finite and positive, but is ", packed.step);
  const auto size = static_cast<size_t>(columns * packed.bytes);
  // All are checked before room is made, which short rows would not fill.
  for (size_t i = 0; i < packed.rows.size(); ++i) {
    RequireInput(
        packed.rows[i].size() + 1 == sodium_base64_encoded_len(size, kBase64),
        "'", name, ".rows[", i, "]' must have ", columns, " numbers of ",
        packed.bytes, " bytes, in base64");
  }
  Matrix matrix(static_cast<Index>(packed.rows.size()), columns);
  if (matrix.size() == 0) return matrix;
  std::vector<unsigned char> bytes(size);
  for (Index i = 0; i < matrix.rows(); ++i) {
    const std::string& text = packed.rows[static_cast<size_t>(i)];
    size_t length = 0;
    RequireInput(
        sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(),
                          nullptr, &length, nullptr, kBase64) == 0 &&
            length == size,
        "'", name, ".rows[", i, "]' is not base64");
    for (Index j = 0; j < columns; ++j) {
      // At the high end of 32 bits first, so that the sign is where it belongs.
      uint32_t number = 0;
      for (Index byte = 0; byte < packed.bytes; ++byte) {
        number = number >> kBitsOfByte |
                 uint32_t{bytes[static_cast<size_t>(j * packed.bytes + byte)]}
                     << 24;
      }
      const auto shift = kBitsOfByte * (PackedRows::kMostBytes - packed.bytes);
      matrix(i, j) = packed.step * (static_cast<int32_t>(number) >> shift);
    }
  }
  return matrix;
}

}  // namespace cloak
