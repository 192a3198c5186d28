#include "collision/core/parameter.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace claybox::collision {

namespace {

std::string number_text(double v) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, v);
    return {buffer, end.ptr};
}

Error expected(const Parameter& p, std::string_view text, const std::string& what) {
    return Error{std::string("parameter ") + p.id + ": '" + std::string(text) + "' is not " + what, {}, 0};
}

Result<double> parse_choice(const Parameter& p, std::string_view text) {
    std::string names;
    for (std::size_t i = 0; i < p.choices.size(); ++i) {
        if (text == p.choices[i]) return static_cast<double>(i);
        names += (i == 0 ? "" : ", ") + std::string(p.choices[i]);
    }
    return expected(p, text, "one of " + names);
}

}  // namespace

ParameterValues default_values(std::span<const Parameter> table) {
    CLAYBOX_ASSERT(table.size() <= kMaxParameters);
    ParameterValues out;
    for (std::size_t i = 0; i < table.size(); ++i) out[i] = table[i].default_value;
    return out;
}

std::size_t find_parameter(std::span<const Parameter> table, std::string_view id) {
    std::size_t i = 0;
    while (i < table.size() && id != table[i].id) ++i;
    return i;
}

Result<double> parse_parameter(const Parameter& p, std::string_view text) {
    if (p.kind == ParameterKind::choice) return parse_choice(p, text);
    if (p.kind == ParameterKind::toggle) {
        if (text == "on" || text == "true" || text == "1") return 1.0;
        if (text == "off" || text == "false" || text == "0") return 0.0;
        return expected(p, text, "on or off");
    }
    double v = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), v);
    const bool whole = p.kind != ParameterKind::integer || v == std::floor(v);
    const bool good = end.ec == std::errc{} && end.ptr == text.data() + text.size() && whole;
    if (!good || !(v >= p.min && v <= p.max)) {
        const char* noun = p.kind == ParameterKind::integer ? "a whole number from " : "a number from ";
        return expected(p, text, noun + number_text(p.min) + " to " + number_text(p.max));
    }
    return v;
}

}  // namespace claybox::collision
