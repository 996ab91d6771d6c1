#include "cloak/release/json_bytes.h"

#include <string>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

bool IsBlank(char byte) {
  return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}
bool IsOpening(char byte) { return byte == '[' || byte == '{'; }
bool IsClosing(char byte) { return byte == ']' || byte == '}'; }

// Returns whether a number, true, false or null ends before the byte.
bool EndsWord(char byte) {
  return IsBlank(byte) || IsOpening(byte) || IsClosing(byte) || byte == ',' ||
         byte == ':' || byte == '"';
}

}  // namespace

// Conditions are checked before there is a message, for this is done for every
// byte.
void JsonBytes::Take() {
  bytes_.Advance();
  if (bytes_.position() > limits_.bytes) {
    throw InvalidInput(Text("it has more than ", limits_.bytes,
                            " bytes, the most that a release has"));
  }
}

void JsonBytes::Follow(char byte) {
  const bool was_escaped = std::exchange(is_escaped_, false);
  if (in_text_) {
    is_escaped_ = byte == '\\' && !was_escaped;
    if (byte == '"' && !was_escaped) in_text_ = false;
  } else if (byte == '"') {
    in_text_ = true;
    length_ = 0;
  } else if (EndsWord(byte)) {
    length_ = 0;
  }
  if (++length_ > limits_.longest_text) {
    throw InvalidInput(Text("it has a text or a number of more than ",
                            limits_.longest_text,
                            " bytes, longer than any in a release"));
  }
}

void JsonBytes::Advance() {
  if (!stand_in_.empty()) return stand_in_.remove_prefix(1);
  const char byte = bytes_.Current();
  Follow(byte);
  Take();
  if (in_text_ || !IsBlank(byte)) return;
  while (!bytes_.AtEnd() && IsBlank(bytes_.Current())) Take();
}

// Returns whether anything follows the blanks.
bool JsonBytes::SkipBlanks() {
  while (!bytes_.AtEnd() && IsBlank(bytes_.Current())) Take();
  return !bytes_.AtEnd();
}

// Goes from the opening quote to behind the closing one.
void JsonBytes::SkipText() {
  bool is_escaped = false;
  for (Take(); !bytes_.AtEnd(); Take()) {
    const char byte = bytes_.Current();
    if (byte == '"' && !is_escaped) return Take();
    is_escaped = byte == '\\' && !is_escaped;
  }
}

// Goes from the opening bracket to behind the closing one.
void JsonBytes::SkipNested(int depth) {
  std::string closing;  // of the brackets that are open
  while (!bytes_.AtEnd()) {
    const char byte = bytes_.Current();
    if (byte == '"') {
      SkipText();
      continue;
    }
    if (IsOpening(byte)) {
      closing += byte == '[' ? ']' : '}';
      if (depth + static_cast<int>(closing.size()) > limits_.nesting) {
        throw InvalidInput("it is nested too deeply");
      }
    } else if (IsClosing(byte)) {
      if (byte != closing.back()) {
        throw InvalidInput(
            Text("it is not JSON from byte ", bytes_.position() + 1,
                 " on, where a bracket of the other kind is missing; get a "
                 "fresh copy"));
      }
      closing.pop_back();
    }
    Take();
    if (closing.empty()) return;
  }
}

void JsonBytes::SkipValue(int depth) {
  // Without a colon it is not JSON, and the parser says so.
  if (!SkipBlanks() || bytes_.Current() != ':') return;
  Take();
  stand_in_ = ":";
  if (!SkipBlanks()) return;
  const char first = bytes_.Current();
  if (first == '"') {
    SkipText();
  } else if (IsOpening(first)) {
    SkipNested(depth);
  } else {
    // A value that is missing is for the parser to find.
    if (EndsWord(first)) return;
    while (!bytes_.AtEnd() && !EndsWord(bytes_.Current())) Take();
  }
  // Nothing that follows can make another value of it.
  stand_in_ = ":true";
}

}  // namespace cloak
