#include "app/cli/commands/query_scan.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace claybox::app {

using namespace collision;

namespace {

/// Reads JSON from left to right. Every function is false, and ends the scan, where something unusual comes.
class Scanner {
  public:
    using Known = FunctionRef<PreparedShape*(std::string_view)>;
    Scanner(std::string_view text, Known known) : at_(text.data()), end_(at_ + text.size()), known_(known) {}

    bool line(QueryLine& out) {
        unsigned needed = 0;
        const bool whole = members(0, [&](std::string_view key) {
            if (key == "id") return id(out.id);
            if (key == "a") return ++needed && side(out.a);
            if (key == "b") return ++needed && side(out.b);
            if (key == "matrix_a") return ++needed && matrix(out.a.world_from_body);
            if (key == "matrix_b") return ++needed && matrix(out.b.world_from_body);
            const bool of_motion = key.starts_with("matrix_") || key.starts_with("screw_");
            return !of_motion && other(1);
        });
        skip_space();
        return whole && at_ == end_ && needed == 4;
    }

  private:
    static constexpr unsigned kMaxDepth = 8;
    static constexpr std::size_t kMaxMembers = 24;
    static constexpr std::ptrdiff_t kMaxDigits = 19;  ///< that fit an integer of 64 bits
    static constexpr std::uint64_t kMaxExact = std::uint64_t{1} << 53;
    /// Up to kMaxDigits. All are doubles, up to 1e22.
    static constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                              1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

