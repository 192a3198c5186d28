#include "engine/ui/drawing/dashes.hpp"

#include <cmath>

namespace claybox::engine {
namespace {

/// Lengths of dash, gap, dash, gap, in units. Dots are as long as the line is wide.
constexpr float kPatterns[kDashKinds][4] = {{1, 0, 1, 0}, {8, 4, 8, 4}, {1.5f, 3, 1.5f, 3}, {9, 3, 1.5f, 3}};

/// Place in a pattern while walking along a line.
struct DashWalk {
    const float* pattern;
    float unit;
    std::size_t part = 0;
    float left = pattern[0] * unit;  ///< of this part, pixels

    bool is_dash() const { return part % 2 == 0; }
    void advance(float length) {
        left -= length;
        if (left > 1e-3f) return;
        part = (part + 1) % 4;
        left = pattern[part] * unit;
    }
};

}  // namespace

void draw_dashed(Ui& ui, ImDrawList& list, std::span<const ImVec2> line, Dashes dashes, Colour colour,
                 float width_units) {
    const float width = ui.px(width_units);
    if (dashes == Dashes::solid) {
        if (line.size() > 1) list.AddPolyline(line.data(), static_cast<int>(line.size()), colour, 0, width);
        return;
    }
    DashWalk walk{kPatterns[static_cast<std::size_t>(dashes)], ui.scale()};
    for (std::size_t i = 1; i < line.size(); ++i) {
        const ImVec2 from = line[i - 1], to = line[i];
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        for (float at = 0; at < length;) {
            const float step = std::min(walk.left, length - at), end = at + step;
            const auto place = [&](float t) {
                return ImVec2{from.x + (to.x - from.x) * t / length, from.y + (to.y - from.y) * t / length};
            };
            if (walk.is_dash()) list.AddLine(place(at), place(end), colour, width);
            at = end;
            walk.advance(step);
        }
    }
}

}  // namespace claybox::engine
