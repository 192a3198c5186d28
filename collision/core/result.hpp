#pragma once
// What takes input from outside returns one of these: a value, or an error that names where and what.

#include "collision/core/assert.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace claybox::collision {

/// One sentence that says what was found and what was expected, with its place where there is one.
struct Error {
    std::string message;
    std::string file;        ///< empty when the input was no file
    std::uint64_t line = 0;  ///< 1-based; 0 when there is no line

    /// "file:line: message" with the parts that exist.
    std::string text() const;
};

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & {
        CLAYBOX_ASSERT(ok());
        return *std::get_if<0>(&state_);
    }
    const T& value() const& {
        CLAYBOX_ASSERT(ok());
        return *std::get_if<0>(&state_);
    }
    T&& value() && {
        CLAYBOX_ASSERT(ok());
        return std::move(*std::get_if<0>(&state_));
    }
    const Error& error() const {
        CLAYBOX_ASSERT(!ok());
        return *std::get_if<1>(&state_);
    }

  private:
    std::variant<T, Error> state_;
};

/// A result without a value.
struct Done {};
using Status = Result<Done>;

}  // namespace claybox::collision
