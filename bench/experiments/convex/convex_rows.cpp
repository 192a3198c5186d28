#include "bench/experiments/convex/convex_rows.hpp"

#include "bench/experiments/shared/pattern.hpp"

#include <algorithm>
#include <cstdio>
#include <span>

namespace claybox::bench {

using namespace collision;

namespace {

struct Shape {
    const char* id;
    Primitive primitive;
};
constexpr Shape kShapes[] = {
    {"ellipsoid", Primitive::ellipsoid_hull}, {"rod", Primitive::rod_hull}, {"plate", Primitive::plate_hull}};

/// One number of a pattern: its range, and its values if omitted.
struct Part {
    double min, max;
    bool whole;
    std::vector<double> defaults;
};

std::string format_value(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", v);
    return text;
}

/// The values of a part of the pattern; empty if it is invalid.
std::vector<double> values_of(const std::vector<std::string>& words, std::size_t at, const Part& part) {
    if (at >= words.size() || words[at] == "*") return part.defaults;
    double value = 0;
    const bool good = part.whole ? parse_whole(words[at], part.min, part.max, value)
                                 : parse_number(words[at], part.min, part.max, value);
    return good ? std::vector<double>{value} : std::vector<double>{};
}

/// Adds the rows of one pattern; false if it is invalid.
bool add_rows(const std::string& pattern, std::span<const Part> parts, std::vector<ConvexRow>& out) {
    const std::vector<std::string> words = split(pattern);
    if (words.size() > 4) return false;
    const std::vector<double> vertices = values_of(words, 1, parts[0]), steps = values_of(words, 2, parts[1]),
                              turns = values_of(words, 3, parts[2]);
    if (vertices.empty() || steps.empty() || turns.empty()) return false;
    bool known = false;
    for (const Shape& shape : kShapes) {
        if (words[0] != shape.id && words[0] != "*") continue;
        known = true;
        for (const double n : vertices)
            for (const double step : steps)
                for (const double turn : turns) {
                    const ConvexRow row{shape.primitive, static_cast<std::uint32_t>(n), step, turn};
                    if (std::find(out.begin(), out.end(), row) == out.end()) out.push_back(row);
                }
    }
    return known;
}

}  // namespace

std::string ConvexRow::shape() const {
    for (const Shape& s : kShapes)
        if (s.primitive == primitive) return s.id;
    return "";
}

std::string ConvexRow::name() const {
    return shape() + '/' + std::to_string(vertices) + '/' + format_value(step) + '/' + format_value(turn);
}

Result<std::vector<ConvexRow>> convex_rows(const std::vector<std::string>& patterns, bool quick) {
    const Part parts[] = {
        {10, 20000, true, quick ? std::vector<double>{20, 500} : std::vector<double>{20, 100, 500, 2000}},
        {0, 100, false, quick ? std::vector<double>{5} : std::vector<double>{2, 5, 20}},
        {0, 180, false, quick ? std::vector<double>{10} : std::vector<double>{5, 10, 40}}};
    std::vector<ConvexRow> out;
    if (patterns.empty()) add_rows("*", parts, out);
    for (const std::string& pattern : patterns)
        if (!add_rows(pattern, parts, out))
            return Error{"--rows " + pattern + ": expected " + kConvexRows, {}, 0};
    return out;
}

}  // namespace claybox::bench
