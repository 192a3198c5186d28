// Rays against exact surfaces, compared with independent rational arithmetic. The ray parameters inside a
// triangle are those that satisfy three linear inequalities and one plane equation.
#include "collision/pairwise/bvh/ray_shape.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/bvh/bvh.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace claybox::collision {
namespace {

using test::exact;
using test::Rational;
using test::Vec3r;

Vec3r placed(const Matrix34f& m, const Vec3f& p) {
    Vec3r out;
    for (int r = 0; r < 3; ++r)
        out[static_cast<std::size_t>(r)] = Rational(m(r, 0)) * Rational(p.x) +
                                           Rational(m(r, 1)) * Rational(p.y) +
                                           Rational(m(r, 2)) * Rational(p.z) + Rational(m(r, 3));
    return out;
}

/// The remaining parameters t >= 0; `low` is meaningful only while the set is not empty.
struct Remaining {
    Rational low = 0;
    std::optional<Rational> high;
    bool empty = false;

    /// Keeps parameters with a + b t >= 0.
    void keep(const Rational& a, const Rational& b) {
        if (b == 0) {
            empty = empty || a < 0;
        } else if (b > 0) {
            low = std::max(low, Rational(-a / b));
        } else if (const Rational t = -a / b; !high || t < *high) {
            high = t;
        }
        empty = empty || (high && *high < low);
    }
    /// Keeps parameters with a + b t == 0.
    void keep_zero(const Rational& a, const Rational& b) {
        keep(a, b);
        keep(-a, -b);
    }
};

/// A triangle without area is a segment: keeps the t with (p(t) - a) x (b - a) = 0 between its ends.
void keep_segment(Remaining& remaining, const Vec3r& o, const Vec3r& d, const Vec3r& a, const Vec3r& b) {
    const Vec3r direction = b - a, at = cross(o - a, direction), by = cross(d, direction);
    for (std::size_t k = 0; k < 3; ++k) remaining.keep_zero(at[k], by[k]);
    remaining.keep(dot(o - a, direction), dot(d, direction));
    remaining.keep(dot(b - o, direction), -dot(d, direction));
    if (direction == Vec3r{0, 0, 0})
        for (std::size_t k = 0; k < 3; ++k) remaining.keep_zero(o[k] - a[k], d[k]);
}

std::optional<Rational> first_on_triangle(const Vec3r& o, const Vec3r& d, const Vec3r (&v)[3]) {
    const Vec3r n = cross(v[1] - v[0], v[2] - v[0]);
    if (n == Vec3r{0, 0, 0}) {
        std::optional<Rational> first;
        for (int i = 0; i < 3; ++i) {
            Remaining remaining;
            keep_segment(remaining, o, d, v[i], v[(i + 1) % 3]);
            if (!remaining.empty && (!first || remaining.low < *first)) first = remaining.low;
        }
        return first;
    }
    Remaining remaining;
    remaining.keep_zero(dot(n, o - v[0]), dot(n, d));
    for (int i = 0; i < 3; ++i) {
        const Vec3r inward = cross(n, v[(i + 1) % 3] - v[i]);
        remaining.keep(dot(inward, o - v[i]), dot(inward, d));
    }
    return remaining.empty ? std::nullopt : std::optional(remaining.low);
}

struct Expected {
    std::uint32_t triangle = kNoIndex;
    Rational t = 0;
};

/// Whether double arithmetic shows that the line of the ray misses the triangle, with a margin of a million
/// times its rounding. Rationals are slow.
bool misses_by_far(const Ray& ray, const Vec3d (&v)[3]) {
    const Vec3d a = v[0] - ray.origin, b = v[1] - ray.origin, c = v[2] - ray.origin, &d = ray.direction;
    const double size = std::max({length(a), length(b), length(c)});
    const double margin = 1e-9 * size * size * length(d);
    const double sides[3] = {dot(d, cross(a, b)), dot(d, cross(b, c)), dot(d, cross(c, a))};
    return *std::max_element(sides, sides + 3) > margin && *std::min_element(sides, sides + 3) < -margin;
}

Expected brute_force(const Ray& ray, const Geometry& g, const Matrix34f& m) {
    const Vec3r o = exact(ray.origin), d = exact(ray.direction);
    Expected out;
    for (std::uint32_t i = 0; i < g.topology->triangles.size(); ++i) {
        const auto& t = g.topology->triangles[i];
        const auto rough = [&](int k) { return transform_point(to_double(m), g.positions[t.vertices[k]]); };
        if (misses_by_far(ray, {rough(0), rough(1), rough(2)})) continue;
        const Vec3r v[3] = {placed(m, g.positions[t.vertices[0]]), placed(m, g.positions[t.vertices[1]]),
                            placed(m, g.positions[t.vertices[2]])};
        const auto first = first_on_triangle(o, d, v);
        if (first && (out.triangle == kNoIndex || *first < out.t)) out = {i, *first};
    }
    return out;
}

struct Case {
    ShapePtr shape;
    Matrix34f matrix;
    std::unique_ptr<MeshBvh> tree;

