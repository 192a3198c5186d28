#pragma once
// What C++20 has and an old libc++ lacks: Emscripten of Debian 12 brings version 13. CMake tests the compiler
// and includes this file in front of every source where it is needed. To be removed with the last such
// compiler.

#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <type_traits>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

namespace claybox_gaps {

inline const char* skip_digits(const char* at, const char* last) {
    while (at != last && *at >= '0' && *at <= '9') ++at;
    return at;
}

/// The end of the decimal number at `first`, or `first` without one. No space, plus, hexadecimal digits,
/// "inf" or "nan".
inline const char* number_end(const char* first, const char* last) {
    const char* const digits = first != last && *first == '-' ? first + 1 : first;
    const char* at = skip_digits(digits, last);
    auto count = at - digits;
    if (at != last && *at == '.') {
        const char* const fraction = at + 1;
        at = skip_digits(fraction, last);
        count += at - fraction;
    }
    if (count == 0) return first;
    if (at == last || (*at != 'e' && *at != 'E')) return at;
    const char* const sign = at + 1;
    const char* const exponent = sign != last && (*sign == '-' || *sign == '+') ? sign + 1 : sign;
    const char* const end = skip_digits(exponent, last);
    return end != exponent ? end : at;
}

/// Both functions of musl round correctly, and the program sets no locale.
template <class T>
T read(const char* text) {
    if constexpr (is_same_v<T, float>) return strtof(text, nullptr);
    return static_cast<T>(strtod(text, nullptr));
}

inline to_chars_result copy(const char* text, int length, char* first, char* last) {
    if (length > last - first) return {last, errc::value_too_large};
    memcpy(first, text, static_cast<size_t>(length));
    return {first + length, errc()};
}

}  // namespace claybox_gaps

template <class T, enable_if_t<is_floating_point_v<T>, int> = 0>
from_chars_result from_chars(const char* first, const char* last, T& value) {
    const char* const end = claybox_gaps::number_end(first, last);
    if (end == first) return {first, errc::invalid_argument};
    const string text(first, end);
    const T read = claybox_gaps::read<T>(text.c_str());
    const size_t other = text.find_first_not_of("-0.");
    const bool is_zero = other == string::npos || text[other] == 'e' || text[other] == 'E';
    if (read - read != 0 || (read == 0 && !is_zero)) return {end, errc::result_out_of_range};
    value = read;
    return {end, errc()};
}

inline to_chars_result to_chars(char* first, char* last, double value, chars_format, int precision) {
    char text[400];
    const int length = snprintf(text, sizeof text, "%.*f", precision, value);
    return claybox_gaps::copy(text, length, first, last);
}

/// The shortest text that reads back as the same number; of equally short ones that without an exponent.
template <class T, enable_if_t<is_floating_point_v<T>, int> = 0>
to_chars_result to_chars(char* first, char* last, T value) {
    char scientific[40], fixed[400];
    int length = 0, digits = 0;
    do {
        length = snprintf(scientific, sizeof scientific, "%.*e", digits, static_cast<double>(value));
    } while (claybox_gaps::read<T>(scientific) != value && ++digits < 17 && value == value);
    const char* const e = strchr(scientific, 'e');
    const int exponent = e != nullptr ? atoi(e + 1) : 0;
    if (e == nullptr || exponent > 40) return claybox_gaps::copy(scientific, length, first, last);
    const int plain = snprintf(fixed, sizeof fixed, "%.*f", digits > exponent ? digits - exponent : 0,
                               static_cast<double>(value));
    return plain <= length ? claybox_gaps::copy(fixed, plain, first, last)
                           : claybox_gaps::copy(scientific, length, first, last);
}

}  // namespace std
