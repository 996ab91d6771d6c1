#ifndef CLOAK_DATA_SECRET_H_
#define CLOAK_DATA_SECRET_H_

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

namespace cloak {

// A mechanism shows one to open a secret. Defined in the privacy layer, where
// only mechanisms can make one.
class MechanismKey;

namespace internal {

// A function may look at what it is given besides the secret, never write to
// it: a pointer, a span or a reference_wrapper to something that can be
// modified would carry the secret out of Map.
template <typename P>
concept Modifiable = std::is_lvalue_reference_v<P> &&
    !std::is_const_v<std::remove_reference_t<P>>;
template <typename P>
concept LendsWriteAccess = requires(const P& p) {
  { *p } -> Modifiable;
}
|| requires(const P& p) {
  { p[0] } -> Modifiable;
}
|| requires(const P& p) {
  { p.get() } -> Modifiable;
};

// An Eigen expression refers to its operands; only a plain matrix owns its
// numbers.
template <typename R>
concept UnevaluatedExpression = requires {
  typename R::PlainObject;
}
&&!std::same_as<R, typename R::PlainObject>;

}  // namespace internal

// A value that depends on private data. It cannot be read, printed, compared
// or converted; computing on it gives another secret; only a mechanism opens
// it, and what a mechanism returns is public. So an un-noised number cannot be
// printed, logged or saved by accident, because that does not compile
// (tests/compile_fail proves that it does not).
//
//   const Secret<Vector>& heights = table.Private("height");
//   Secret<Vector> clipped = heights.Map(
//       [](const Vector& y, double lo, double hi) -> Vector {
//         return y.cwiseMax(lo).cwiseMin(hi);
//       },
//       60.0, 180.0);
//
// It guards against accidents, not against malice: a function that writes to a
// global variable, or that throws an exception holding the value, gets past
// it. Functions given to Map do neither.
//
// How many rows a secret column has is public; its Table says it.
template <typename T>
class Secret {
  static_assert(std::is_object_v<T> && !std::is_pointer_v<T>,
                "a Secret holds a value, not a way to reach one");

 public:
  explicit Secret(T value) : value_(std::move(value)) {}

  // The secret f(value, args...). `f` is a lambda without captures, so that
  // nothing can leave by reference; what it needs besides the secret is public
  // and is passed, read-only, in `args`.
  template <typename F, typename... Public>
  auto Map(F f, const Public&... args) const {
    static_assert(std::is_empty_v<F>,
                  "the function given to Secret::Map must not capture; pass "
                  "public values as further arguments");
    static_assert(!(internal::LendsWriteAccess<Public> || ...),
                  "an argument of Secret::Map must not give write access to "
                  "anything outside the secret");
    static_assert(std::is_invocable_v<F&, const T&, const Public&...>,
                  "the function given to Secret::Map must take the secret and "
                  "the arguments by value or by const reference");
    using Result = std::invoke_result_t<F&, const T&, const Public&...>;
    static_assert(std::is_object_v<Result> && !std::is_pointer_v<Result>,
                  "the function given to Secret::Map must return a value");
    static_assert(!internal::UnevaluatedExpression<Result>,
                  "the function given to Secret::Map returns an unevaluated "
                  "expression; write its return type: -> Vector");
    return Secret<std::remove_cv_t<Result>>(f(value_, args...));
  }

  // Several secrets as one, to compute on together.
  static Secret<std::vector<T>> Together(
      const std::vector<Secret<T>>& secrets) {
    std::vector<T> values;
    values.reserve(secrets.size());
    for (const Secret<T>& secret : secrets) values.push_back(secret.value_);
    return Secret<std::vector<T>>(std::move(values));
  }

  // For mechanisms, which alone can make a key.
  const T& Open(const MechanismKey&) const { return value_; }

 private:
  T value_;
};

}  // namespace cloak

#endif  // CLOAK_DATA_SECRET_H_
