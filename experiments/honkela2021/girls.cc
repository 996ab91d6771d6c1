#include "experiments/honkela2021/girls.h"

#include <vector>

#include "cloak/base/text.h"
#include "cloak/data/csv.h"

namespace cloak {

OpenRows ReadGirls(const std::filesystem::path& path) {
  const Table table =
      ReadCsv(path, {.text = {"age", "sex", "height", "weight"}});
  const std::vector<std::string>& sex = table.TextColumn("sex");
  const std::vector<std::string>& age = table.TextColumn("age");
  const std::vector<std::string>& weight = table.TextColumn("weight");
  const std::vector<std::string>& height = table.TextColumn("height");
  std::vector<size_t> girls;
  for (size_t i = 0; i < sex.size(); ++i) {
    if (sex[i] == "girl" && !weight[i].empty() && !height[i].empty()) {
      girls.push_back(i);
    }
  }
  const auto count = static_cast<Index>(girls.size());
  OpenRows rows{Matrix(count, 2), Vector(count)};
  for (Index k = 0; k < count; ++k) {
    const size_t i = girls[static_cast<size_t>(k)];
    rows.X(k, 0) = ParseNumber(age[i], "age");
    rows.X(k, 1) = ParseNumber(weight[i], "weight");
    rows.y(k) = ParseNumber(height[i], "height");
  }
  return rows;
}

}  // namespace cloak
