// Kernel::Parse: a recursive descent over
//   sum     = product { "+" product }
//   product = factor { "*" factor }
//   factor  = "(" sum ")" | name "(" [ argument { "," argument } ] ")"
//   argument = [ name "=" ] ( number | "[" number { "," number } "]" )
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/nearest_name.h"
#include "cloak/base/text.h"
#include "cloak/kernels/catalogue.h"
#include "cloak/kernels/kernel.h"
#include "cloak/kernels/node.h"

namespace cloak {
namespace {

std::string NearestOf(std::string_view name,
                      const std::vector<std::string_view>& known) {
  return NearestName(name, {known.begin(), known.end()});
}

constexpr int kMaxParentheses = 64;

std::string Listed(const std::vector<std::string_view>& words) {
  return Join({words.begin(), words.end()}, ", ");
}

std::string DidYouMean(const std::string& suggestion) {
  return suggestion.empty() ? "" : Text("; did you mean ", suggestion, "?");
}

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    RequireInput(text.size() <= kMaxKernelText, "a kernel must be at most ",
                 kMaxKernelText, " characters long, but has ", text.size());
  }

  NodePointer Parse() {
    NodePointer node = ParseSum();
    Peek();
    if (position_ < text_.size()) {  // Peek's kEnd may be a zero in the text
      Fail(position_, "expected +, * or the end, but found ");
    }
    return node;
  }

 private:
  static constexpr char kEnd = '\0';

  NodePointer ParseSum() {
    NodePointer node = ParseProduct();
    while (Accept('+')) node = MakeSum(node, ParseProduct());
    return node;
  }

  NodePointer ParseProduct() {
    NodePointer node = ParseFactor();
    while (Accept('*')) node = MakeProduct(node, ParseFactor());
    return node;
  }

  NodePointer ParseFactor() {
    if (Peek() != '(') return ParseKernel();
    if (++parentheses_ > kMaxParentheses) {
      FailWith(position_, Text("parentheses must be nested at most ",
                               kMaxParentheses, " deep"));
    }
    Expect('(');
    NodePointer node = ParseSum();
    Expect(')');
    --parentheses_;
    return node;
  }

  NodePointer ParseKernel() {
    Peek();
    const size_t start = position_;
    const std::string_view name = ParseName();
    if (name.empty()) {
      Fail(start, Text("expected a kernel (", Listed(KernelNames()),
                       ") or (, but found "));
    }
    const auto found =
        std::ranges::find(KernelCatalogue(), name, &KernelEntry::name);
    if (found == KernelCatalogue().end()) {
      std::string meant = OurNameFor(name);
      if (meant.empty()) meant = NearestOf(name, KernelNames());
      FailWith(start, Text("unknown kernel ", Quoted(name), "; known are ",
                           Listed(KernelNames()), DidYouMean(meant)));
    }
    const KernelArguments arguments = ParseArguments(*found);
    try {
      return found->make(arguments);
    } catch (const InvalidInput& error) {
      FailWith(start, error.what());
    }
  }

  KernelArguments ParseArguments(const KernelEntry& kernel) {
    KernelArguments arguments;
    Expect('(');
    if (Accept(')')) return arguments;
    bool first = true;
    do {
      const char next = Peek();
      const size_t start = position_;
      const std::string_view name =
          IsLetter(next) ? ParseArgumentName(kernel) : "variance";
      if (!IsLetter(next) && !first) {
        Fail(start, Text("only the first argument of ", kernel.name,
                         " may go without its name (", Listed(kernel.arguments),
                         "), write name=value, but found "));
      }
      if (arguments.Has(name)) {
        FailWith(start, Text(name, " of ", kernel.name, " is given twice"));
      }
      arguments.Set(name, ParseValue());
      first = false;
    } while (Accept(','));
    Expect(')');
    return arguments;
  }

  std::string_view ParseArgumentName(const KernelEntry& kernel) {
    const size_t start = position_;
    const std::string_view name = ParseName();
    if (std::ranges::find(kernel.arguments, name) == kernel.arguments.end()) {
      FailWith(start, Text(kernel.name, " has no argument ", Quoted(name),
                           "; it has ", Listed(kernel.arguments),
                           DidYouMean(NearestOf(name, kernel.arguments))));
    }
    Expect('=');
    return name;
  }

  PerInput ParseValue() {
    if (!Accept('[')) return PerInput(ParseNumber());
    std::vector<double> numbers;
    do {
      numbers.push_back(ParseNumber());
    } while (Accept(','));
    Expect(']');
    return PerInput(std::move(numbers));
  }

  double ParseNumber() {
    const char next = Peek();
    if (!IsDigit(next) && next != '.' && next != '-') {
      Fail(position_, "expected a number, but found ");
    }
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto parsed = std::from_chars(text_.data() + position_, end, value);
    if (parsed.ec == std::errc::result_out_of_range) {
      Fail(position_, "expected a number that a double can hold, but found ");
    }
    if (parsed.ec != std::errc()) {
      Fail(position_, "expected a number, but found ");
    }
    position_ = static_cast<size_t>(parsed.ptr - text_.data());
    return value;
  }

  std::string_view ParseName() {
    const size_t start = position_;
    while (position_ < text_.size() &&
           (IsLetter(text_[position_]) ||
            (position_ > start && IsDigit(text_[position_])))) {
      ++position_;
    }
    return text_.substr(start, position_ - start);
  }

  // The next character that is not white space, or kEnd.
  char Peek() {
    while (position_ < text_.size() && IsSpace(text_[position_])) ++position_;
    return position_ < text_.size() ? text_[position_] : kEnd;
  }

  bool Accept(char c) {
    if (Peek() != c) return false;
    ++position_;
    return true;
  }

  void Expect(char c) {
    if (!Accept(c)) Fail(position_, Text("expected ", c, ", but found "));
  }

  // Cut short, and without the control characters a terminal would obey.
  static std::string Quoted(std::string_view found) {
    constexpr size_t kShown = 24;
    std::string shown(found.substr(0, kShown));
    std::ranges::replace_if(
        shown,
        [](char c) {
          const auto byte = static_cast<unsigned char>(c);
          return byte < 0x20 || byte >= 0x7f;
        },
        '?');
    return Text("'", shown, "'", found.size() > kShown ? "…" : "");
  }

  // Completes `message` with what stands at `position`.
  [[noreturn]] void Fail(size_t position, const std::string& message) const {
    FailWith(position,
             message + (position < text_.size() ? Quoted(text_.substr(position))
                                                : std::string("the end")));
  }

  [[noreturn]] static void FailWith(size_t position,
                                    const std::string& message) {
    throw InvalidInput(Text("kernel, character ", position + 1, ": ", message));
  }

  std::string_view text_;
  size_t position_ = 0;
  int parentheses_ = 0;
};

}  // namespace

Kernel Kernel::Parse(std::string_view text) {
  return Kernel(Parser(text).Parse());
}

}  // namespace cloak
