#include "app/potter/touch/effects.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace claybox::app {

using collision::Vec3f;

namespace {

constexpr float kGrowth = 0.02f;     // of added clay, of the radius per frame at full strength
constexpr float kSwelling = 0.012f;  // of inflate and deflate, of the radius per frame at full strength
constexpr float kPinch = 0.06f, kFlatten = 0.3f,
                kSmooth = 0.5f;        // share of the way per frame at full strength
constexpr float kCreaseDepth = 0.02f;  // of the radius per frame at full strength
constexpr float kLayer = 0.15f;        // of the radius: height of added clay above the mean plane
constexpr float kFacing = 0.2f;        // cosine: clay that faces further aside belongs to another side
constexpr float kThinnest = 0.0015f;   // metres of wall that no effect removes
constexpr float kBehind = 1.3f;        // of the radius: how far the wall behind the touched one is looked for

struct Near {
    std::uint32_t vertex;
    float weight;  ///< 1 at the centre .. 0 at the radius
};

std::vector<Near> near(const EffectArea& area) {
    std::vector<Near> out;
    const float inverse = 1 / (area.radius * area.radius);
    area.surface.visit_near(area.centre, area.radius, [&](std::uint32_t v) {
        const Vec3f offset = area.surface.positions()[v] - area.centre;
        const float weight = falloff_at(area.falloff, dot(offset, offset) * inverse);
        if (weight > 0) out.push_back({v, weight});
    });
    return out;
}

struct Plane {
    Vec3f at, normal;
};

/// 1 for clay that faces along the mean normal .. 0 where another side of the wall begins: without a fade,
/// the border between both would tear.
float facing_share(const Vec3f& normal, const Vec3f& mean) {
    return std::clamp((dot(normal, mean) - kFacing) / 0.5f, 0.0f, 1.0f);
}

/// Mean plane of the clay on the side of the touch. Vertices of another wall, whose normals point away, do
/// not count.
Plane mean_plane(const EffectArea& area, std::vector<Near>& vertices) {
    Plane out;
    const ClaySurface& surface = area.surface;
    const auto nearest = std::max_element(vertices.begin(), vertices.end(),
                                          [](const Near& a, const Near& b) { return a.weight < b.weight; });
    const Vec3f facing = surface.normals()[nearest->vertex];
    std::erase_if(vertices,
                  [&](const Near& at) { return dot(surface.normals()[at.vertex], facing) <= kFacing; });
    float weight = 0;
    for (const Near& at : vertices) {
        out.at += surface.positions()[at.vertex] * at.weight;
        out.normal += surface.normals()[at.vertex] * at.weight;
        weight += at.weight;
    }
    const float l = length(out.normal);
    out.at = out.at / weight;
    out.normal = l > 0 ? out.normal / l : facing;
    return out;
}

/// Means of the clay in the cells of a grid around a touch: the shape without details finer than a cell. Its
/// cost per vertex does not depend on how fine the mesh is.
class BlurredClay {
  public:
    BlurredClay(const EffectArea& area, std::span<const Near> vertices)
        : low_(area.centre - Vec3f{1, 1, 1} * area.radius), cell_(2 * area.radius / kCells) {
        for (const Near& at : vertices) {
            const Vec3f& p = area.surface.positions()[at.vertex];
            Cell& cell = cells_[index(place(p.x - low_.x), place(p.y - low_.y), place(p.z - low_.z))];
            cell.sum += p;
            cell.count += 1;
        }
    }

    /// Height of the mean surface over `p` along `normal`; `none` if no clay is near.
    float height_over(const Vec3f& p, const Vec3f& normal, float none = 0) const {
        const int x = place(p.x - low_.x), y = place(p.y - low_.y), z = place(p.z - low_.z);
        const float reach = kReach * cell_, inverse = 1 / (reach * reach);
        float sum = 0, weight = 0;
        for (int i = std::max(x - kReach, 0); i <= std::min(x + kReach, kCells - 1); ++i) {
            for (int j = std::max(y - kReach, 0); j <= std::min(y + kReach, kCells - 1); ++j) {
                for (int k = std::max(z - kReach, 0); k <= std::min(z + kReach, kCells - 1); ++k) {
                    const Cell& cell = cells_[index(i, j, k)];
                    if (!(cell.count > 0)) continue;
                    const Vec3f offset = cell.sum / cell.count - p;
                    const float t = 1 - dot(offset, offset) * inverse;
                    if (t <= 0) continue;
                    sum += t * t * cell.count * dot(offset, normal);
                    weight += t * t * cell.count;
                }
            }
        }
        return weight > 0 ? sum / weight : none;
    }

  private:
    static constexpr int kCells = 14, kReach = 2;
    struct Cell {
        Vec3f sum;
        float count = 0;
    };
    int place(float x) const { return std::clamp(static_cast<int>(x / cell_), 0, kCells - 1); }
    static std::size_t index(int x, int y, int z) {
        constexpr std::size_t kAcross = kCells;
        return (static_cast<std::size_t>(x) * kAcross + static_cast<std::size_t>(y)) * kAcross +
               static_cast<std::size_t>(z);
    }

    Vec3f low_;
    float cell_;
    std::array<Cell, static_cast<std::size_t>(kCells* kCells* kCells)> cells_{};
};

/// The other side of the touched wall, which clay that moves inward must not reach.
class WallBehind {
  public:
    WallBehind(const EffectArea& area, const Vec3f& facing) : clay_(area, vertices(area, facing)) {}

