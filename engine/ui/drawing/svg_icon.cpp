#include "engine/ui/drawing/svg_icon.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace claybox::engine {
namespace {

constexpr std::size_t kMaxShapes = 100, kMaxSteps = 1000;
constexpr float kMaxIconCoordinate = 48;  // twice the box: a larger number is a mistake

bool is_svg_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string quoted_svg(std::string_view text) {
    std::string out = "'";
    for (const char c : text.substr(0, 40)) out += c >= 0x20 && c < 0x7f ? c : '?';
    return out + "'";
}

/// Reads numbers and letters separated by blanks and commas.
class SvgScanner {
  public:
    explicit SvgScanner(std::string_view text) : rest_(text) {}
    bool at_end() {
        skip();
        return rest_.empty();
    }
    /// The next character if it is a letter.
    std::optional<char> letter() {
        if (at_end()) return std::nullopt;
        const char c = rest_.front();
        if ((c < 'A' || c > 'Z') && (c < 'a' || c > 'z')) return std::nullopt;
        rest_.remove_prefix(1);
        return c;
    }
    bool number(float& out) {
        skip();
        const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), out);
        if (code != std::errc{} || !(std::abs(out) <= kMaxIconCoordinate)) return false;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return true;
    }
    std::string_view rest() const { return rest_; }

  private:
    void skip() {
        while (!rest_.empty() && (is_svg_space(rest_.front()) || rest_.front() == ','))
            rest_.remove_prefix(1);
    }
    std::string_view rest_;
};

using SvgAttribute = std::pair<std::string_view, std::string_view>;

class SvgReader {
  public:
    SvgReader(std::string_view text, std::vector<IconShape>& shapes) : text_(text), shapes_(shapes) {}

    bool read(std::string& error) {
        shapes_.clear();
        const bool good = read_document();
        if (!good) {
            const auto line =
                1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
            error = std::to_string(line) + ": " + error_;
            shapes_.clear();
        }
        return good;
    }