    void skip_space() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
    }
    bool take(char sign) {
        skip_space();
        if (at_ == end_ || *at_ != sign) return false;
        ++at_;
        return true;
    }
    /// An object with different keys; `value` reads the value of a key.
    template <class Value>
    bool members(unsigned depth, Value&& value) {
        if (depth > kMaxDepth || !take('{')) return false;
        if (take('}')) return true;
        std::array<std::string_view, kMaxMembers> keys;
        std::size_t count = 0;
        do {
            std::string_view key;
            if (count == kMaxMembers || !text(key)) return false;
            for (std::size_t i = 0; i < count; ++i)
                if (keys[i] == key) return false;
            keys[count++] = key;
            if (!take(':') || !value(key)) return false;
        } while (take(','));
        return take('}');
    }
    /// A value that the query does not depend on.
    bool other(unsigned depth) {
        skip_space();
        if (at_ == end_ || depth > kMaxDepth) return false;
        double unused = 0;
        std::string_view word;
        switch (*at_) {
            case '{':
                return members(depth, [&](std::string_view) { return other(depth + 1); });
            case '[':
                ++at_;
                if (take(']')) return true;
                do {
                    if (!other(depth + 1)) return false;
                } while (take(','));
                return take(']');
            case '"':
                return text(word);
            case 't':
                return literal("true");
            case 'f':
                return literal("false");
            case 'n':
                return literal("null");
            default:
                return number(unused);
        }
    }
    bool literal(std::string_view word) {
        if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    /// Printable ASCII without escapes.
    bool text(std::string_view& out) {
        if (!take('"')) return false;
        const char* const first = at_;
        while (at_ != end_ && *at_ != '"') {
            if (*at_ < 0x20 || *at_ > 0x7e || *at_ == '\\') return false;
            ++at_;
        }
        out = {first, static_cast<std::size_t>(at_ - first)};
        return take('"');
    }
    bool id(nlohmann::json& out) {
        std::string_view found;
        if (!text(found)) return false;
        out = found;
        return true;
    }
    /// Appends the digits to an integer, which is right for up to 19 of them. False if there are none.
    bool digits(std::uint64_t& integer) {
        const char* const first = at_;
        for (; at_ != end_ && *at_ >= '0' && *at_ <= '9'; ++at_)
            integer = 10 * integer + static_cast<std::uint64_t>(*at_ - '0');
        return at_ != first;
    }
    /// A number as it stands in the text, without its exponent.
    struct Decimal {
        std::uint64_t integer = 0;             ///< all digits without the point
        std::ptrdiff_t count = 0, places = 0;  ///< of digits, and of those after the point
        bool negative = false, has_exponent = false;
    };
    bool decimal(Decimal& out) {
        out.negative = at_ != end_ && *at_ == '-';
        if (out.negative) ++at_;
        const char* const whole = at_;
        if (!digits(out.integer) || (*whole == '0' && at_ - whole > 1)) return false;
        out.count = at_ - whole;
        if (at_ != end_ && *at_ == '.') {
            const char* const point = at_++;
            if (!digits(out.integer)) return false;
            out.places = at_ - point - 1;
            out.count += out.places;
        }
        out.has_exponent = at_ != end_ && (*at_ == 'e' || *at_ == 'E');
        if (!out.has_exponent) return true;
        ++at_;
        if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
        std::uint64_t unused = 0;
        return digits(unused);
    }
    bool number(double& out) {
        skip_space();
        const char* const first = at_;
        Decimal read;
        if (!decimal(read)) return false;
        if (!read.has_exponent && read.count <= kMaxDigits && read.integer <= kMaxExact) {
            // Both operands are exact, so the quotient is the nearest double.
            out = static_cast<double>(read.integer) / kPowersOfTen[read.places];
            if (read.negative) out = -out;
        } else {
            const auto [stop, code] = std::from_chars(first, at_, out);
            if (code != std::errc{} || stop != at_) return false;
        }
        const bool is_integer = read.places == 0 && !read.has_exponent;
        if (is_integer && out == 0) out = 0;  // the integer -0 has no sign
        return true;
    }
    /// The nearest float of the nearest double, as the strict parser takes it.
    bool coordinate(float& out) {
        double value = 0;
        if (!number(value) || !(std::abs(value) <= kMaxMagnitude)) return false;
        out = static_cast<float>(value);
        return true;
    }
    bool matrix(Matrix34f& out) {
        if (!take('[')) return false;
        for (std::size_t i = 0; i < 12; ++i)
            if ((i > 0 && !take(',')) || !coordinate(out.m[i])) return false;
        return take(']');
    }
    bool points(std::vector<Vec3f>& out) {
        if (!take('[')) return false;
        do {
            Vec3f& p = out.emplace_back();
            if (!take('[') || !coordinate(p.x) || !take(',') || !coordinate(p.y) || !take(',') ||
                !coordinate(p.z) || !take(']'))
                return false;
        } while (out.size() < kMaxQueryPoints && take(','));
        return take(']');
    }
    /// Text that ends at the same place and was read as points before means the same points.
    bool points_or_hull(QuerySide& out) {
        skip_space();
        const char* const first = at_;
        const std::string_view rest(first, static_cast<std::size_t>(end_ - first));
        const std::size_t last = rest.find("]]");
        if (last != std::string_view::npos) out.known = known_(rest.substr(0, last + 2));
        if (out.known != nullptr) {
            at_ += last + 2;
            return true;
        }
        if (!points(out.points)) return false;
        if (last != std::string_view::npos && at_ == first + last + 2)
            out.points_text = rest.substr(0, last + 2);
        return true;
    }
    /// {"kind":"vertices","points":[...]} or {"mesh":"..."}
    bool side(QuerySide& out) {
        bool kind = false;
        const bool whole = members(1, [&](std::string_view key) {
            std::string_view value;
            if (key == "kind") return kind = text(value) && value == "vertices";
            if (key == "points") return points_or_hull(out);
            if (key != "mesh" || !text(value)) return false;
            out.mesh = value;
            return is_plain_name(out.mesh);
        });
        const bool hull = out.known != nullptr || !out.points.empty();
        return whole && (out.mesh.empty() ? kind && hull : !kind && !hull);
    }

    const char *at_, *end_;
    Known known_;
};

}  // namespace

std::optional<QueryLine> scan_query_line(std::string_view text, Scanner::Known known) {
    std::optional<QueryLine> out(std::in_place);
    if (!Scanner(text, known).line(*out)) out.reset();
    return out;
}

std::optional<QueryLine> scan_query_line(std::string_view text) {
    return scan_query_line(text, [](std::string_view) -> PreparedShape* { return nullptr; });
}

}  // namespace claybox::app
