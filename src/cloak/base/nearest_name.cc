#include "cloak/base/nearest_name.h"

#include <algorithm>
#include <numeric>

namespace cloak {
namespace {

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Levenshtein's distance, one row of the table at a time.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = diagonal + (Lower(a[i - 1]) != Lower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string NearestName(std::string_view wanted,
                        const std::vector<std::string>& names) {
  size_t nearest = std::max<size_t>(1, wanted.size() / 3) + 1;
  std::string found;
  for (const std::string& name : names) {
    // They differ by so many letters at least. Strangers may ask for a name of
    // any length, and to compare it would take long.
    const size_t longer = std::max(wanted.size(), name.size());
    const size_t shorter = std::min(wanted.size(), name.size());
    if (longer - shorter >= nearest) continue;
    const size_t distance = EditDistance(wanted, name);
    // A name of which no letter is left is no suggestion.
    if (distance < std::min(nearest, longer)) {
      nearest = distance;
      found = name;
    }
  }
  return found;
}

}  // namespace cloak
