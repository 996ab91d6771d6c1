#include "cloak/server/token.h"

#include <sodium.h>

#include <algorithm>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

Tokens::Tokens(std::string_view lines) {
  constexpr size_t kFewestCharacters = 16;
  // Some editors begin a file with this mark.
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (lines.starts_with(kByteOrderMark)) {
    lines.remove_prefix(kByteOrderMark.size());
  }
  size_t line_number = 0;
  for (std::string line : Split(lines, '\n')) {
    ++line_number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    // Messages must not repeat a token.
    RequireInput(line.find_first_of(" \t") == std::string::npos,
                 "the token in line ", line_number,
                 " of the token file has a blank in it; write one token "
                 "on each line");
    RequireInput(line.size() >= kFewestCharacters, "the token in line ",
                 line_number, " of the token file has ", line.size(),
                 " characters, which could be guessed; it needs ",
                 kFewestCharacters,
                 ", such as 'openssl rand -hex 32' "
                 "prints");
    hashes_.push_back(HashOf(line));
    sodium_memzero(line.data(), line.size());
  }
  RequireInput(!hashes_.empty(),
               "the token file has no token; write one on each line");
}

Tokens::Hash Tokens::HashOf(std::string_view token) {
  Hash hash = {};
  crypto_generichash(hash.data(), hash.size(),
                     reinterpret_cast<const unsigned char*>(token.data()),
                     token.size(), nullptr, 0);
  return hash;
}

bool Tokens::Accepts(std::string_view authorization) const {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() <= kScheme.size()) return false;
  const bool bearer = std::equal(
      kScheme.begin(), kScheme.end(), authorization.begin(),
      [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
  if (!bearer) return false;
  // RFC 9110, 11.4: there may be more than one blank.
  authorization.remove_prefix(kScheme.size());
  authorization.remove_prefix(
      std::min(authorization.find_first_not_of(' '), authorization.size()));
  const Hash hash = HashOf(authorization);
  bool accepted = false;
  for (const Hash& known : hashes_) {
    const bool same =
        sodium_memcmp(hash.data(), known.data(), hash.size()) == 0;
    accepted = accepted | same;
  }
  return accepted;
}

}  // namespace cloak
