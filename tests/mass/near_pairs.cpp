#include "tests/mass/near_pairs.hpp"

#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace claybox::test {

using namespace collision;

namespace {

constexpr double kGrid = 0.125;

float snap(double v, double step = kGrid) {
    return static_cast<float>(std::round(v / step) * step);
}

/// Half axes of the ellipsoid for the random points.
Vec3d random_half_axes(Random& random) {
    switch (random.below(5)) {
        case 0:
            return {1, 1, 1};
        case 1:
            return {1, random.uniform(0.3, 1), random.uniform(0.3, 1)};
        case 2:  // rod
            return {1, std::exp2(random.uniform(-8, -2)), std::exp2(random.uniform(-8, -2))};
        case 3:  // plate
            return {1, random.uniform(0.5, 1), std::exp2(random.uniform(-10, -3))};
        default:  // flat
            return {1, random.uniform(0.2, 1), 0};
    }
}

std::vector<Vec3f> box_corners(const Vec3d& half) {
    std::vector<Vec3f> out;
    for (int i = 0; i < 8; ++i)
        out.push_back(cast<float>(Vec3d{(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                                        (i & 4) != 0 ? half.z : -half.z}));
    return out;
}

std::vector<Vec3f> random_points(Random& random, std::uint32_t max_points, bool on_grid) {
    const Vec3d half = random_half_axes(random);
    std::vector<Vec3f> out;
    if (random.below(8) == 0 && max_points >= 8) {
        out = box_corners(half);
    } else {
        const std::uint64_t min_points = random.below(20) == 0 ? 1 : std::min(4u, max_points);
        const std::uint64_t count = min_points + random.below(max_points - min_points + 1);
        const bool filled = random.below(4) == 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            Vec3d v = random.unit_vector();
            if (filled) v = v * std::cbrt(random.uniform());
            out.push_back(cast<float>(Vec3d{v.x * half.x, v.y * half.y, v.z * half.z}));
        }
    }
    if (on_grid)
        for (Vec3f& p : out) p = {snap(p.x), snap(p.y), snap(p.z)};
    if (random.below(6) == 0)
        for (std::uint64_t i = random.below(4); i > 0 && out.size() < max_points; --i)
            out.push_back(out[random.below(out.size())]);
    return out;
}

float ulps_away(Random& random, float v) {
    return std::nextafter(v, random.below(2) == 0 ? -INFINITY : INFINITY);
}

void nudge(Random& random, Matrix34f& m) {
    float& t = m.m[4 * random.below(3) + 3];
    t = ulps_away(random, t);
}

/// Replaces zeros by numbers so small that the resulting gap is within or far below the rounding of double.
void tilt(Random& random, Matrix34f& m) {
    const double size = std::exp2(-random.uniform(20, 75));
    for (float& entry : m.m)
        if (entry == 0 && random.below(3) == 0) entry = static_cast<float>(size * random.uniform(-1, 1));
}

/// A signed permutation times a power of two. Exact for every float.
Matrix34f exact_matrix(Random& random) {
    Matrix34f m;
    const std::size_t first = random.below(3), second = (first + 1 + random.below(2)) % 3;
    const std::size_t column[3] = {first, second, 3 - first - second};
    const float scale = std::ldexp(1.0f, static_cast<int>(random.below(5)) - 2);
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 4; ++k)
            m.m[4 * r + k] = k == column[r] ? (random.below(2) == 0 ? scale : -scale) : 0.0f;
    return m;
}

Matrix34f random_matrix(Random& random) {
    if (random.below(6) == 0) return exact_matrix(random);
    Matrix34f m = to_matrix({random_rotation(random, 0, 6.283), {}});
    if (random.below(3) != 0) return m;
    const double range = random.below(4) == 0 ? 20 : 3;
    const double scale = std::exp2(random.uniform(-range, range));
    for (std::size_t i = 0; i < 12; ++i)  // scaled, sheared or mirrored
        if (i % 4 != 3) m.m[i] = static_cast<float>(scale * (m.m[i] + random.uniform(-0.3, 0.3)));
    if (random.below(30) == 0)
        for (std::size_t k = 0; k < 3; ++k) m.m[8 + k] = 0;  // flattened
    return m;
}

double size_of(const PointShape& s, const Matrix34f& m) {
    double out = 0;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 3; ++k)
            out = std::max(out, std::abs(static_cast<double>(m.m[4 * r + k])));
    return 2 * out * std::max<double>(s.shape->sphere().radius, 1e-3);
}

void set_translation(Matrix34f& m, const Vec3d& t) {
    for (std::size_t r = 0; r < 3; ++r) m.m[4 * r + 3] = static_cast<float>(t[r]);
}

/// Moves B along the line of the closest points to the wanted distance; a negative distance moves it into A.
void bring_near(NearPair& pair, double wanted, Scratch& scratch) {
    static const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
    PairQuery q =
        make_pair_query(*pair.a->shape, pair.world_from_a, *pair.b->shape, pair.world_from_b, scratch);
    q.parameters = default_values(gjk.parameters);
    q.wants = kWantDistance;
    PairCache cache;
    const PairResult r = run_query(gjk, q, cache);
    if (r.verdict != Verdict::separated || !(r.distance > 0)) return;
    const Vec3d direction = (r.closest_b_w - r.closest_a_w) / r.distance;
    set_translation(pair.world_from_b,
                    cast<double>(pair.world_from_b.translation()) - (r.distance - wanted) * direction);
}

