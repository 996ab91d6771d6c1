#ifndef CLOAK_RELEASE_JSON_VALUE_H_
#define CLOAK_RELEASE_JSON_VALUE_H_

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cloak {

// A value of a JSON document. A list of nothing but numbers takes eight bytes
// for each of them. Unlike nlohmann's tree, one of these is destroyed without
// allocating anything, so that running out of memory while a file is read ends
// in an exception and not in std::terminate.
struct JsonValue {
  using Numbers = std::vector<double>;
  using List = std::vector<JsonValue>;
  struct Object {
    std::vector<std::string> names;
    std::vector<JsonValue> values;  // of the same length
  };

  std::variant<std::monostate, bool, double, std::string, Numbers, List, Object>
      value = {};

  template <typename Kind>
  bool Is() const {
    return std::holds_alternative<Kind>(value);
  }
  template <typename Kind>
  const Kind& As() const {
    return std::get<Kind>(value);
  }

  bool IsList() const { return Is<Numbers>() || Is<List>(); }
  size_t Items() const {
    return Is<Numbers>() ? As<Numbers>().size() : As<List>().size();
  }

  // Returns the member of an object, or null where there is none.
  const JsonValue* Find(std::string_view name) const {
    if (!Is<Object>()) return nullptr;
    const Object& object = As<Object>();
    for (size_t i = 0; i < object.names.size(); ++i) {
      if (object.names[i] == name) return &object.values[i];
    }
    return nullptr;
  }
};

}  // namespace cloak

#endif  // CLOAK_RELEASE_JSON_VALUE_H_
