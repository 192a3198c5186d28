#include "engine/input/mapping/device_map.hpp"

#include "engine/files/byte_order_mark.hpp"

#include <algorithm>
#include <charconv>

namespace claybox::engine {

namespace {

constexpr std::size_t kMaxLines = 1000, kMaxLineLength = 2000, kMaxTerms = 16, kMaxSteps = 16;
constexpr double kMaxNumber = 1e6;

struct StepWord {
    const char* word;
    StepKind kind;
    int min_count, max_count;     ///< how many numbers follow
    double min_value, max_value;  ///< their range
    const char* expected;
};

constexpr StepWord kSteps[] = {
    {"scale", StepKind::scale, 1, 1, -kMaxNumber, kMaxNumber, "a number after 'scale'"},
    {"offset", StepKind::offset, 1, 3, -kMaxNumber, kMaxNumber, "one or three numbers after 'offset'"},
    {"rate", StepKind::rate, 1, 1, -kMaxNumber, kMaxNumber, "a number after 'rate'"},
    {"invert", StepKind::invert, 0, 0, 0, 0, ""},
    {"deadzone", StepKind::deadzone, 1, 1, 0, 0.99, "a number from 0 to 0.99 after 'deadzone'"},
    {"above", StepKind::above, 1, 1, -kMaxNumber, kMaxNumber, "a number after 'above'"},
    {"below", StepKind::below, 1, 1, -kMaxNumber, kMaxNumber, "a number after 'below'"},
    {"hold", StepKind::hold, 1, 1, 0, 60, "seconds from 0 to 60 after 'hold'"},
    {"toggle", StepKind::toggle, 0, 0, 0, 0, ""},
    {"steps", StepKind::steps, 1, 1, 2, 1000, "a whole number from 2 to 1000 after 'steps'"},
};

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

/// Iterates over words separated by blanks.
class Words {
  public:
    explicit Words(std::string_view text) : rest_(trimmed(text)) {}
    bool at_end() const { return rest_.empty(); }
    std::string_view peek() const { return rest_.substr(0, length()); }
    std::string_view next() {
        const std::string_view word = peek();
        rest_ = trimmed(rest_.substr(word.size()));
        return word;
    }

