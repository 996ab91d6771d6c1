#ifndef CLOAK_SERVER_TOKEN_H_
#define CLOAK_SERVER_TOKEN_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace cloak {

// The tokens of clients that may ask. Kept as hashes, compared in a time that
// depends neither on how much of a token is right nor on which one it is.
class Tokens {
 public:
  // Makes a server of which nobody needs a token.
  Tokens() = default;
  // Reads one token a line; blank lines and lines that begin with # are passed
  // over. Throws InvalidInput when there is none, or one is shorter than 16
  // characters or has a blank in it.
  explicit Tokens(std::string_view lines);

  bool required() const { return !hashes_.empty(); }
  // Returns whether the header "Authorization: Bearer TOKEN" has one of them.
  bool Accepts(std::string_view authorization) const;

 private:
  using Hash = std::array<unsigned char, 32>;
  static Hash HashOf(std::string_view token);

  std::vector<Hash> hashes_;
};

}  // namespace cloak

#endif  // CLOAK_SERVER_TOKEN_H_
