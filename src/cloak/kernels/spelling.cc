#include "cloak/kernels/spelling.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cloak {
namespace {

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Levenshtein distance: insertions, deletions and replacements of a letter,
// where capitals in `a` count as small letters.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (Lower(a[i - 1]) == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string NearestWord(std::string_view word,
                        const std::vector<std::string_view>& known) {
  if (word.size() > 64) return "";
  std::string_view nearest;
  size_t smallest = 0;
  for (const std::string_view candidate : known) {
    const size_t distance = EditDistance(word, candidate);
    // One wrong letter in a short word, up to two in four, three in six.
    if (2 * distance > std::max<size_t>(2, candidate.size())) continue;
    if (nearest.empty() || distance < smallest) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return std::string(nearest);
}

}  // namespace cloak
