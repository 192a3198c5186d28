#include "app/scenes/crowd/crowd_layout.hpp"

#include "collision/core/trig.hpp"

#include <iterator>

namespace claybox::app {

using collision::PolygonList;
using collision::Primitive;
using collision::Vec3d;
using collision::Vec3f;

namespace {

enum Mix : int { kMixed, kSolids, kCubes, kBalls, kRings };

collision::Result<collision::ShapePtr> make_column(float radius, float height) {
    constexpr int kSides = 40;
    std::vector<Vec3f> points;
    for (int s = 0; s < kSides; ++s) {
        const collision::SinCos turn = collision::sin_cos(2 * collision::kPi * s / kSides);
        const Vec3f foot = collision::cast<float>(Vec3d{turn.cos, 0, turn.sin} * static_cast<double>(radius));
        points.push_back(foot);
        points.push_back(foot + Vec3f{0, height, 0});
    }
    return collision::Shape::from_hull(points, "column");
}

collision::Result<collision::ShapePtr> make_ring(double radius, double thickness) {
    constexpr std::uint32_t kAround = 56, kTube = 18;
    PolygonList mesh;
    for (std::uint32_t i = 0; i < kAround; ++i) {
        const collision::SinCos way = collision::sin_cos(2 * collision::kPi * i / kAround);
        for (std::uint32_t j = 0; j < kTube; ++j) {
            const collision::SinCos t = collision::sin_cos(2 * collision::kPi * j / kTube);
            const double out = radius + thickness * t.cos;
            mesh.positions.push_back(
                collision::cast<float>(Vec3d{out * way.cos, out * way.sin, thickness * t.sin}));
        }
    }
    for (std::uint32_t i = 0; i < kAround; ++i)
        for (std::uint32_t j = 0; j < kTube; ++j) {
            const std::uint32_t next = (i + 1) % kAround * kTube, side = (j + 1) % kTube;
            const std::uint32_t a = i * kTube + j, b = next + j, c = next + side, d = i * kTube + side;
            const std::uint32_t first[] = {a, b, c}, second[] = {a, c, d};
            mesh.add_polygon(first);
            mesh.add_polygon(second);
        }
    return collision::Shape::from_polygons(mesh, "ring");
}

}  // namespace

std::vector<CrowdRecipe> crowd_recipes(int mix) {
    std::vector<CrowdRecipe> out;
    const auto add = [&](CrowdRecipe recipe) {
        for (const auto& [size, share] : {std::pair{0.7f, 1.0f}, {1.0f, 1.0f}, {1.35f, 0.6f}}) {
            CrowdRecipe sized = recipe;
            sized.size = size;
            sized.share = recipe.share * share;
            out.push_back(sized);
        }
    };
    if (mix == kMixed || mix == kSolids)
        for (int solid = 0; solid < kSolidCount; ++solid) {
            CrowdRecipe recipe;
            recipe.solid = static_cast<Solid>(solid);
            recipe.detail = 24;
            add(recipe);
        }
    if (mix == kCubes) add({});
    if (mix == kBalls) add({false, Solid::cube, Primitive::uv_sphere, 60});
    if (mix == kRings || mix == kMixed) add({false, Solid::cube, Primitive::torus, 72, 1, 0.8f});
    if (mix == kMixed) {
        add({false, Solid::cube, Primitive::tetra_flake, 16, 1, 0.5f});
        // A few large bodies among many: the hard case for grids with one cell size.
        out.push_back({true, Solid::dodecahedron, {}, 24, 3.4f, 0.06f});
        out.push_back({true, Solid::truncated_octahedron, {}, 24, 2.6f, 0.08f});
    }
    return out;
}

collision::Result<collision::ShapePtr> make_crowd_shape(const CrowdRecipe& r, float radius,
                                                        std::uint64_t seed) {
    if (r.is_solid) return make_solid(r.solid, static_cast<int>(r.detail), radius, seed);
    return collision::make_primitive_shape(r.primitive, r.detail, radius, seed);
}

std::vector<Obstacle> crowd_obstacles(int count) {
    using enum Obstacle::Kind;
    static constexpr Obstacle kAll[] = {
        {ring, {0, 0.95f, 0.4f}, 0.72f, 0.12f, 0},   {column, {-2.6f, 0, -2.1f}, 0.36f, 0, 1.35f},
        {column, {2.5f, 0, -2.0f}, 0.48f, 0, 0.95f}, {column, {2.6f, 0, 2.1f}, 0.30f, 0, 1.6f},
        {column, {-2.5f, 0, 2.0f}, 0.44f, 0, 1.1f},  {column, {-4.7f, 0, 0.1f}, 0.24f, 0, 1.45f},
        {column, {4.8f, 0, -0.2f}, 0.26f, 0, 1.2f},  {column, {0.2f, 0, -3.6f}, 0.22f, 0, 0.8f},
        {column, {-0.1f, 0, 3.7f}, 0.22f, 0, 0.7f},
    };
    static_assert(std::size(kAll) == kMaxObstacles);
    return {kAll, kAll + count};
}

collision::Result<collision::ShapePtr> make_obstacle_shape(const Obstacle& o) {
    if (o.kind == Obstacle::Kind::column) return make_column(o.radius, o.height);
    return make_ring(static_cast<double>(o.radius), static_cast<double>(o.thickness));
}

}  // namespace claybox::app