    /// How far clay at `p` with the outward direction `normal` may move inward, at most `wanted`.
    float room(const Vec3f& p, const Vec3f& normal, float wanted) const {
        const float wall = -clay_.height_over(p, normal, -1);
        return std::clamp(wall - kThinnest, 0.0f, wanted);
    }

  private:
    static std::vector<Near> vertices(const EffectArea& area, const Vec3f& facing) {
        std::vector<Near> out;
        area.surface.visit_near(area.centre, kBehind * area.radius, [&](std::uint32_t v) {
            if (dot(area.surface.normals()[v], facing) < -0.2f) out.push_back({v, 1});
        });
        return out;
    }
    BlurredClay clay_;
};

/// Moves the clay of the touched side: outward along its normals, or inward if `share` is negative.
void grow(const EffectArea& area, float share) {
    std::vector<Near> vertices = near(area);
    if (vertices.empty()) return;
    std::vector<Near> side = vertices;
    const Vec3f facing = mean_plane(area, side).normal;
    const WallBehind behind(area, facing);
    for (const Near& at : vertices) {
        const Vec3f &p = area.surface.positions()[at.vertex], &normal = area.surface.normals()[at.vertex];
        // The lip of a wall grows with its side; the other side of the wall stays.
        const float same_side = std::clamp(0.5f + 1.5f * dot(normal, facing), 0.0f, 1.0f);
        float shift = share * area.strength * area.radius * at.weight * same_side;
        Vec3f along = normal;
        if (shift < 0) {  // the sides of a dent would meet if they moved along their own normals
            along = facing;
            shift = -behind.room(p, facing, -shift);
        }
        if (shift != 0) area.move(at.vertex, p + along * shift);
    }
}

/// Draws the clay together, and moves it inward by `depth` times the squared weight.
void draw_together(const EffectArea& area, float depth) {
    std::vector<Near> vertices = near(area);
    if (vertices.empty()) return;
    const Plane plane = mean_plane(area, vertices);
    const WallBehind behind(area, plane.normal);
    for (const Near& at : vertices) {
        const Vec3f& p = area.surface.positions()[at.vertex];
        const Vec3f offset = p - area.centre, aside = offset - plane.normal * dot(offset, plane.normal);
        // Drawing a round wall together makes it thinner, too.
        const float share = behind.room(p, plane.normal, kThinnest) / kThinnest;
        area.move(at.vertex, p - (aside * (kPinch * area.strength * at.weight) +
                                  plane.normal * (depth * at.weight * at.weight)) *
                                     share);
    }
}

/// Moves the clay along the mean normal towards a layer above (sign 1) or below (sign -1) the mean plane.
void build_up(const EffectArea& area, float sign) {
    std::vector<Near> vertices = near(area);
    if (vertices.empty()) return;
    const Plane plane = mean_plane(area, vertices);
    const float layer = kLayer * area.radius;
    const WallBehind behind(area, plane.normal);
    for (const Near& at : vertices) {
        const Vec3f& p = area.surface.positions()[at.vertex];
        const float missing = std::clamp(1 - sign * dot(p - plane.at, plane.normal) / layer, 0.0f, 1.5f);
        float shift = missing * kGrowth * area.strength * area.radius * at.weight *
                      facing_share(area.surface.normals()[at.vertex], plane.normal);
        if (sign < 0) shift = behind.room(p, plane.normal, shift);
        area.move(at.vertex, p + plane.normal * (sign * shift));
    }
}

}  // namespace

void inflate(const EffectArea& area) {
    grow(area, kSwelling);
}

void deflate(const EffectArea& area) {
    grow(area, -kSwelling);
}

/// Vertices move to the mean surface, less what all of them would move on average: that would shrink the
/// clay.
void smooth(const EffectArea& area) {
    std::vector<Near> vertices = near(area);
    if (vertices.empty()) return;
    mean_plane(area, vertices);
    const BlurredClay blurred(area, vertices);
    std::vector<float> height;
    height.reserve(vertices.size());
    float sum = 0, weight = 0;
    for (const Near& at : vertices) {
        height.push_back(
            blurred.height_over(area.surface.positions()[at.vertex], area.surface.normals()[at.vertex]));
        sum += height.back() * at.weight;
        weight += at.weight;
    }
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const auto [vertex, near] = vertices[i];
        area.move(vertex, area.surface.positions()[vertex] +
                              area.surface.normals()[vertex] *
                                  ((height[i] - sum / weight) * kSmooth * area.strength * near));
    }
}

void flatten(const EffectArea& area) {
    std::vector<Near> vertices = near(area);
    if (vertices.empty()) return;
    const Plane plane = mean_plane(area, vertices);
    for (const Near& at : vertices) {
        const Vec3f& p = area.surface.positions()[at.vertex];
        const float height = dot(p - plane.at, plane.normal);
        area.move(at.vertex, p - plane.normal * (height * kFlatten * area.strength * at.weight));
    }
}

void pinch(const EffectArea& area) {
    draw_together(area, 0);
}

void crease(const EffectArea& area) {
    draw_together(area, kCreaseDepth * area.strength * area.radius);
}

void add(const EffectArea& area) {
    build_up(area, 1);
}

void carve(const EffectArea& area) {
    build_up(area, -1);
}

}  // namespace claybox::app
