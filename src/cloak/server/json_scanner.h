#ifndef CLOAK_SERVER_JSON_SCANNER_H_
#define CLOAK_SERVER_JSON_SCANNER_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace cloak {

// Walks through a JSON text (RFC 8259) without building anything, for shapes
// that are known beforehand: ten times as fast as a parser that calls back for
// every token, and numbers are most of a batch. Whoever walks decides what may
// come next, so there is no recursion that nesting could exhaust.
//
// Throws HttpError 400 where the text is not JSON, and says at which byte;
// never quotes it.
class JsonScanner {
 public:
  enum class Kind { kObject, kArray, kText, kNumber, kBoolean, kNull };

  explicit JsonScanner(std::string_view text) : text_(text) {}

  // Returns the kind of the next value. Passes over blanks before it, and over
  // nothing else.
  Kind Peek();
  // "an object", "a number", …
  static const char* Name(Kind kind);

  // Returns whether the next character is `c`; if so, it is passed over. Blanks
  // before it are passed over in any case.
  bool Take(char c) {
    SkipBlanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Malformed();
  }
  // Requires that nothing but blanks is left.
  void ExpectEnd();

  // Return the next value, which must be of that kind. Numbers that are too
  // large for a double are infinite.
  double Number();
  bool Boolean();
  std::string String();
  // Returns the characters of the number that comes next, and passes over them.
  std::string_view NumberText();

  [[noreturn]] void Malformed() const;

 private:
  char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void SkipBlanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
      ++at_;
    }
  }
  void SkipDigits();
  bool TakeWord(std::string_view word);

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace cloak

#endif  // CLOAK_SERVER_JSON_SCANNER_H_