    Case(ShapePtr s, const Matrix34f& m) : shape(std::move(s)), matrix(m) {
        const auto executor = make_serial_executor();
        tree = std::make_unique<MeshBvh>(shape->geometry(), *executor);
    }
    RayBody body(bool with_tree) const {
        return {&shape->geometry(), &matrix, with_tree ? tree.get() : nullptr};
    }
};

void expect_right(const Case& c, const Ray& ray, const char* what) {
    const Expected expected = brute_force(ray, c.shape->geometry(), c.matrix);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const bool with_tree : {false, true}) {
        RayCounts counts;
        SurfaceHit hit, any;
        const RayBody body = c.body(with_tree);
        const bool found = find_surface_hit(ray, body, kInfinity, RayWant::first, hit, counts);
        ASSERT_EQ(found, expected.triangle != kNoIndex) << what << (with_tree ? " tree" : " boxes");
        ASSERT_EQ(find_surface_hit(ray, body, kInfinity, RayWant::any, any, counts), found);
        if (!found) continue;
        ASSERT_EQ(hit.triangle, expected.triangle) << what << (with_tree ? " tree" : " boxes");
        const Rational off = abs(Rational(hit.t) - expected.t);
        ASSERT_LE(off, Rational(hit.t_error)) << what;
        ASSERT_LE(hit.t_error, 1e-6 * (1 + hit.t)) << what;
        // The end counts, exactly.
        if (Rational(hit.t) == expected.t) {
            EXPECT_TRUE(find_surface_hit(ray, body, hit.t, RayWant::first, hit, counts)) << what;
            if (hit.t > 0) {
                SurfaceHit none;
                EXPECT_FALSE(
                    find_surface_hit(ray, body, std::nextafter(hit.t, 0.0), RayWant::any, none, counts));
            }
        }
    }
}

Vec3d random_point(Random& random, double extent) {
    return {random.uniform(-extent, extent), random.uniform(-extent, extent),
            random.uniform(-extent, extent)};
}

Matrix34f random_place(Random& random) {
    return to_matrix(Pose{random_rotation(random, 0, 3), random_point(random, 3)});
}

std::vector<Case> cases(Random& random) {
    std::vector<Case> out;
    for (const Primitive p : {Primitive::box, Primitive::ellipsoid_hull, Primitive::torus,
                              Primitive::uv_sphere, Primitive::tetra_flake, Primitive::cylinder})
        for (const bool turned : {false, true}) {
            const ShapePtr shape = make_primitive_shape(p, 120, 1.5f, 3).value();
            out.emplace_back(shape, turned ? random_place(random) : Matrix34f{});
        }
    PolygonList odd;  // triangles without area, overlapping, and coplanar
    odd.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {0.5f, 0.5f, 0}};
    for (const auto& loop : std::vector<std::vector<std::uint32_t>>{
             {0, 1, 2}, {0, 1, 3}, {1, 4, 3}, {0, 3, 5}, {0, 6, 3}, {5, 5, 5}, {0, 1, 3}})
        odd.add_polygon(loop);
    out.emplace_back(Shape::from_polygons(odd).value(), Matrix34f{});
    out.emplace_back(Shape::from_polygons(odd).value(), random_place(random));
    return out;
}

