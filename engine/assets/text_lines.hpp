#pragma once
// Shared by the readers of text formats: numbered lines, tokens, strict number parsing, and quoting for
// messages.

#include "engine/files/byte_order_mark.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace claybox::engine {

/// Larger coordinates are refused: squared lengths and products of three must stay far from overflow.
inline constexpr double kMaxCoordinate = 0x1p60;

/// Iterates over the lines of a text, without a byte order mark. LF, CR LF and CR each end a line.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : rest_(without_byte_order_mark(text)) {}
    /// False after the last line.
    bool next(std::string_view& line);
    std::uint64_t number() const { return number_; }  ///< 1-based number of the last line from next()
    /// The text after the last line from next().
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
    std::uint64_t number_ = 0;
};

/// Removes the next token (no spaces or tabs) from the front of `line` and returns it; empty at the end.
std::string_view take_token(std::string_view& line);
std::string_view trimmed(std::string_view line);

/// Parses a whole token as a decimal number: rounded correctly to double, then to float32. Refuses words
/// (nan, inf), hexadecimal, decimal commas and magnitudes above kMaxCoordinate; `error` then says what was
/// expected.
bool parse_coordinate(std::string_view token, float& value, std::string& error);
/// Parses any finite number; for values that are checked but not stored.
bool parse_number(std::string_view token, double& value, std::string& error);
bool parse_integer(std::string_view token, std::int64_t& value, std::string& error);

/// The text in quotation marks for a message: printable ASCII, at most 40 characters.
std::string in_quotes(std::string_view text);

}  // namespace claybox::engine
