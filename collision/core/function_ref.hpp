#pragma once
/// \file
/// Callbacks as parameters, without allocation.

#include <memory>
#include <type_traits>
#include <utility>

namespace claybox::collision {

/// Defined for function types only: see `FunctionRef<R(Args...)>`.
template <class Signature>
class FunctionRef;

/// A non-owning reference to a callable, for parameters. Never allocates. The callable must outlive the
/// reference, so do not store one beyond the call that received it.
template <class R, class... Args>
class FunctionRef<R(Args...)> {
  public:
    /// Refers to `f`, which must be callable with Args and return what converts to R.
    // clang-tidy 14 does not read the `requires`, which keeps copies out.
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
        FunctionRef(F&& f)  // NOLINT(bugprone-forwarding-reference-overload)
        : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
          call_([](void* object, Args... args) -> R {
              return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
          }) {}

    /// Calls the callable. Throws what it throws.
    R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

  private:
    void* object_;
    R (*call_)(void*, Args...);
};

}  // namespace claybox::collision