/// A point of the exact surface in double; with an identity matrix mostly exactly on the surface.
Vec3d surface_point(Random& random, const Case& c) {
    const Geometry& g = c.shape->geometry();
    const auto& t = g.topology->triangles[random.below(g.topology->triangles.size())];
    const auto at = [&](int i) { return transform_point(to_double(c.matrix), g.positions[t.vertices[i]]); };
    switch (random.below(3)) {
        case 0:
            return at(0);
        case 1:
            return 0.5 * at(0) + 0.5 * at(1);
        default:
            return 0.25 * at(0) + 0.25 * at(1) + 0.5 * at(2);
    }
}

TEST(RayShape, first_hits_match_rational_arithmetic_for_rays_of_every_kind) {
    Random random(11);
    const std::vector<Case> all = cases(random);
    for (const Case& c : all)
        for (int i = 0; i < 12; ++i) {
            const Vec3d from = random_point(random, i % 3 == 0 ? 40 : 4), through = surface_point(random, c);
            expect_right(c, {from, random.unit_vector()}, "any");
            expect_right(c, {from, through - from}, "through a corner, an edge or an inner point");
            expect_right(c, {through, random.unit_vector()}, "from the surface");
            const Vec3d other = surface_point(random, c);
            if (!(other == through)) expect_right(c, {through, other - through}, "along the surface");
            Vec3d axis;
            axis[random.below(3)] = random.below(2) == 0 ? -1 : 2;
            expect_right(c, {through - 3.0 * axis, axis}, "along an axis");
        }
}

TEST(RayShape, no_ray_from_inside_a_closed_surface_slips_through) {
    Random random(12);
    for (const Case& c : cases(random)) {
        if (!c.shape->hull()) continue;
        const Vec3d inside = transform_point(to_double(c.matrix), c.shape->hull()->interior);
        for (int i = 0; i < 400; ++i) {
            const Ray ray{inside, i % 4 == 0 ? random.unit_vector() : surface_point(random, c) - inside};
            for (const bool with_tree : {false, true}) {
                SurfaceHit hit;
                RayCounts counts;
                ASSERT_TRUE(find_surface_hit(ray, c.body(with_tree), 1e9, RayWant::any, hit, counts));
            }
        }
    }
}

TEST(RayShape, a_tree_and_boxes_give_identical_answers_and_the_tree_visits_few_triangles) {
    Random random(13);
    const Case c(make_primitive_shape(Primitive::torus, 20000, 2, 1).value(), random_place(random));
    RayCounts counts;
    int hits = 0;
    for (int i = 0; i < 500; ++i) {
        const Vec3d from = random_point(random, i % 2 == 0 ? 4 : 400);
        const Ray ray{from, (surface_point(random, c) - from) * random.uniform(0.1, 3) +
                                0.2 * static_cast<double>(i % 3) * random.unit_vector()};
        SurfaceHit with_tree, without;
        RayCounts others;
        const bool a = find_surface_hit(ray, c.body(true), 1e9, RayWant::first, with_tree, counts);
        const bool b = find_surface_hit(ray, c.body(false), 1e9, RayWant::first, without, others);
        ASSERT_EQ(a, b);
        hits += a;
        if (!a) continue;
        EXPECT_EQ(with_tree.t, without.t);
        EXPECT_EQ(with_tree.t_error, without.t_error);
        EXPECT_EQ(with_tree.triangle, without.triangle);
    }
    EXPECT_GT(hits, 200);
    EXPECT_LT(counts.triangles, 500u * 100) << "of 40,000 triangles";
}