void place_near(Random& random, NearPair& pair, Scratch& scratch) {
    pair.world_from_a = random_matrix(random);
    pair.world_from_b = random_matrix(random);
    if (random.below(2) == 0) {
        const double far = std::exp2(random.uniform(-4, 10));
        set_translation(pair.world_from_a, far * random.unit_vector());
    }
    const double size = size_of(*pair.a, pair.world_from_a) + size_of(*pair.b, pair.world_from_b);
    const Vec3d from = cast<double>(pair.world_from_a.translation());
    set_translation(pair.world_from_b, from + 1.1 * size * random.unit_vector());
    const double relative = std::pow(10.0, -1.0 - static_cast<double>(random.below(8)));
    bring_near(pair, size * (random.below(2) == 0 ? relative : -relative), scratch);
}

/// B is A's mirror image across a plane through an extreme vertex, or A's point reflection at a vertex. They
/// touch exactly at that vertex.
void place_mirrored(Random& random, NearPair& pair) {
    pair.b = pair.a;
    pair.world_from_a = exact_matrix(random);
    const auto& m = pair.world_from_a.m;
    const auto coordinate = [&](const Vec3f& p, std::size_t r) {
        return m[4 * r] * p.x + m[4 * r + 1] * p.y + m[4 * r + 2] * p.z;  // only one term is not zero
    };
    const std::size_t axis = random.below(3);
    const ConvexHull& hull = *pair.a->shape->hull();
    std::uint32_t at = 0;
    if (random.below(2) == 0) {
        at = static_cast<std::uint32_t>(random.below(hull.vertex_count));
    } else {
        for (std::uint32_t i = 1; i < hull.vertex_count; ++i)
            if (coordinate(hull.vertex(i), axis) > coordinate(hull.vertex(at), axis)) at = i;
    }
    const bool mirror = random.below(2) == 0;
    for (std::size_t r = 0; r < 3; ++r) {
        if (mirror && r != axis) {
            for (std::size_t k = 0; k < 4; ++k) pair.world_from_b.m[4 * r + k] = m[4 * r + k];
            continue;
        }
        for (std::size_t k = 0; k < 3; ++k) pair.world_from_b.m[4 * r + k] = -m[4 * r + k];
        pair.world_from_b.m[4 * r + 3] = 2 * coordinate(hull.vertex(at), r);
    }
}

/// Places both on the grid and shifts B by grid steps to the box of A, so faces, edges and corners coincide.
void place_on_grid(Random& random, NearPair& pair) {
    pair.world_from_a = exact_matrix(random);
    pair.world_from_b = exact_matrix(random);
    if (random.below(3) == 0)  // a shear that stays on a finer grid
        pair.world_from_b.m[4 * random.below(3) + random.below(3)] += 0.5f;
    const Aabb box_a = transform_aabb(pair.world_from_a, pair.a->shape->geometry().box);
    const Aabb box_b = transform_aabb(pair.world_from_b, pair.b->shape->geometry().box);
    const std::size_t axis = random.below(3);
    for (std::size_t r = 0; r < 3; ++r) {
        const double extent = 0.5 * (box_a.max[r] - box_a.min[r] + box_b.max[r] - box_b.min[r]);
        // Boxes are rounded outward; the matrices map grid points to multiples of an eighth of a grid step.
        pair.world_from_b.m[4 * r + 3] =
            r == axis ? snap(static_cast<double>(box_a.max[r]) - static_cast<double>(box_b.min[r]), kGrid / 8)
                      : snap(random.uniform(-0.5, 0.5) * extent);
    }
}

}  // namespace

PointShape random_point_shape(Random& random, std::uint32_t max_points) {
    PointShape out;
    out.on_grid = random.below(2) == 0;
    out.points = random_points(random, max_points, out.on_grid);
    auto shape = Shape::from_hull(out.points);
    if (!shape.ok()) {
        std::fprintf(stderr, "%s\n", shape.error().text().c_str());
        std::exit(1);
    }
    out.shape = std::move(shape.value());
    return out;
}

NearPair random_near_pair(Random& random, const std::vector<PointShape>& shapes, Scratch& scratch) {
    NearPair pair;
    pair.a = &shapes[random.below(shapes.size())];
    pair.b = &shapes[random.below(shapes.size())];
    const std::uint64_t kind = random.below(20);
    const bool grids = pair.a->on_grid && pair.b->on_grid;
    if (kind <= 1)
        place_mirrored(random, pair);
    else if (kind <= 5 && grids)
        place_on_grid(random, pair);
    else
        place_near(random, pair, scratch);
    if (random.below(8) == 0) nudge(random, pair.world_from_b);
    if ((kind <= 1 || (kind <= 5 && grids)) && random.below(2) == 0) {
        tilt(random, pair.world_from_a);
        tilt(random, pair.world_from_b);
    }
    pair.earlier_b = pair.world_from_b;
    const double step = std::exp2(random.uniform(-20, -2));
    for (std::size_t r = 0; r < 3; ++r)
        pair.earlier_b.m[4 * r + 3] += static_cast<float>(step * random.uniform(-1, 1));
    return pair;
}

}  // namespace claybox::test
