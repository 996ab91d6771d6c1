#include "cloak/release/json_stream.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// The bytes as an iterator, which is what the parser reads.
class ByteIterator {
 public:
  // The names are those of every iterator.
  // NOLINTBEGIN(readability-identifier-naming)
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;
  // NOLINTEND(readability-identifier-naming)

  explicit ByteIterator(JsonBytes* bytes) : bytes_(bytes) {}
  char operator*() const { return bytes_->Current(); }
  ByteIterator& operator++() {
    bytes_->Advance();
    return *this;
  }
  // There are two: one to read from, and one for the end.
  bool operator==(const ByteIterator&) const { return bytes_->AtEnd(); }

 private:
  JsonBytes* bytes_;
};

// Hears what the parser reads, and builds the value from what is known.
class KnownFields {
 public:
  KnownFields(SealedBytes& sealed, JsonBytes& bytes, const JsonFields& fields,
              const JsonLimits& limits)
      : sealed_(sealed), bytes_(bytes), fields_(fields), limits_(limits) {}

  JsonValue TakeRoot() { return std::move(root_); }

  // The names of the rest are the parser's.
  // NOLINTBEGIN(readability-identifier-naming)
  bool null() { return Add({}); }
  bool boolean(bool value) { return Add({value}); }
  bool number_integer(int64_t value) {
    return AddNumber(static_cast<double>(value));
  }
  bool number_unsigned(uint64_t value) {
    return AddNumber(static_cast<double>(value));
  }
  bool number_float(double value, const std::string&) {
    return AddNumber(value);
  }
  bool string(std::string& value) {
    Charge(text_bytes_, value.size(), limits_.text_bytes, "bytes of text");
    if (!open_.empty() && open_.back().place == fields_.sealed) {
      fields_.on_sealed(value);
    }
    return Add({std::move(value)});
  }
  bool binary(const nlohmann::json::binary_t&) { return Add({}); }
  bool start_object(size_t) { return Open({JsonValue::Object()}); }
  bool start_array(size_t) { return Open({JsonValue::Numbers()}); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }
  bool key(std::string& name) {
    Container& object = open_.back();
    object.place.resize(object.prefix);
    if (!object.place.empty()) object.place += '.';
    object.place += name;
    const auto& known = fields_.known;
    object.keep =
        std::find(known.begin(), known.end(), object.place) != known.end();
    if (!object.keep) {
      bytes_.SkipValue(static_cast<int>(open_.size()));
      return true;
    }
    if (object.value->Find(name) != nullptr) {
      throw InvalidInput(Text("it has the field '", object.place, "' twice"));
    }
    object.name = std::move(name);
    return true;
  }
  bool parse_error(size_t, const std::string&,
                   const nlohmann::detail::exception& error) {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {
      throw InvalidInput("it has a number that is too large");
    }
    throw InvalidInput(Text(sealed_.AtEnd()
                                ? "it is cut short: it ends in the middle at "
                                  "byte "
                                : "it is not JSON from byte ",
                            sealed_.position(), " on; get a fresh copy"));
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  // A list or an object that is being read.
  struct Container {
    JsonValue* value;
    std::string place;  // the path to what comes next in it
    size_t prefix;      // how much of that is the path to itself
    bool keep;          // whether what comes next is known
    std::string name;   // what that is called, in an object
  };

  // Conditions are checked before there is a message, for this is done for
  // every number.
  static void Charge(size_t& spent, size_t amount, size_t most,
                     const char* what) {
    spent += amount;
    if (spent > most) {
      throw InvalidInput(Text("it has more ", what, " than the ", most,
                              " that a release can have"));
    }
  }

  void CountItem(const Container& list) const {
    if (list.value->Items() < limits_.items) return;
    constexpr size_t kBrackets = 2;
    throw InvalidInput(Text("'", list.place.substr(0, list.prefix - kBrackets),
                            "' must have at most ", limits_.items, " items"));
  }

  // A list is one of numbers until something else comes.
  JsonValue::List& ListOf(JsonValue& value) {
    if (auto* numbers = std::get_if<JsonValue::Numbers>(&value.value)) {
      // From here on they take as much room as texts.
      Charge(others_, numbers->size(), limits_.other_values,
             "texts, lists and objects");
      JsonValue::List list;
      for (const double number : *numbers) list.push_back({number});
      value.value = std::move(list);
    }
    return std::get<JsonValue::List>(value.value);
  }

  // Puts the value where it belongs and returns where that is.
  JsonValue& Put(JsonValue value) {
    Charge(others_, 1, limits_.other_values, "texts, lists and objects");
    if (open_.empty()) return root_ = std::move(value);
    Container& container = open_.back();
    if (auto* object =
            std::get_if<JsonValue::Object>(&container.value->value)) {
      object->names.push_back(container.name);
      return object->values.emplace_back(std::move(value));
    }
    CountItem(container);
    return ListOf(*container.value).emplace_back(std::move(value));
  }

  bool Add(JsonValue value) {
    if (open_.empty() || open_.back().keep) Put(std::move(value));
    return true;
  }

  bool AddNumber(double number) {
    JsonValue::Numbers* const numbers =
        open_.empty()
            ? nullptr
            : std::get_if<JsonValue::Numbers>(&open_.back().value->value);
    if (numbers == nullptr) return Add({number});
    Charge(numbers_, 1, limits_.numbers, "numbers");
    CountItem(open_.back());
    numbers->push_back(number);
    return true;
  }

  bool Open(JsonValue empty) {
    if (open_.size() >= static_cast<size_t>(limits_.document.nesting)) {
      throw InvalidInput("it is nested too deeply");
    }
    const bool is_list = empty.IsList();
    std::string place = open_.empty() ? "" : open_.back().place;
    if (is_list) place += "[]";
    const size_t prefix = place.size();
    JsonValue& value = Put(std::move(empty));
    open_.push_back({&value, std::move(place), prefix, is_list, {}});
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  SealedBytes& sealed_;
  JsonBytes& bytes_;
  const JsonFields& fields_;
  const JsonLimits& limits_;
  JsonValue root_;
  std::vector<Container> open_;
  size_t numbers_ = 0;
  size_t others_ = 0;
  size_t text_bytes_ = 0;
};

}  // namespace

JsonValue ReadJsonStream(SealedBytes& sealed, const JsonFields& fields,
                         const JsonLimits& limits) {
  JsonBytes bytes(sealed, limits.document);
  KnownFields known(sealed, bytes, fields, limits);
  nlohmann::json::sax_parse(ByteIterator(&bytes), ByteIterator(&bytes), &known);
  return known.TakeRoot();
}

}  // namespace cloak
