#pragma once
// What the readers of text formats share: lines with numbers, tokens, strict numbers, and quoting for
// messages.

#include <cstdint>
#include <string>
#include <string_view>

namespace claybox::engine {

/// Coordinates of larger magnitude are refused: squared lengths and products of three must stay far from
/// overflow.
inline constexpr double kMaxCoordinate = 0x1p60;

/// Walks the lines of a text; LF, CR LF and CR each end one.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : rest_(text) {}
    /// False after the last line.
    bool next(std::string_view& line);
    std::uint64_t number() const { return number_; }  ///< 1-based, of the line that next() gave last
    /// What stands after the line that next() gave last.
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
    std::uint64_t number_ = 0;
};

/// Takes the next token (no spaces or tabs) off the front of `line`; empty at its end.
std::string_view take_token(std::string_view& line);
std::string_view trimmed(std::string_view line);

/// Reads a whole token as a decimal number, correctly rounded to double, then rounded to float32. Refuses
/// words (nan, inf), hexadecimal, decimal commas and magnitudes above kMaxCoordinate; `error` then says what
/// was expected.
bool parse_coordinate(std::string_view token, float& value, std::string& error);
/// Any finite number; for values that are checked and not kept.
bool parse_number(std::string_view token, double& value, std::string& error);
bool parse_integer(std::string_view token, std::int64_t& value, std::string& error);

/// The text in quotation marks for a message: printable ASCII, at most 40 characters.
std::string in_quotes(std::string_view text);

}  // namespace claybox::engine