TEST(RayShape, rays_hit_deformed_bodies_with_their_tree) {
    Random random(14);
    Case c(make_primitive_shape(Primitive::uv_sphere, 400, 1, 1).value(), random_place(random));
    Geometry own = c.shape->geometry();
    std::vector<VertexChange> changes;
    for (std::uint32_t v = 0; v < own.positions.size(); v += 7)
        changes.push_back({v, cast<float>(1.4 * random.unit_vector())});
    std::vector<std::uint32_t> touched;
    ASSERT_TRUE(deform(own, changes, touched).ok());
    c.tree->update(own, touched);
    for (int i = 0; i < 40; ++i) {
        const Vec3d from = random_point(random, 4), to = random_point(random, 3);
        const Ray ray{from, to - from};
        const Expected expected = brute_force(ray, own, c.matrix);
        for (const MeshBvh* tree :
             {static_cast<const MeshBvh*>(nullptr), static_cast<const MeshBvh*>(c.tree.get())}) {
            SurfaceHit hit;
            RayCounts counts;
            find_surface_hit(ray, {&own, &c.matrix, tree}, 1e9, RayWant::first, hit, counts);
            EXPECT_EQ(hit.triangle, expected.triangle);
        }
    }
}

TEST(RayShape, singular_matrices_and_distant_or_tiny_bodies_are_answered) {
    const ShapePtr cube = make_primitive_shape(Primitive::box, 6, 1, 1).value();
    Matrix34f flat;
    flat.m[5] = 0;  // flattened to a plane
    expect_right(Case(cube, flat), {{0.1, 3, 0.2}, {0, -1, 0}}, "flat, from above");
    expect_right(Case(cube, flat), {{-3, 0, 0.2}, {1, 0, 0}}, "flat, in its plane");
    expect_right(Case(cube, flat), {{-3, 0.001, 0.2}, {1, 0, 0}}, "flat, next to its plane");
    Random random(15);
    for (const double scale : {1e-9, 1e-3, 1e6})
        for (const double away : {0.0, 1e7}) {
            Matrix34f m = random_place(random);
            for (std::size_t i = 0; i < 12; ++i)
                m.m[i] = static_cast<float>(static_cast<double>(m.m[i]) * scale + (i % 4 == 3 ? away : 0));
            const Case c(cube, m);
            for (int i = 0; i < 10; ++i) {
                const Vec3d to = surface_point(random, c), from = to + 5 * scale * random.unit_vector();
                expect_right(c, {from, to - from}, "scaled");
                expect_right(c, {from, random.unit_vector()}, "scaled, anywhere");
            }
        }
}

TEST(RayShape, hits_of_two_bodies_are_ordered_exactly) {
    const ShapePtr cube = make_primitive_shape(Primitive::box, 6, 1, 1).value();
    const float side = cube->geometry().box.max.x;
    Matrix34f near, far;
    near.m[3] = 3;
    far.m[3] = std::nextafter(3.0f, 4.0f);
    const Ray ray{{-100, 0.01, 0.02}, {1, 0, 0}};
    const RayBody a{&cube->geometry(), &near, nullptr}, b{&cube->geometry(), &far, nullptr};
    SurfaceHit hit_a, hit_b;
    RayCounts counts;
    ASSERT_TRUE(find_surface_hit(ray, a, 1e9, RayWant::first, hit_a, counts));
    ASSERT_TRUE(find_surface_hit(ray, b, 1e9, RayWant::first, hit_b, counts));
    EXPECT_EQ(compare_hits(ray, a, hit_a, b, hit_b), -1);
    EXPECT_EQ(compare_hits(ray, b, hit_b, a, hit_a), 1);
    EXPECT_EQ(compare_hits(ray, a, hit_a, a, hit_a), 0);
    EXPECT_NEAR(hit_a.t, 103.0 - static_cast<double>(side), 1e-12);
}

}  // namespace
}  // namespace claybox::collision
