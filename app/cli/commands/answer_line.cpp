#include "app/cli/commands/answer_line.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace claybox::app {

void AnswerLine::name(std::string_view key) {
    if (out_.back() != '{') out_ += ',';
    out_ += '"';
    out_ += key;
    out_ += "\":";
}

void AnswerLine::decimal(double value) {
    if (!std::isfinite(value)) {
        out_ += "null";
        return;
    }
    char text[32];
    const auto size = static_cast<std::size_t>(std::to_chars(text, text + sizeof text, value).ptr - text);
    const std::string_view written(text, size);
    out_ += written;
    if (written.find_first_not_of("-0123456789") == std::string_view::npos) out_ += ".0";
}

void AnswerLine::word(std::string_view key, std::string_view value) {
    name(key);
    out_ += '"';
    out_ += value;
    out_ += '"';
}

void AnswerLine::truth(std::string_view key, bool value) {
    name(key);
    out_ += value ? "true" : "false";
}

void AnswerLine::integer(std::string_view key, std::uint64_t value) {
    name(key);
    char text[24];
    out_.append(text, static_cast<std::size_t>(std::to_chars(text, text + sizeof text, value).ptr - text));
}

void AnswerLine::number(std::string_view key, double value) {
    name(key);
    decimal(value);
}

void AnswerLine::point(std::string_view key, const collision::Vec3d& value) {
    name(key);
    out_ += '[';
    decimal(value.x);
    out_ += ',';
    decimal(value.y);
    out_ += ',';
    decimal(value.z);
    out_ += ']';
}

void AnswerLine::value(std::string_view key, const nlohmann::json& value) {
    const auto is_plain = [](const std::string& text) {
        return std::all_of(text.begin(), text.end(),
                           [](char c) { return c >= 0x20 && c <= 0x7e && c != '"' && c != '\\'; });
    };
    if (value.is_string() && is_plain(value.get_ref<const std::string&>())) {
        word(key, value.get_ref<const std::string&>());
        return;
    }
    name(key);
    out_ += value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void AnswerLine::open(std::string_view key) {
    name(key);
    out_ += '{';
}

}  // namespace claybox::app
