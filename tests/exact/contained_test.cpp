// Locates points relative to closed meshes. Compares the fast locator, the exact scan of all triangles, and
// an independent count of crossings in rationals.

#include "collision/exact/contained.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>

namespace claybox::test {
namespace {

using namespace collision;

ShapePtr primitive(Primitive kind, std::uint32_t target_count) {
    return make_primitive_shape(kind, target_count, 1.0f, 5).value();
}

/// Boxes with integer corners (from, to), as one mesh.
ShapePtr boxes(const std::vector<std::array<Vec3f, 2>>& all, bool flip = false) {
    PolygonList list;
    for (const auto& [from, to] : all) {
        const auto base = static_cast<std::uint32_t>(list.positions.size());
        for (int i = 0; i < 8; ++i)
            list.positions.push_back({i & 1 ? to.x : from.x, i & 2 ? to.y : from.y, i & 4 ? to.z : from.z});
        for (const std::array<std::uint32_t, 4>& loop : std::array<std::array<std::uint32_t, 4>, 6>{
                 {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}}) {
            std::array<std::uint32_t, 4> at{};
            for (std::size_t k = 0; k < 4; ++k) at[k] = base + loop[flip ? 3 - k : k];
            list.add_polygon(at);
        }
    }
    return Shape::from_polygons(list).value();
}

Vec3r world(const Matrix34f& m, const Vec3f& v) {
    Vec3r out;
    for (int r = 0; r < 3; ++r)
        out[static_cast<std::size_t>(r)] = Rational(m(r, 0)) * Rational(v.x) +
                                           Rational(m(r, 1)) * Rational(v.y) +
                                           Rational(m(r, 2)) * Rational(v.z) + Rational(m(r, 3));
    return out;
}

/// The parity of crossings along a direction that avoids the edges of the test meshes; none if it hits an
/// edge anyway.
std::optional<bool> parity(const Shape& mesh, const Matrix34f& m, const Vec3r& p) {
    const Vec3r d{Rational(1009), Rational(7919) / 3, Rational(-104729) / 7};
    bool inside = false;
    for (const Triangle& t : mesh.topology().triangles) {
        Vec3r c[3];
        for (std::size_t i = 0; i < 3; ++i) c[i] = world(m, mesh.geometry().positions[t.vertices[i]]) - p;
        int turn[3];
        for (std::size_t i = 0; i < 3; ++i) turn[i] = dot(d, cross(c[i], c[(i + 1) % 3])).sign();
        if (turn[0] * turn[1] < 0 || turn[1] * turn[2] < 0 || turn[0] * turn[2] < 0) continue;
        const int height = dot(c[0], cross(c[1], c[2])).sign();
        if (turn[0] == 0 || turn[1] == 0 || turn[2] == 0 || height == 0) return std::nullopt;
        inside ^= height == turn[0];
    }
    return inside;
}

Matrix34f random_matrix(Random& random, int kind) {
    const Pose pose{random_rotation(random, 0, 3.1), 3.0 * random.unit_vector()};
    Matrix34f m = to_matrix(pose);
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) {
            if (kind == 1) m.m[4 * r + c] += static_cast<float>(random.uniform(-0.4, 0.4));  // sheared
            if (kind == 2 && c == 0) m.m[4 * r + c] = -m.m[4 * r + c];                       // mirrored
            if (kind == 3) m.m[4 * r + c] *= 0x1p-30f;
            if (kind == 4 && c == 2) m.m[4 * r + c] *= 0x1p-26f;  // nearly flat
        }
    return m;
}

/// A point near the mesh: float coordinates in its frame, transformed to the world in double.
Vec3d near_point(const Matrix34f& m, Random& random) {
    const Vec3d q{random.uniform(-1.1, 1.1), random.uniform(-1.1, 1.1), random.uniform(-1.1, 1.1)};
    return transform_point(to_double(m), cast<float>(q));
}

TEST(Contained, located_points_agree_with_crossings_counted_in_rationals) {
    Random random(1);
    int inside = 0, queries = 0, exact = 0;
    for (const Primitive kind : {Primitive::torus, Primitive::tetra_flake, Primitive::uv_sphere}) {
        const ShapePtr shape = primitive(kind, 120);
        for (int round = 0; round < 15; ++round) {
            const Matrix34f m = random_matrix(random, round % 5);
            const SolidLocator locator(shape->geometry(), m);
            for (int i = 0; i < 6; ++i) {
                const Vec3d p = near_point(m, random);
                const auto want = parity(*shape, m, claybox::test::exact(p));
                if (!want) continue;
                const PointLocation found = locator.locate({nullptr, p});
                EXPECT_EQ(found.inside, *want) << round;
                EXPECT_EQ(contains(shape->geometry(), m, {nullptr, p}, random.unit_vector()), *want) << round;
                exact += found.exact != 0 ? 1 : 0;
                inside += *want ? 1 : 0;
                ++queries;
            }
        }
    }
    EXPECT_GT(queries, 200);
    EXPECT_GT(inside, 30);
    EXPECT_LT(exact, queries / 2);
}

// Every ray along an axis from a lattice point passes through vertices, edges and diagonals.
TEST(Contained, Z_3_5_1_sing_rays_through_edges_and_vertices_are_decided_equally_in_every_direction) {
    const ShapePtr shape = boxes({{Vec3f{-4, -4, -4}, Vec3f{4, 4, 4}}, {Vec3f{-2, -2, -2}, Vec3f{2, 2, 2}}});
    const Matrix34f m;
    const SolidLocator locator(shape->geometry(), m);
    int inside = 0;
    for (int x = -5; x <= 5; ++x)
        for (int y = -5; y <= 5; ++y)
            for (int z = -5; z <= 5; ++z) {
                const Vec3d p{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
                const int reach = std::max({std::abs(x), std::abs(y), std::abs(z)});
                const bool want = reach >= 2 && reach <= 4;  // including the faces of the hole and the box
                EXPECT_EQ(locator.locate({nullptr, p}).inside, want) << x << " " << y << " " << z;
                for (const Vec3d& d : {Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{1, 1, 1}, Vec3d{1, -1, 0}})
                    EXPECT_EQ(contains(shape->geometry(), m, {nullptr, p}, d), want)
                        << x << " " << y << " " << z;
                inside += want ? 1 : 0;
            }
    EXPECT_EQ(inside, 9 * 9 * 9 - 3 * 3 * 3);
}

TEST(Contained, doubly_covered_regions_are_outside_and_orientation_does_not_matter) {
    for (const bool flip : {false, true}) {
        const ShapePtr crossed =
            boxes({{Vec3f{0, 0, 0}, Vec3f{4, 4, 4}}, {Vec3f{2, 2, 2}, Vec3f{6, 6, 6}}}, flip);
        EXPECT_TRUE(has_inside(crossed->classification()));
        const Matrix34f m;
        const SolidLocator locator(crossed->geometry(), m);
        EXPECT_TRUE(locator.locate({nullptr, {1, 1, 1}}).inside);
        EXPECT_FALSE(locator.locate({nullptr, {3, 3, 3}}).inside);
        EXPECT_TRUE(locator.locate({nullptr, {5, 5, 5}}).inside);
        EXPECT_FALSE(locator.locate({nullptr, {1, 5, 5}}).inside);
        EXPECT_TRUE(locator.locate({nullptr, {2, 2, 3}}).inside) << "on the surface";
    }
}

TEST(Contained, a_vertex_under_a_matrix_is_located_without_rounding) {
    const ShapePtr shape = boxes({{Vec3f{0, 0, 0}, Vec3f{1, 1, 1}}});
    Matrix34f other;
    other.m = {1, 0x1p-40f, 0, 0, 0, 1, 0, 0.5f, 0, 0, 1, 0.5f};
    const Matrix34f m;
    const SolidLocator locator(shape->geometry(), m);
    // 1 + 2^-63 is outside, although it rounds to 1 in double; 1 - 2^-63 is inside.
    EXPECT_FALSE(locator.locate({&other, {1, 0x1p-23, 0}}).inside);
    EXPECT_TRUE(locator.locate({&other, {1, -0x1p-23, 0}}).inside);
    EXPECT_TRUE(locator.locate({&other, {1, 0, 0}}).inside) << "touching";
}

TEST(Contained, a_flattened_mesh_contains_only_its_surface) {
    const ShapePtr shape = boxes({{Vec3f{-1, -1, -1}, Vec3f{1, 1, 1}}});
    Matrix34f m;
    m.m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    const SolidLocator locator(shape->geometry(), m);
    EXPECT_TRUE(locator.locate({nullptr, {0.25, 0.5, 0}}).inside);
    EXPECT_FALSE(locator.locate({nullptr, {0.25, 0.5, 0x1p-300}}).inside);
    EXPECT_FALSE(locator.locate({nullptr, {1.25, 0.5, 0}}).inside);
}

// Parity requires that every side of a triangle occurs an even number of times. This must also hold for
// polygons with holes, repeated vertices or zero area.
TEST(Contained, triangulation_of_a_closed_mesh_is_closed) {
    for (const ShapePtr& shape :
         {primitive(Primitive::tetra_flake, 500), primitive(Primitive::cylinder, 40),
          boxes({{Vec3f{0, 0, 0}, Vec3f{4, 4, 4}}, {Vec3f{4, 4, 4}, Vec3f{6, 6, 6}}})}) {
        ASSERT_TRUE(has_inside(shape->classification()));
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
        for (const Triangle& t : shape->topology().triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const auto [u, v] = std::minmax(t.vertices[k], t.vertices[(k + 1) % 3]);
                uses[{u, v}] += u == v ? 0 : 1;
            }
        for (const auto& [side, count] : uses) EXPECT_EQ(count % 2, 0) << side.first << " " << side.second;
    }
}

}  // namespace
}  // namespace claybox::test
