#include "collision/pairwise/gjk/contact_pair.hpp"

#include "collision/pairwise/gjk/gjk_walk.hpp"

namespace claybox::collision {

namespace {

/// A safety limit. Walks for a distance end much earlier; see the ladder's measurements.
constexpr std::uint32_t kLimit = 1000;

double half_size(const SolidSide& side) {
    const Vec3d half = 0.5 * (cast<double>(side.box->max) - cast<double>(side.box->min));
    const auto& m = side.world_from_hull->m;
    double out = 0;
    for (std::size_t r = 0; r < 3; ++r)
        out = std::max(out, std::abs(double(m[4 * r])) * half.x + std::abs(double(m[4 * r + 1])) * half.y +
                                std::abs(double(m[4 * r + 2])) * half.z);
    return out;
}

}  // namespace

// Moves B out along the direction, and further by the size of the smaller body. The distance is then exactly
// that size: the direction separates the bodies by it, and the former contact points are that far apart. A
// closest pair at such a distance is easy to find; one at distance 0 is not.
ContactPair contact_pair(const SolidSide& a, const SolidSide& b, double depth, const Vec3d& direction_w) {
    WalkFrames<double> f{make_difference<double>(*a.hull, *a.world_from_hull, *b.hull, *b.world_from_hull)};
    const double smaller = std::min(half_size(a), half_size(b));
    const double gap = smaller > 0 ? smaller : std::max({half_size(a), half_size(b), depth, 1e-30});
    const Vec3d shift = (depth + gap) * direction_w;
    for (std::size_t r = 0; r < 3; ++r) f.about_a_from_b.m[4 * r + 3] += shift[r];
    Walk<double> walk;
    walk.direction = direction_w;
    walk_to_origin(f, walk, {kLimit, false, {}, nullptr});
    Vec3d on_a, on_b;
    if (walk.simplex.count == 0 || walk.simplex.count == 4) {  // only if the direction does not separate
        on_a = f.point_a(walk.a);
        on_b = f.point_b(walk.b);
    }
    for (int i = 0; i < walk.simplex.count && walk.simplex.count < 4; ++i) {
        on_a += walk.simplex.weight[i] * f.point_a(walk.simplex.point[i].a);
        on_b += walk.simplex.weight[i] * f.point_b(walk.simplex.point[i].b);
    }
    const Vec3d origin_w = cast<double>(a.world_from_hull->translation());
    return {on_a + origin_w, on_b - shift + origin_w};
}

}  // namespace claybox::collision