  private:
    bool fail(std::string what) {
        error_ = std::move(what);
        return false;
    }
    std::string_view rest() const { return text_.substr(at_); }
    void skip_space() {
        while (at_ < text_.size() && is_svg_space(text_[at_])) ++at_;
    }
    /// Skips blanks and comments. False for a comment without an end.
    bool skip_comments() {
        for (skip_space(); rest().starts_with("<!--"); skip_space()) {
            const std::size_t end = text_.find("-->", at_ + 4);
            if (end == std::string_view::npos) return fail("a comment has no end, expected '-->'");
            at_ = end + 3;
        }
        return true;
    }
    bool read_document() {
        std::string_view name;
        std::vector<SvgAttribute> attributes;
        bool empty = false;
        if (!skip_comments()) return false;
        if (!read_tag(name, attributes, empty)) return false;
        if (name != "svg" || empty)
            return fail("found " + quoted_svg(name) + ", expected an <svg> with shapes");
        if (!read_root(attributes)) return false;
        for (;;) {
            if (!skip_comments()) return false;
            if (rest().starts_with("</svg>")) break;
            if (!read_tag(name, attributes, empty)) return false;
            if (!empty) return fail("<" + std::string(name) + "> has no '/>'");
            if (!read_shape(name, attributes)) return false;
        }
        at_ += std::string_view("</svg>").size();
        if (!skip_comments()) return false;
        if (at_ != text_.size()) return fail("found text after </svg>");
        return !shapes_.empty() || fail("found no shape, expected a path, circle or rect");
    }
    /// Reads "<name a="b" ...>" or, `empty`, "<name a="b" .../>".
    bool read_tag(std::string_view& name, std::vector<SvgAttribute>& attributes, bool& empty) {
        if (!rest().starts_with("<")) return fail("expected a tag, the file may be cut off");
        ++at_;
        name = read_name();
        if (name.empty()) return fail("expected the name of a tag");
        attributes.clear();
        for (;;) {
            skip_space();
            empty = rest().starts_with("/>");
            if (empty || rest().starts_with(">")) break;
            SvgAttribute attribute{read_name(), {}};
            const std::size_t begin = at_ + 2;
            if (attribute.first.empty() || !rest().starts_with("=\"")) return fail("expected name=\"value\"");
            const std::size_t end = text_.find('"', begin);
            if (end == std::string_view::npos) return fail("a value has no closing quotation mark");
            attribute.second = text_.substr(begin, end - begin);
            at_ = end + 1;
            attributes.push_back(attribute);
        }
        at_ += empty ? 2 : 1;
        return true;
    }
    std::string_view read_name() {
        const std::size_t begin = at_;
        const auto good = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        };
        while (at_ < text_.size() && good(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    bool read_root(const std::vector<SvgAttribute>& attributes) {
        bool boxed = false;
        for (const auto& [name, value] : attributes) {
            if (name == "viewBox") boxed = value == "0 0 24 24";
            if (name == "stroke-width" && !read_number(name, value, width_)) return false;
            constexpr std::string_view kKnown[] = {"xmlns", "width",  "height",      "viewBox",
                                                   "fill",  "stroke", "stroke-width"};
            if (std::find(std::begin(kKnown), std::end(kKnown), name) == std::end(kKnown))
                return fail("the attribute " + quoted_svg(name) + " of <svg> is not supported");
        }
        return boxed || fail("expected viewBox=\"0 0 24 24\"");
    }
    bool read_number(std::string_view name, std::string_view value, float& out) {
        SvgScanner scanner(value);
        if (scanner.number(out) && scanner.at_end()) return true;
        return fail(std::string(name) + "=" + quoted_svg(value) + ": expected a number of at most 48");
    }
    bool read_shape(std::string_view tag, const std::vector<SvgAttribute>& attributes) {
        IconShape shape;
        shape.stroke = width_;
        std::string_view path;
        float x = 0, y = 0, width = 0, height = 0, cx = 0, cy = 0, r = 0, rx = 0;
        const std::pair<std::string_view, float*> circle[] = {{"cx", &cx}, {"cy", &cy}, {"r", &r}};
        const std::pair<std::string_view, float*> rectangle[] = {
            {"x", &x}, {"y", &y}, {"width", &width}, {"height", &height}, {"rx", &rx}};
        std::span<const std::pair<std::string_view, float*>> numbers;
        if (tag == "circle") numbers = circle;
        if (tag == "rect") numbers = rectangle;
        if (numbers.empty() && tag != "path")
            return fail("found <" + std::string(tag) + ">, expected path, circle or rect");
        for (const auto& [name, value] : attributes) {
            const auto number = std::find_if(numbers.begin(), numbers.end(),
                                             [&known = name](const auto& n) { return n.first == known; });
            if (number != numbers.end()) {
                if (!read_number(name, value, *number->second)) return false;
            } else if (name == "d" && tag == "path") {
                path = value;
            } else if (name == "fill") {
                shape.filled = value != "none";
            } else if (name != "stroke") {
                return fail("the attribute " + quoted_svg(name) + " of <" + std::string(tag) +
                            "> is not supported");
            }
        }
        if (tag == "path") return read_path(path, shape);
        shape.kind = tag == "circle" ? IconShape::Kind::circle : IconShape::Kind::rectangle;
        if (tag == "circle")
            shape.numbers = {cx, cy, r};
        else
            shape.numbers = {x, y, x + width, y + height, rx};
        if (tag == "circle" ? r <= 0 : width <= 0 || height <= 0 || rx < 0)
            return fail("expected a size above 0");
        return add(std::move(shape));
    }
    bool add(IconShape shape) {
        if (shapes_.size() == kMaxShapes) return fail("expected at most 100 shapes");
        shapes_.push_back(std::move(shape));
        return true;
    }
    /// Absolute M, L, C and Z. Numbers after the first pair of M, and after L and C, repeat L or C.
    bool read_path(std::string_view d, IconShape shape) {
        SvgScanner scanner(d);
        const IconShape fresh = shape;
        bool open = false;
        char command = 0;
        while (!scanner.at_end()) {
            const auto letter = scanner.letter();
            if (letter) command = *letter;
            const bool repeated = !letter;
            if (command == 'M' && !repeated) {
                if (open && !finish(shape)) return false;
                shape = fresh;
                if (!read_point(scanner, shape.start)) return false;
                open = true;
                command = 'L';
                if (scanner.at_end()) break;
                continue;
            }
            if (!open) return fail("a path begins with " + quoted_svg(d) + ", expected M");
            if (command == 'Z' && !repeated) {
                shape.closed = true;
                if (!finish(shape)) return false;
                open = false;
                continue;
            }
            if (command != 'L' && command != 'C')
                return fail("found " + quoted_svg(scanner.rest()) +
                            " in a path, expected absolute M, L, C and Z");
            if (shape.steps.size() == kMaxSteps) return fail("expected at most 1000 steps in a path");
            IconShape::Step& step = shape.steps.emplace_back();
            step.curve = command == 'C';
            if (step.curve &&
                !(read_point(scanner, step.from_control) && read_point(scanner, step.to_control)))
                return false;
            if (!read_point(scanner, step.to)) return false;
        }
        return !open || finish(shape);
    }
    bool finish(IconShape& shape) {
        return !shape.steps.empty() ? add(std::move(shape)) : fail("a path has one point, expected two");
    }
    bool read_point(SvgScanner& scanner, std::array<float, 2>& out) {
        return (scanner.number(out[0]) && scanner.number(out[1])) ||
               fail("found " + quoted_svg(scanner.rest()) +
                    " in a path, expected a pair of numbers of at most 48");
    }

    std::string_view text_;
    std::vector<IconShape>& shapes_;
    std::size_t at_ = 0;
    float width_ = 1.6f;
    std::string error_;
};

}  // namespace

bool parse_icon(std::string_view text, std::vector<IconShape>& shapes, std::string& error) {
    return SvgReader(text, shapes).read(error);
}

}  // namespace claybox::engine
