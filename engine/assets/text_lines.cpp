#include "engine/assets/text_lines.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace claybox::engine {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

std::string_view without_plus(std::string_view token) {
    const bool plus = token.size() > 1 && token[0] == '+' && token[1] != '-' && token[1] != '+';
    return plus ? token.substr(1) : token;
}

bool looks_numeric(std::string_view token) {
    const std::size_t at =
        !token.empty() && token[0] == '-' ? 1 : 0;  // keeps out nan and inf, which from_chars reads
    return at < token.size() && (token[at] == '.' || (token[at] >= '0' && token[at] <= '9'));
}

// Tells underflow from overflow for a decimal number outside the range of double: the exponent of its first
// non-zero digit is negative.
bool is_too_small(std::string_view token) {
    const std::size_t e = token.find_first_of("eE");
    const std::string_view mantissa = token.substr(0, e);
    const std::size_t digit = mantissa.find_first_of("123456789");
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    std::int64_t exponent = 0;
    if (e != std::string_view::npos) {
        const std::string_view text = without_plus(token.substr(e + 1));
        const auto end = std::from_chars(text.data(), text.data() + text.size(), exponent);
        // Such an exponent outweighs the digits of any file, and the sum below must not overflow.
        constexpr std::int64_t kDecisive = std::int64_t{1} << 62;
        if (end.ec != std::errc{} || exponent > kDecisive || exponent < -kDecisive)
            return text.front() == '-';
    }
    return exponent + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digit) < 0;
}

}  // namespace

bool LineReader::next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find_first_of("\r\n");
    line = rest_.substr(0, end);
    ++number_;
    if (end == std::string_view::npos) {
        rest_ = {};
        return true;
    }
    const bool pair = rest_[end] == '\r' && end + 1 < rest_.size() && rest_[end + 1] == '\n';
    rest_.remove_prefix(end + (pair ? 2 : 1));
    return true;
}

std::string_view take_token(std::string_view& line) {
    std::size_t begin = 0;
    while (begin < line.size() && is_blank(line[begin])) ++begin;
    std::size_t end = begin;
    while (end < line.size() && !is_blank(line[end])) ++end;
    const std::string_view token = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return token;
}

std::string_view trimmed(std::string_view line) {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    return line;
}

bool parse_number(std::string_view token, double& value, std::string& error) {
    const std::string_view text = without_plus(token);
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = looks_numeric(text) && end.ptr == text.data() + text.size();
    if (whole && end.ec == std::errc::result_out_of_range) {
        if (is_too_small(text)) {
            value = 0;  // the nearest double
            return true;
        }
        error =
            "the number " + in_quotes(token) + " is outside the range of double, expected a smaller exponent";
        return false;
    }
    if (whole && end.ec == std::errc{}) return true;
    error = in_quotes(token) + " is not a number, expected a decimal number like -1.5e-3";
    return false;
}

bool parse_coordinate(std::string_view token, float& value, std::string& error) {
    double exact = 0;
    if (!parse_number(token, exact, error)) return false;
    if (!(std::abs(exact) <= kMaxCoordinate)) {
        error = "the coordinate " + in_quotes(token) + " is too large, expected a magnitude up to 2^60";
        return false;
    }
    value = static_cast<float>(exact);
    return true;
}

bool parse_integer(std::string_view token, std::int64_t& value, std::string& error) {
    const std::string_view text = without_plus(token);
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end.ec == std::errc{} && end.ptr == text.data() + text.size()) return true;
    error = in_quotes(token) + (end.ec == std::errc::result_out_of_range
                                    ? " is too large, expected a whole number of 64 bits"
                                    : " is not a whole number");
    return false;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t kLimit = 40;
    constexpr char kHex[] = "0123456789abcdef";
    std::string out = "'";
    for (const char c : text.substr(0, kLimit)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            out += c;
        } else {
            out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
        }
    }
    return out + (text.size() > kLimit ? "...'" : "'");
}

}  // namespace claybox::engine
