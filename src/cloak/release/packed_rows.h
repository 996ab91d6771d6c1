#ifndef CLOAK_RELEASE_PACKED_ROWS_H_
#define CLOAK_RELEASE_PACKED_ROWS_H_

#include <string>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// The numbers of a matrix as they stand in a file: whole numbers of steps, each
// in as many bytes (two's complement, the lowest first), and the bytes of each
// row as text (base64, RFC 4648).
struct PackedRows {
  static constexpr Index kMostBytes = 4;

  double step = 1;
  Index bytes = 1;  // of each number, 1 to kMostBytes
  std::vector<std::string> rows = {};
};

// Returns the nearest matrix that can be packed: all numbers as whole multiples
// of one power of two, 2^-bits of the power of two above the largest of them. A
// matrix that can be packed in so many bits stays as it is, bit for bit.
Matrix Packable(const Matrix& matrix, int bits = 30);

// Returns a matrix that can be packed, in the coarsest step that it allows and
// with no more bytes than that takes. Others are rounded.
PackedRows Pack(const Matrix& matrix);

// Returns the matrix with so many columns. Throws InvalidInput that begins with
// `name` unless it has the sizes that it says.
Matrix Unpack(const PackedRows& packed, Index columns, const std::string& name);

}  // namespace cloak

#endif  // CLOAK_RELEASE_PACKED_ROWS_H_
