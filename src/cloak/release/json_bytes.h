#ifndef CLOAK_RELEASE_JSON_BYTES_H_
#define CLOAK_RELEASE_JSON_BYTES_H_

#include <cstddef>
#include <string_view>

#include "cloak/release/sealed_bytes.h"

namespace cloak {

// The bytes of a JSON document as its parser gets them: with no more than one
// blank where there are many, and without the values that nobody wants to know.
// The parser holds the text or number that it is in, and all brackets and
// blanks since the last one, so this is what bounds its memory.
class JsonBytes {
 public:
  struct Limits {
    size_t bytes = 0;         // of the document
    size_t longest_text = 0;  // of a text, a name or a number that is not
                              // passed over
    int nesting = 0;          // of lists and objects in each other
  };

  JsonBytes(SealedBytes& bytes, const Limits& limits)
      : bytes_(bytes), limits_(limits) {}

  bool AtEnd() { return stand_in_.empty() && bytes_.AtEnd(); }
  char Current() const {
    return stand_in_.empty() ? bytes_.Current() : stand_in_.front();
  }
  void Advance();

  // Called after the name of a member: passes over its value and lets the
  // parser see a 0 instead. Only quotes, brackets and their nesting are
  // checked. `depth` is how many lists and objects the member is in.
  void SkipValue(int depth);

 private:
  void Take();
  void Follow(char byte);
  bool SkipBlanks();
  void SkipText();
  void SkipNested(int depth);

  SealedBytes& bytes_;
  Limits limits_;
  bool in_text_ = false;
  bool is_escaped_ = false;
  size_t length_ = 0;
  // Bytes that the parser gets before the rest of the document.
  std::string_view stand_in_;
};

}  // namespace cloak

#endif  // CLOAK_RELEASE_JSON_BYTES_H_
