#ifndef CLOAK_RELEASE_JSON_READER_H_
#define CLOAK_RELEASE_JSON_READER_H_

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/matrix.h"
#include "cloak/release/json_value.h"

namespace cloak {

// A field of an object, by path for messages, whose type is checked as it is
// taken. Throws InvalidInput that names the field.
class JsonReader {
 public:
  JsonReader(const JsonValue& json, std::string path)
      : json_(&json), path_(std::move(path)) {}
  // An item of a list of numbers.
  JsonReader(double number, std::string path)
      : number_(number), path_(std::move(path)) {}

  JsonReader At(const std::string& key) const {
    RequireInput(Has(key), "the field '", Child(key), "' is missing");
    return {*json_->Find(key), Child(key)};
  }

  const std::string& path() const { return path_; }

  bool Has(const std::string& key) const {
    return json_ != nullptr && json_->Find(key) != nullptr;
  }

  std::vector<JsonReader> Items() const {
    RequireList();
    std::vector<JsonReader> items;
    for (size_t i = 0; i < json_->Items(); ++i) {
      std::string path = Text(path_, "[", i, "]");
      if (json_->Is<JsonValue::Numbers>()) {
        items.emplace_back(json_->As<JsonValue::Numbers>()[i], std::move(path));
      } else {
        items.emplace_back(json_->As<JsonValue::List>()[i], std::move(path));
      }
    }
    return items;
  }

  std::string String() const {
    RequireInput(json_ != nullptr && json_->Is<std::string>(), "'", path_,
                 "' must be text");
    return json_->As<std::string>();
  }

  bool Boolean() const {
    RequireInput(json_ != nullptr && json_->Is<bool>(), "'", path_,
                 "' must be true or false");
    return json_->As<bool>();
  }

  double Number() const {
    RequireInput(json_ == nullptr || json_->Is<double>(), "'", path_,
                 "' must be a number");
    return json_ == nullptr ? number_ : json_->As<double>();
  }

  Index Integer() const {
    // Below it, doubles hold every whole number exactly.
    constexpr double kLargest = 0x1p53;
    const double number = Number();
    RequireInput(std::abs(number) < kLargest && number == std::floor(number),
                 "'", path_, "' must be a whole number");
    return static_cast<Index>(number);
  }

  Vector Numbers() const {
    RequireNumbers();
    if (json_->Items() == 0) return Vector();
    const auto& numbers = json_->As<JsonValue::Numbers>();
    return Eigen::Map<const Vector>(numbers.data(),
                                    static_cast<Index>(numbers.size()));
  }

  // Returns the rows as a matrix of so many columns, which all must have.
  Matrix Rows(Index columns) const {
    const std::vector<JsonReader> items = Items();
    // They are checked before room is made, which many short rows would not
    // fill.
    for (const JsonReader& item : items) {
      item.RequireNumbers();
      RequireInput(static_cast<Index>(item.json_->Items()) == columns, "'",
                   item.path_, "' must have ", columns, " numbers, but has ",
                   item.json_->Items());
    }
    Matrix matrix(static_cast<Index>(items.size()), columns);
    for (size_t i = 0; i < items.size(); ++i) {
      matrix.row(static_cast<Index>(i)) = items[i].Numbers();
    }
    return matrix;
  }

 private:
  std::string Child(const std::string& key) const {
    return path_.empty() ? key : Text(path_, ".", key);
  }
  void RequireList() const {
    RequireInput(json_ != nullptr && json_->IsList(), "'", path_,
                 "' must be a list");
  }
  void RequireNumbers() const {
    RequireList();
    RequireInput(json_->Is<JsonValue::Numbers>() || json_->Items() == 0, "'",
                 path_, "' must be a list of numbers");
  }

  // It is null for an item of a list of numbers, which is `number_`.
  const JsonValue* json_ = nullptr;
  double number_ = 0;
  std::string path_;
};

}  // namespace cloak

#endif  // CLOAK_RELEASE_JSON_READER_H_
