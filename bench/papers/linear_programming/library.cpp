#include "bench/papers/linear_programming/library.hpp"

#include "collision/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace claybox::bench {

using namespace collision;

namespace {

using Points = std::vector<Vec3d>;
/// Points (radius, height) of half a cross section.
using Profile = std::vector<std::pair<double, double>>;

constexpr double kRadius = 0.5;
const double kGolden = (1 + std::sqrt(5.0)) / 2;

/// All sign changes of (x, y, z), with cyclic permutations if `turn`.
void add_signs(Points& out, const Vec3d& p, bool turn) {
    for (std::size_t shift = 0; shift < (turn ? 3u : 1u); ++shift)
        for (unsigned signs = 0; signs < 8; ++signs) {
            Vec3d q;
            bool twice = false;  // a sign of zero adds nothing
            for (std::size_t k = 0; k < 3; ++k) {
                const bool minus = (signs >> k & 1) != 0;
                twice |= minus && p[k] == 0;
                q[(k + shift) % 3] = minus ? -p[k] : p[k];
            }
            if (!twice) out.push_back(q);
        }
}

Points signs_of(const Vec3d& p, bool turn) {
    Points out;
    add_signs(out, p, turn);
    return out;
}

Points dodecahedron() {
    Points out = signs_of({1, 1, 1}, false);
    add_signs(out, {0, 1 / kGolden, kGolden}, true);
    return out;
}

/// Rings of `corners` points, one for each point of the profile; a radius of 0 is a single point.
Points revolved(const Profile& profile, std::uint32_t corners) {
    Points out;
    for (const auto& [radius, height] : profile)
        for (std::uint32_t i = 0; i < (radius == 0 ? 1 : corners); ++i) {
            const double angle = 2 * std::numbers::pi * i / corners;
            out.push_back({radius * std::cos(angle), height, radius * std::sin(angle)});
        }
    return out;
}

/// Random segments that turn to one side only, so that the revolved body is convex.
Profile random_profile(std::uint32_t segments, Random& random) {
    std::vector<double> angles;  // of the segments, against the axis, radians
    for (std::uint32_t i = 0; i < segments; ++i) {
        const double wide = 2.6 / segments;  // each angle has a range of its own, so no two are equal
        angles.push_back(1.3 - wide * (i + random.uniform(0.1, 0.9)));
    }
    Profile out{{0, 0}};
    for (const double angle : angles) {
        const double length = random.uniform(0.5, 1.5);
        out.emplace_back(out.back().first + length * std::sin(angle),
                         out.back().second + length * std::cos(angle));
    }
    double least = 0;
    for (const auto& point : out) least = std::min(least, point.first);
    for (auto& point : out) point.first += 0.3 - least;
    return out;
}

Profile sphere_profile(std::uint32_t rings) {
    Profile out;
    for (std::uint32_t i = 0; i < rings; ++i) {
        const double angle = std::numbers::pi * (i + 0.5) / rings;
        out.emplace_back(std::sin(angle), std::cos(angle));
    }
    return out;
}

/// The hull of the points, centred, with a bounding ball of radius 0.5.
Result<ShapePtr> hull_of(const Points& points, const char* name) {
    Vec3d low = points[0], high = points[0];
    for (const Vec3d& p : points)
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    const Vec3d centre = 0.5 * (low + high);
    double reach = 0;
    for (const Vec3d& p : points) reach = std::max(reach, length(p - centre));
    std::vector<Vec3f> scaled;
    for (const Vec3d& p : points) scaled.push_back(cast<float>((p - centre) * (kRadius / reach)));
    return Shape::from_hull(scaled, name);
}

struct Recipe {
    const char* name;
    Points points;
};

std::vector<Recipe> recipes(std::uint64_t seed) {
    Random random(seed);
    std::vector<Recipe> out{{"tetrahedron", {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}},
                            {"octahedron", signs_of({1, 0, 0}, true)},
                            {"cube", signs_of({1, 1, 1}, false)},
                            {"pentagonal prism", revolved({{1, -1}, {1, 1}}, 5)},
                            {"icosahedron", signs_of({0, 1, kGolden}, true)},
                            {"cuboctahedron", signs_of({0, 1, 1}, true)},
                            {"pyramid of 16 sides", revolved({{1, 0}, {0, 1.5}}, 16)},
                            {"dodecahedron", dodecahedron()},
                            {"prism of 12 sides", revolved({{1, -0.5}, {1, 0.5}}, 12)}};
    constexpr std::pair<std::uint32_t, std::uint32_t> kRevolved[] = {
        {2, 10}, {3, 10}, {4, 10}, {4, 14}, {5, 15}, {6, 16}, {7, 17}, {8, 18}, {9, 20}, {10, 22}};
    for (const auto& [segments, corners] : kRevolved)
        out.push_back({"revolved segments", revolved(random_profile(segments, random), corners)});
    out.push_back({"sphere", revolved(sphere_profile(12), 22)});
    return out;
}

}  // namespace

Result<std::vector<LibraryObject>> make_library(std::uint64_t seed) {
    std::vector<LibraryObject> out;
    for (const Recipe& recipe : recipes(seed)) {
        auto shape = hull_of(recipe.points, recipe.name);
        if (!shape) return shape.error();
        if (shape.value()->hull() == nullptr || shape.value()->hull()->vertex_count != recipe.points.size())
            return Error{std::string("the hull of the object '") + recipe.name +
                             "' has lost vertices, expected " + std::to_string(recipe.points.size()),
                         {},
                         0};
        out.push_back({recipe.name, std::move(shape.value())});
    }
    return out;
}

}  // namespace claybox::bench