  private:
    std::size_t length() const {
        return static_cast<std::size_t>(std::find_if(rest_.begin(), rest_.end(), is_space) - rest_.begin());
    }
    std::string_view rest_;
};

std::optional<double> number_of(std::string_view word) {
    double out = 0;
    const char* const end = word.data() + word.size();
    const auto [at, code] = std::from_chars(word.data(), end, out);
    if (code != std::errc{} || at != end || !(out >= -kMaxNumber && out <= kMaxNumber)) return std::nullopt;
    return out;
}

std::string in_quotes(std::string_view word) {
    return "'" + std::string(word) + "'";
}

std::string modifiers() {
    std::string out;
    for (const StepWord& step : kSteps) out += std::string(step.word) + ", ";
    return out + "axis, plus, minus or with";
}

bool parse_ref(std::string_view word, MapRef& out, std::string& error) {
    out.logical = word.starts_with('@');
    if (out.logical) word.remove_prefix(1);
    const std::size_t dot = word.find('.');
    const bool good =
        out.logical ? !word.empty() : dot != std::string_view::npos && dot > 0 && dot + 1 < word.size();
    if (!good) {
        error = "expected source.channel or @device instead of " + in_quotes(word);
        return false;
    }
    out.text = word;
    return true;
}

bool parse_axis(Words& words, MapStep& out, std::string& error) {
    constexpr std::string_view kAxes = "xyz";
    const std::string_view word = words.at_end() ? std::string_view() : words.next();
    const std::size_t axis = word.size() == 1 ? kAxes.find(word[0]) : std::string_view::npos;
    if (axis == std::string_view::npos) {
        error = "expected x, y or z after 'axis'";
        return false;
    }
    out = {StepKind::axis, {static_cast<double>(axis)}, 1};
    return true;
}

bool parse_numbers(Words& words, const StepWord& known, MapStep& out, std::string& error) {
    while (out.count < known.max_count && !words.at_end()) {
        const auto number = number_of(words.peek());
        if (!number) break;
        words.next();
        out.number[static_cast<std::size_t>(out.count++)] = *number;
    }
    const bool whole = known.kind != StepKind::steps || out.number[0] == static_cast<int>(out.number[0]);
    const bool within = std::all_of(out.number.begin(), out.number.begin() + out.count,
                                    [&](double n) { return n >= known.min_value && n <= known.max_value; });
    if (out.count >= known.min_count && out.count != 2 && whole && within) return true;
    error = std::string("expected ") + known.expected;
    return false;
}

/// "above 0.7 below 0.4" is one step: the second number is the release level.
bool join_levels(const MapStep& step, std::vector<MapStep>& steps, std::string& error) {
    if (steps.empty()) return false;
    MapStep& before = steps.back();
    const bool pair = (before.kind == StepKind::above && step.kind == StepKind::below) ||
                      (before.kind == StepKind::below && step.kind == StepKind::above);
    if (!pair || before.count != 1) return false;
    before.number[1] = step.number[0];
    before.count = 2;
    const bool apart = before.kind == StepKind::above ? before.number[1] <= before.number[0]
                                                      : before.number[1] >= before.number[0];
    if (!apart) error = "expected the release level on the other side of the press level";
    return true;
}

bool parse_step(Words& words, std::vector<MapStep>& steps, std::string& error) {
    const std::string_view word = words.next();
    MapStep step;
    const auto known =
        std::find_if(std::begin(kSteps), std::end(kSteps), [&](const StepWord& s) { return word == s.word; });
    if (word == "axis") {
        if (!parse_axis(words, step, error)) return false;
    } else if (known == std::end(kSteps)) {
        error = "expected " + modifiers() + " instead of " + in_quotes(word);
        return false;
    } else {
        step.kind = known->kind;
        if (!parse_numbers(words, *known, step, error)) return false;
    }
    if (join_levels(step, steps, error)) return error.empty();
    if (steps.size() == kMaxSteps) {
        error = "expected at most 16 modifiers";
        return false;
    }
    steps.push_back(step);
    return true;
}

bool parse_term(std::string_view text, MapTerm& out, std::string& error) {
    Words words(text);
    if (words.at_end()) {
        error = "expected a source on both sides of '|'";
        return false;
    }
    if (!parse_ref(words.next(), out.first, error)) return false;
    const std::string_view join = words.peek();
    out.join = join == "plus"    ? MapJoin::plus
               : join == "minus" ? MapJoin::minus
               : join == "with"  ? MapJoin::with
                                 : MapJoin::none;
    if (out.join != MapJoin::none) {
        words.next();
        if (words.at_end()) {
            error = "expected a second source after " + in_quotes(join);
            return false;
        }
        if (!parse_ref(words.next(), out.second, error)) return false;
    }
    while (!words.at_end())
        if (!parse_step(words, out.steps, error)) return false;
    return true;
}

bool is_device_name(std::string_view name) {
    const auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && name.size() <= 40 && name[0] >= 'a' &&
           std::all_of(name.begin(), name.end(), good);
}

std::string_view without_comment(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i)
        if (line[i] == '#' && (i == 0 || is_space(line[i - 1]))) return line.substr(0, i);
    return line;
}

bool parse_line(std::string_view text, MapLine& out, std::string& error) {
    const std::size_t equals = text.find('=');
    Words left(text.substr(0, std::min(equals, text.size())));
    const std::string_view word = left.next();
    const auto type = device_class(word);
    if (!type) {
        error = "expected button, choice, value, location, orientation, space or hand instead of " +
                in_quotes(word);
        return false;
    }
    const std::string_view name = left.at_end() ? std::string_view() : left.next();
    if (!is_device_name(name)) {
        error = "expected a name of small letters, digits and '_' after " + in_quotes(word);
        return false;
    }
    if (equals == std::string_view::npos || !left.at_end()) {
        error = "expected '=' after " + in_quotes(name);
        return false;
    }
    out.type = *type;
    out.name = name;
    out.mapping = trimmed(text.substr(equals + 1));
    return parse_mapping(out.mapping, out.terms, error);
}

}  // namespace

bool parse_mapping(std::string_view mapping, std::vector<MapTerm>& terms, std::string& error) {
    terms.clear();
    error.clear();
    mapping = trimmed(without_comment(mapping));
    if (mapping == "none") return true;
    if (mapping.empty() || mapping.size() > kMaxLineLength) {
        error = mapping.empty() ? "expected source.channel, @device or none after '='"
                                : "expected at most 2000 letters";
        return false;
    }
    for (bool more = true; more;) {
        const std::size_t bar = mapping.find('|');
        more = bar != std::string_view::npos;
        if (terms.size() == kMaxTerms) {
            error = "expected at most 16 sources";
            return false;
        }
        if (!parse_term(mapping.substr(0, bar), terms.emplace_back(), error)) return false;
        mapping.remove_prefix(more ? bar + 1 : mapping.size());
    }
    return true;
}

bool parse_map(std::string_view text, std::vector<MapLine>& lines, std::size_t& line, std::string& error) {
    lines.clear();
    text = without_byte_order_mark(text);
    for (line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view content = trimmed(without_comment(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (content.empty()) continue;
        if (content.size() > kMaxLineLength || lines.size() == kMaxLines) {
            error = lines.size() == kMaxLines ? "expected at most 1000 devices"
                                              : "expected at most 2000 letters in a line";
            return false;
        }
        MapLine parsed;
        if (!parse_line(content, parsed, error)) return false;
        for (const MapLine& other : lines)
            if (other.name == parsed.name) {
                error = "expected one line for " + in_quotes(parsed.name) + ", line " +
                        std::to_string(other.number) + " is another";
                return false;
            }
        parsed.number = line;
        lines.push_back(std::move(parsed));
    }
    return true;
}

}  // namespace claybox::engine
