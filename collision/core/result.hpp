#pragma once
/// \file
/// The return type of functions that read external input: a value or an error.

#include "collision/core/assert.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace claybox::collision {

/// An error in external input.
struct Error {
    std::string message;     ///< one sentence: what was found and what was expected
    std::string file;        ///< empty if the input is not a file
    std::uint64_t line = 0;  ///< 1-based; 0 if there is no line number

    /// "file:line: message", without the parts that are absent.
    std::string text() const;
};

/// A value or an Error. Test it before use: reading the absent one fails an assertion.
template <class T>
class [[nodiscard]] Result {
  public:
    /// A success.
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    /// A failure.
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    /// Whether there is a value.
    bool ok() const { return state_.index() == 0; }
    /// The same as ok().
    explicit operator bool() const { return ok(); }

    /// The value; ok() must be true.
    T& value() & {
        CLAYBOX_ASSERT(ok());
        return *std::get_if<0>(&state_);
    }
    /// The value, read only; ok() must be true.
    const T& value() const& {
        CLAYBOX_ASSERT(ok());
        return *std::get_if<0>(&state_);
    }
    /// The value, to move it out of a result that is no longer needed; ok() must be true.
    T&& value() && {
        CLAYBOX_ASSERT(ok());
        return std::move(*std::get_if<0>(&state_));
    }
    /// What is wrong; ok() must be false.
    const Error& error() const {
        CLAYBOX_ASSERT(!ok());
        return *std::get_if<1>(&state_);
    }

  private:
    std::variant<T, Error> state_;
};

/// The value of an operation that returns nothing.
struct Done {};
/// Success or an Error.
using Status = Result<Done>;

}  // namespace claybox::collision
