#include "tests/fuzz/json_mutator.h"

#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

namespace cloak {
namespace {

using Json = nlohmann::ordered_json;
using Generator = std::mt19937_64;

size_t Below(size_t count, Generator& generator) {
  return std::uniform_int_distribution<size_t>(0, count - 1)(generator);
}

void Collect(Json& json, std::vector<Json*>& values) {
  values.push_back(&json);
  for (Json& item : json) {
    if (&item != &json) Collect(item, values);
  }
}

Json Number(const Json& old, Generator& generator) {
  static constexpr std::array kNumbers = {
      0.0,    -0.0,    1.0,    -1.0,   0.5,
      2.0,    3.0,     1e-9,   1e-160, 5e-324,
      1e-300, 1e20,    1e150,  1e154,  1e200,
      1e300,  1.7e308, -1e308, 1e9,    9007199254740993.0};
  const double value = old.is_number() ? old.get<double>() : 1;
  switch (Below(4, generator)) {
    case 0:
      return value * 2;
    case 1:
      return -value;
    case 2:
      return static_cast<int64_t>(Below(5, generator)) - 1;
    default:
      return kNumbers[Below(kNumbers.size(), generator)];
  }
}

void ChangeArray(Json& array, Generator& generator) {
  if (array.empty()) {
    array.push_back(1);
    return;
  }
  const size_t place = Below(array.size(), generator);
  switch (Below(3, generator)) {
    case 0:
      array.erase(place);
      break;
    case 1: {
      const Json copy = array[place];
      array.push_back(copy);
      break;
    }
    default:
      std::swap(array[place], array[Below(array.size(), generator)]);
  }
}

void ChangeObject(Json& object, Generator& generator) {
  if (object.empty()) return;
  auto member = object.begin();
  std::advance(member, Below(object.size(), generator));
  if (Below(4, generator) == 0) {
    object.erase(member);
  } else {
    auto other = object.begin();
    std::advance(other, Below(object.size(), generator));
    std::swap(member.value(), other.value());
  }
}

}  // namespace

std::string MutatedJson(const std::string& text, uint64_t seed) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return {};
  Generator generator(seed);
  std::vector<Json*> values;
  Collect(json, values);
  Json& chosen = *values[Below(values.size(), generator)];
  if (Below(16, generator) == 0) {
    const Json other = *values[Below(values.size(), generator)];
    chosen = other;
  } else if (chosen.is_array()) {
    ChangeArray(chosen, generator);
  } else if (chosen.is_object()) {
    ChangeObject(chosen, generator);
  } else if (chosen.is_number()) {
    chosen = Number(chosen, generator);
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cloak
