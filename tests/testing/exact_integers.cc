#include "tests/testing/exact_integers.h"

#include "cloak/base/error.h"

namespace cloak {

using boost::multiprecision::cpp_int;

cpp_int Exact(Int128 value) { return cpp_int(DecimalText(value)); }
cpp_int Exact(Uint128 value) { return cpp_int(DecimalText(value)); }

cpp_int SquaredDistance(const std::vector<Int128>& a,
                        const std::vector<Int128>& b) {
  RequireInput(a.size() == b.size(), "other numbers of released integers");
  cpp_int squared = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    const cpp_int difference = Exact(a[k]) - Exact(b[k]);
    squared += difference * difference;
  }
  return squared;
}

}  // namespace cloak
