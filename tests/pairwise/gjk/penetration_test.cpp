#include "collision/pairwise/gjk/penetration.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace claybox::collision {
namespace {

using test::Rational;
using test::Vec3r;

ShapePtr hull(const std::vector<Vec3f>& points) {
    auto shape = Shape::from_hull(points);
    EXPECT_TRUE(shape.ok());
    return shape.value();
}

ShapePtr box(float x, float y, float z) {
    std::vector<Vec3f> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back({(i & 1) != 0 ? x : -x, (i & 2) != 0 ? y : -y, (i & 4) != 0 ? z : -z});
    return hull(corners);
}

Matrix34f shifted(float x, float y, float z) {
    Matrix34f m;
    m.m[3] = x;
    m.m[7] = y;
    m.m[11] = z;
    return m;
}

/// A fixed placement of two shapes.
struct Placed {
    ShapePtr a, b;
    Matrix34f world_from_a, world_from_b;

    SolidSide side_a() const { return {a->hull(), &world_from_a, &a->geometry().box}; }
    SolidSide side_b() const { return {b->hull(), &world_from_b, &b->geometry().box}; }
};

/// Computes the depth and checks that depth and direction are finite and valid.
Penetration depth_of(const Placed& p, std::uint32_t limit = 2000) {
    Scratch scratch;
    const Penetration out = find_penetration(p.side_a(), p.side_b(), limit, scratch);
    EXPECT_TRUE(std::isfinite(out.depth) && out.depth >= 0);
    EXPECT_NEAR(length(out.direction_w), 1, 1e-12);
    EXPECT_EQ(scratch.used(), 0u);
    return out;
}

Vec3r world_point(const Matrix34f& m, const Vec3f& v) {
    Vec3r out;
    for (int r = 0; r < 3; ++r)
        out[static_cast<std::size_t>(r)] = Rational(m(r, 0)) * Rational(v.x) +
                                           Rational(m(r, 1)) * Rational(v.y) +
                                           Rational(m(r, 2)) * Rational(v.z) + Rational(m(r, 3));
    return out;
}

/// The largest dot(n, a - b), in rational arithmetic.
Rational exact_reach(const Placed& p, const Vec3d& n) {
    const Vec3r exact_n = test::exact(n);
    const auto extreme = [&](const Shape& shape, const Matrix34f& m, bool top) {
        std::optional<Rational> out;
        for (std::uint32_t i = 0; i < shape.hull()->vertex_count; ++i) {
            const Rational value = dot(exact_n, world_point(m, shape.hull()->vertex(i)));
            if (!out || (top ? value > *out : value < *out)) out = value;
        }
        return *out;
    };
    return extreme(*p.a, p.world_from_a, true) - extreme(*p.b, p.world_from_b, false);
}

TEST(Penetration, boxes_separate_through_the_nearest_face) {
    const ShapePtr cube = box(1, 1, 1);
    const Penetration p = depth_of({cube, cube, {}, shifted(0.25f, 1.5f, 0.5f)});
    EXPECT_NEAR(p.depth, 0.5, 1e-15);
    EXPECT_NEAR(p.direction_w.y, 1, 1e-15);
    const Penetration same = depth_of({cube, cube, {}, {}});
    EXPECT_NEAR(same.depth, 2, 1e-14);
    const Penetration inside = depth_of({box(3, 2, 4), box(0.5f, 0.5f, 0.5f), {}, shifted(0, -0.5f, 0)});
    EXPECT_NEAR(inside.depth, 2, 1e-14);
    EXPECT_NEAR(inside.direction_w.y, -1, 1e-14);
}

TEST(Penetration, touching_and_flat_differences_have_depth_zero_along_their_normal) {
    const ShapePtr cube = box(1, 1, 1), square = box(1, 1, 0), needle = box(1, 0, 0), point = box(0, 0, 0);
    EXPECT_EQ(depth_of({cube, cube, {}, shifted(2, 0.5f, 0)}).depth, 0);
    const Penetration flat = depth_of({square, square, {}, shifted(0.5f, 0.25f, 0)});
    EXPECT_EQ(flat.depth, 0);
    EXPECT_NEAR(std::abs(flat.direction_w.z), 1, 1e-15);
    const Penetration line = depth_of({needle, needle, {}, shifted(0.5f, 0, 0)});
    EXPECT_EQ(line.depth, 0);
    EXPECT_NEAR(line.direction_w.x, 0, 1e-15);
    EXPECT_EQ(depth_of({point, point, {}, {}}).depth, 0);
    EXPECT_EQ(depth_of({point, square, {}, {}}).depth, 0);
    EXPECT_NEAR(depth_of({point, cube, {}, {}}).depth, 1, 1e-15);
    EXPECT_NEAR(depth_of({needle, cube, {}, shifted(0, 0.75f, 0)}).depth, 0.25, 1e-15);
}

/// Convex shapes of many kinds, in overlapping positions.
std::vector<Placed> overlapping(std::size_t count, std::uint64_t seed) {
    std::vector<ShapePtr> shapes{box(1, 0.3f, 0.02f), box(1, 1, 0), box(1, 0, 0)};
    for (const Primitive kind : {Primitive::box, Primitive::tetrahedron, Primitive::uv_sphere,
                                 Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull})
        for (const std::uint32_t target_count : {8u, 40u, 200u})
            shapes.push_back(make_primitive_shape(kind, target_count, 1, 7).value());
    Random random(seed);
    std::vector<Placed> out;
    while (out.size() < count) {
        Placed p{shapes[random.below(shapes.size())], shapes[random.below(shapes.size())], {}, {}};
        p.world_from_a = to_matrix({random_rotation(random, 0, 3), {1, 2, 3}});
        p.world_from_b = to_matrix({random_rotation(random, 0, 3), Vec3d{1, 2, 3} + random.vector(0, 1.2)});
        if (decide_solid_exact(p.side_a(), p.side_b()).colliding) out.push_back(p);
    }
    return out;
}

TEST(Penetration, moving_b_by_more_than_the_depth_separates_and_by_less_never) {
    Random random(61);
    int checked = 0;
    for (const Placed& p : overlapping(400, 62)) {
        const Penetration found = depth_of(p);
        EXPECT_TRUE(found.shortest);
        // The exact reach along the direction equals the depth, so moving by more separates.
        const double reach = static_cast<double>(exact_reach(p, found.direction_w));
        EXPECT_NEAR(reach, found.depth, 1e-14);
        if (found.depth < 1e-3) continue;
        // No shorter translation separates, neither along the direction nor along any other.
        for (int i = 0; i < 6; ++i) {
            const Vec3d direction =
                i == 0 ? found.direction_w : normalized(found.direction_w + 0.2 * i * random.unit_vector());
            Placed moved = p;
            Vec3d by;
            for (std::size_t r = 0; r < 3; ++r) {
                float& t = moved.world_from_b.m[4 * r + 3];
                const float before = t;
                t = static_cast<float>(t + 0.999 * found.depth * direction[r]);
                by[r] = static_cast<double>(t) - static_cast<double>(before);
            }
            if (!(length(by) < found.depth * (1 - 1e-9))) continue;  // rounding to float moved it too far
            EXPECT_TRUE(decide_solid_exact(moved.side_a(), moved.side_b()).colliding);
            ++checked;
        }
    }
    EXPECT_GT(checked, 1000);
}

TEST(Penetration, iteration_limit_still_yields_a_sufficient_translation) {
    int longer = 0;
    for (const Placed& p : overlapping(200, 63)) {
        const Penetration best = depth_of(p);
        for (const std::uint32_t limit : {1u, 2u, 5u}) {
            const Penetration some = depth_of(p, limit);
            EXPECT_LE(some.iterations, limit);
            EXPECT_GE(some.depth, best.depth * (1 - 1e-9));
            EXPECT_NEAR(static_cast<double>(exact_reach(p, some.direction_w)), some.depth, 1e-14);
            if (some.depth > best.depth * (1 + 1e-6)) {
                EXPECT_FALSE(some.shortest);
                ++longer;
            }
        }
    }
    EXPECT_GT(longer, 50);
}

TEST(Penetration, whole_range_of_numbers_yields_finite_depths) {
    Random random(64);
    const std::vector<ShapePtr> shapes{box(1, 1, 1), box(1, 1, 0),
                                       make_primitive_shape(Primitive::rod_hull, 30, 1, 7).value()};
    for (int i = 0; i < 3000; ++i) {
        Placed p{shapes[random.below(3)], shapes[random.below(3)], {}, {}};
        for (Matrix34f* m : {&p.world_from_a, &p.world_from_b}) {
            const double size = std::exp2(random.uniform(-149.0, 60.0));
            for (float& entry : m->m)
                entry = random.below(4) == 0 ? 0.0f : static_cast<float>(random.uniform(-size, size));
        }
        depth_of(p, 1 + static_cast<std::uint32_t>(random.below(50)));
    }
}

TEST(Penetration, small_depths_of_distant_and_unequal_bodies_keep_their_precision) {
    const ShapePtr huge = box(1024, 1024, 1024), tiny = box(0x1p-10f, 0x1p-10f, 0x1p-10f),
                   cube = box(1, 1, 1);
    const float in = 1024 + 0x1p-10f - 0x1p-13f;
    EXPECT_NEAR(depth_of({huge, tiny, {}, shifted(in, 3, 5)}).depth / 0x1p-13, 1, 1e-12);
    EXPECT_NEAR(depth_of({tiny, huge, shifted(in, 3, 5), {}}).depth / 0x1p-13, 1, 1e-12);
    EXPECT_NEAR(depth_of({cube, cube, shifted(0x1p20f, 0, 0), shifted(0x1p20f + 1.875f, 0, 0)}).depth, 0.125,
                1e-15);
}

TEST(Penetration, concentric_spheres_end_at_the_limit_with_a_valid_bound) {
    const ShapePtr sphere = make_primitive_shape(Primitive::uv_sphere, 2000, 1, 1).value();
    const Placed p{sphere, sphere, {}, to_matrix({axis_angle({0.6, 0, 0.8}, 0.3), {}})};
    const Penetration found = depth_of(p, 1u << 30);
    EXPECT_LE(found.iterations, kMaxPenetrationPoints);
    EXPECT_GT(found.depth, 1.98);
    EXPECT_LT(found.depth, 2);
}

}  // namespace
}  // namespace claybox::collision
