#include "collision/parts/contact_pair.hpp"

#include "collision/parts/gjk_walk.hpp"

namespace claybox::collision {

namespace {

/// Walks for a distance end by themselves long before; see the ladder's measurements.
constexpr std::uint32_t kLimit = 1000;

double reach(const SolidSide& side) {
    const Vec3d half = 0.5 * (cast<double>(side.box->max) - cast<double>(side.box->min));
    const auto& m = side.world_from_hull->m;
    double out = 0;
    for (std::size_t r = 0; r < 3; ++r)
        out = std::max(out, std::abs(double(m[4 * r])) * half.x + std::abs(double(m[4 * r + 1])) * half.y +
                                std::abs(double(m[4 * r + 2])) * half.z);
    return out;
}

}  // namespace

// B is moved the way out and as far again as the smaller body is large. Then the distance is just that: the
// direction separates the bodies by it, and the points where they touched are that far apart. A closest pair
// that far apart is easy to find, one that touches is not.
ContactPair contact_pair(const SolidSide& a, const SolidSide& b, double depth, const Vec3d& direction_w) {
    WalkFrames<double> f{make_difference<double>(*a.hull, *a.world_from_hull, *b.hull, *b.world_from_hull)};
    const double least = std::min(reach(a), reach(b));
    const double further = least > 0 ? least : std::max({reach(a), reach(b), depth, 1e-30});
    const Vec3d way = (depth + further) * direction_w;
    for (std::size_t r = 0; r < 3; ++r) f.about_a_from_b.m[4 * r + 3] += way[r];
    Walk<double> walk;
    walk.direction = direction_w;
    walk_to_origin(f, walk, {kLimit, false, {}, nullptr});
    Vec3d on_a, on_b;
    if (walk.simplex.count == 0 || walk.simplex.count == 4) {  // not for a way that separates
        on_a = f.point_a(walk.a);
        on_b = f.point_b(walk.b);
    }
    for (int i = 0; i < walk.simplex.count && walk.simplex.count < 4; ++i) {
        on_a += walk.simplex.weight[i] * f.point_a(walk.simplex.point[i].a);
        on_b += walk.simplex.weight[i] * f.point_b(walk.simplex.point[i].b);
    }
    const Vec3d origin_w = cast<double>(a.world_from_hull->translation());
    return {on_a + origin_w, on_b - way + origin_w};
}

}  // namespace claybox::collision
