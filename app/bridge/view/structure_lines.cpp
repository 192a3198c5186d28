#include "app/bridge/view/structure_lines.hpp"

#include "app/bridge/view/palette.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

constexpr float kMinPixels = 3,
                kClearPixels = 24;  // size of a box: left out below the first, opaque above the second
constexpr float kFaint = 0.18f, kStrong = 0.75f, kBar = 0.85f;

glm::vec3 corner(const collision::Aabb& box, unsigned i) {
    return {i & 1u ? box.max.x : box.min.x, i & 2u ? box.max.y : box.min.y, i & 4u ? box.max.z : box.min.z};
}

/// Approximate length of the box's longest side in the picture; 0 if its centre is behind the camera.
float pixels(const collision::Aabb& box, const StructureLook& look) {
    const glm::mat4& m = look.clip_from_world;
    const collision::Vec3f c = box.centre(), size = box.max - box.min;
    const float depth = m[0][3] * c.x + m[1][3] * c.y + m[2][3] * c.z + m[3][3];
    if (!(depth > 0)) return 0;
    const float per_metre = 0.5f * look.height * std::hypot(m[0][1], m[1][1], m[2][1]) / depth;
    return per_metre * std::max({size.x, size.y, size.z});
}

bool is_interval(const collision::Aabb& box) {
    const collision::Vec3f size = box.max - box.min;
    return (size.x == 0) + (size.y == 0) + (size.z == 0) >= 2;
}

}  // namespace

void add_structure_lines(std::span<const collision::ViewBox> boxes, const StructureLook& look,
                         std::vector<engine::Line>& out) {
    // Many boxes overlap in the picture: each is fainter, so that the bodies stay visible.
    constexpr float kFew = 400;
    const float thin = std::min(1.0f, std::sqrt(kFew / std::max(1.0f, static_cast<float>(boxes.size()))));
    for (const auto& [box, level] : boxes) {
        const bool interval = is_interval(box);
        const float size = pixels(box, look);
        if (size < (interval ? 0.5f : kMinPixels)) continue;
        const float share = std::clamp((size - kMinPixels) / (kClearPixels - kMinPixels), 0.0f, 1.0f);
        const float alpha = interval ? kBar : thin * (kFaint + (kStrong - kFaint) * share);
        engine::Line line{
            {}, {}, glm::vec4(look.loads ? load_rgb(level, look.dark) : level_rgb(level, look.dark), alpha)};
        line.width = interval ? 1.5f : 1.0f;
        line.hidden_alpha = 0.35f;
        if (interval) {
            line.from = corner(box, 0);
            line.to = corner(box, 7);
            out.push_back(line);
            continue;
        }
        for (unsigned i = 0; i < 8; ++i)
            for (const unsigned bit : {1u, 2u, 4u}) {
                if (i & bit) continue;
                line.from = corner(box, i);
                line.to = corner(box, i | bit);
                out.push_back(line);
            }
    }
}

void add_box_corners(std::span<const collision::Aabb> boxes, const StructureLook& look,
                     std::vector<engine::Line>& out) {
    constexpr float kShare = 0.22f, kLeast = 6;  // of an edge; pixels of a box
    engine::Line line{{}, {}, glm::vec4(ink_rgb(Ink::witness, look.dark), 0.9f)};
    line.width = 1.5f;
    line.hidden_alpha = 0.35f;
    for (const collision::Aabb& box : boxes) {
        if (pixels(box, look) < kLeast) continue;
        for (unsigned i = 0; i < 8; ++i)
            for (const unsigned bit : {1u, 2u, 4u}) {
                line.from = corner(box, i);
                line.to = glm::mix(line.from, corner(box, i ^ bit), kShare);
                out.push_back(line);
            }
    }
}

}  // namespace claybox::app
