#pragma once

#include "collision/core/vec.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace claybox::app {

/// Appends one JSON object as a line, member by member. Takes a fraction of the time of a JSON value, which
/// matters for millions of lines. Keys and words are printable ASCII without quotes and backslashes.
class AnswerLine {
  public:
    explicit AnswerLine(std::string& out) : out_(out) { out_ += '{'; }

    void word(std::string_view key, std::string_view value);
    void truth(std::string_view key, bool value);
    void integer(std::string_view key, std::uint64_t value);
    /// The shortest decimal that reads back as the same value, with a point or an exponent. NaN and infinite
    /// values become null, because JSON has none.
    void number(std::string_view key, double value);
    void point(std::string_view key, const collision::Vec3d& value);
    /// Any value, with all escapes. Invalid UTF-8 is replaced.
    void value(std::string_view key, const nlohmann::json& value);
    /// The members until close() belong to an object of that name.
    void open(std::string_view key);
    void close() { out_ += '}'; }
    void finish() { out_ += "}\n"; }

  private:
    void name(std::string_view key);
    void decimal(double value);

    std::string& out_;
};

}  // namespace claybox::app
