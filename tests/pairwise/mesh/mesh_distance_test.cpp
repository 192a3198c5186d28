#include "collision/pairwise/mesh/mesh_distance.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/mesh/triangle_distance.hpp"
#include "collision/pairwise/registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace claybox::collision {
namespace {

/// A shape with its BVH.
struct Mesh {
    explicit Mesh(ShapePtr s) : shape(std::move(s)) {
        tree = std::make_unique<MeshBvh>(shape->geometry(), *make_serial_executor());
    }
    ShapePtr shape;
    std::unique_ptr<MeshBvh> tree;
};

Mesh primitive(Primitive kind, std::uint32_t target_count, float radius) {
    return Mesh(make_primitive_shape(kind, target_count, radius, 3).value());
}

/// A random set of triangles, with needles and points among them.
Mesh soup(Random& random, std::uint32_t count) {
    PolygonList list;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto coordinate = [&] { return static_cast<float>(random.uniform(-1, 1)); };
        const Vec3f at{coordinate(), coordinate(), coordinate()};
        const float size = std::ldexp(1.0f, -static_cast<int>(random.below(8)));
        for (int k = 0; k < 3; ++k)
            list.positions.push_back(at + size * Vec3f{coordinate(), coordinate(), coordinate()});
        if (random.below(10) == 0) list.positions.back() = list.positions[list.positions.size() - 2];
        list.add_polygon(std::array<std::uint32_t, 3>{3 * i, 3 * i + 1, 3 * i + 2});
    }
    return Mesh(Shape::from_polygons(list).value());
}

DistanceSearch search_of(const Mesh& a, const Matrix34f& ma, const Mesh& b, const Matrix34f& mb) {
    DistanceSearch out;
    out.a = {a.tree.get(), &a.shape->geometry(), &ma};
    out.b = {b.tree.get(), &b.shape->geometry(), &mb};
    return out;
}

TriangleCorners<long double> corners(const Mesh& mesh, const Matrix34f& m, const Triangle& t) {
    TriangleCorners<long double> out;
    for (int k = 0; k < 3; ++k) {
        const auto v = cast<long double>(mesh.shape->geometry().positions[t.vertices[k]]);
        for (int r = 0; r < 3; ++r)
            out.p[k][static_cast<std::size_t>(r)] = m(r, 0) * v.x + m(r, 1) * v.y + m(r, 2) * v.z + m(r, 3);
    }
    return out;
}

/// All pairs of triangles.
double reference(const Mesh& a, const Matrix34f& ma, const Mesh& b, const Matrix34f& mb) {
    long double best = std::numeric_limits<long double>::infinity();
    std::vector<TriangleCorners<long double>> of_b;
    for (const Triangle& t : b.shape->topology().triangles) of_b.push_back(corners(b, mb, t));
    for (const Triangle& t : a.shape->topology().triangles) {
        const auto of_a = corners(a, ma, t);
        for (const auto& other : of_b) best = std::min(best, closest_of_triangles(of_a, other, best).squared);
    }
    return static_cast<double>(std::sqrt(best));
}

std::vector<Mesh> meshes() {
    std::vector<Mesh> out;
    out.push_back(primitive(Primitive::torus, 300, 1));
    out.push_back(primitive(Primitive::tetra_flake, 256, 1));
    out.push_back(primitive(Primitive::uv_sphere, 200, 0.5f));
    out.push_back(primitive(Primitive::box, 6, 1));
    out.push_back(primitive(Primitive::tetrahedron, 4, 0.3f));
    Random random(9);
    out.push_back(soup(random, 150));
    return out;
}

/// Rigid, scaled, sheared, mirrored or flat.
Matrix34f any_matrix(Random& random, double distance) {
    const Pose pose{random_rotation(random, 0, 3), distance * random.unit_vector()};
    Matrix34f m = to_matrix(pose);
    const auto kind = random.below(6);
    const auto column = [&](std::size_t k, float s) {
        for (std::size_t r = 0; r < 3; ++r) m.m[4 * r + k] *= s;
    };
    if (kind == 1) column(0, -1);
    if (kind == 2) column(2, 0);
    if (kind == 3) column(1, 0.01f);
    if (kind == 4)
        for (std::size_t r = 0; r < 3; ++r) m.m[4 * r] += 0.7f * m.m[4 * r + 1];
    if (kind == 5) column(1, 30);
    return m;
}

TEST(MeshDistance, equals_the_minimum_over_all_pairs_of_triangles) {
    const std::vector<Mesh> all = meshes();
    Random random(61);
    int apart = 0;
    for (int i = 0; i < 60; ++i) {
        const Mesh &a = all[random.below(all.size())], &b = all[random.below(all.size())];
        const Matrix34f ma = any_matrix(random, 1), mb = any_matrix(random, random.uniform(0, 4));
        const double want = reference(a, ma, b, mb);
        const MeshDistance got = find_mesh_distance(search_of(a, ma, b, mb));
        ASSERT_TRUE(got.found);
        EXPECT_NEAR(got.distance, want, 1e-9 * want + 1e-17) << i;
        if (!(want > 1e-6)) continue;
        ++apart;
        EXPECT_NEAR(length(got.b_w - got.a_w), want, 1e-9 * want + 1e-14) << i;
    }
    EXPECT_GT(apart, 20);
}

TEST(MeshDistance, does_not_depend_on_the_start_pair) {
    const std::vector<Mesh> all = meshes();
    Random random(62);
    std::uint64_t cold = 0, warm = 0;
    for (int i = 0; i < 100; ++i) {
        const Mesh &a = all[random.below(all.size())], &b = all[random.below(all.size())];
        const Matrix34f ma = any_matrix(random, 1), mb = any_matrix(random, random.uniform(1, 4));
        DistanceSearch search = search_of(a, ma, b, mb);
        const MeshDistance first = find_mesh_distance(search);
        for (int k = 0; k < 4; ++k) {
            search.start_a =
                k == 0 ? first.triangle_a
                       : static_cast<std::uint32_t>(random.below(a.shape->topology().triangles.size()));
            search.start_b =
                k == 0 ? first.triangle_b
                       : static_cast<std::uint32_t>(random.below(b.shape->topology().triangles.size()));
            const MeshDistance again = find_mesh_distance(search);
            EXPECT_EQ(again.distance, first.distance);
            EXPECT_EQ(again.triangle_a, first.triangle_a);
            EXPECT_EQ(again.triangle_b, first.triangle_b);
            EXPECT_EQ(again.a_w, first.a_w);
            if (k == 0) warm += again.triangles;
        }
        cold += first.triangles;
    }
    EXPECT_LT(warm, cold) << "the pair of the previous frame saves work";
}

TEST(MeshDistance, ignores_pairs_beyond_the_limit) {
    const std::vector<Mesh> all = meshes();
    Random random(63);
    for (int i = 0; i < 40; ++i) {
        const Mesh &a = all[random.below(all.size())], &b = all[random.below(all.size())];
        const Matrix34f ma = any_matrix(random, 1), mb = any_matrix(random, random.uniform(2, 5));
        DistanceSearch search = search_of(a, ma, b, mb);
        const double distance = find_mesh_distance(search).distance;
        for (const bool any : {false, true}) {
            search.any = any;
            for (const double part : {0.5, 0.999, 1.001, 2.0}) {
                search.within = part * distance;
                const MeshDistance got = find_mesh_distance(search);
                EXPECT_EQ(got.found, part >= 1 || distance == 0) << i << " " << part;
                if (got.found) {
                    EXPECT_LE(got.distance, search.within);
                }
                if (got.found && !any) {
                    EXPECT_EQ(got.distance, distance);
                }
            }
        }
    }
}

Matrix34f at(float x, float y, float z, float scale = 1) {
    Matrix34f m;
    m.m[0] = m.m[5] = m.m[10] = scale;
    m.m[3] = x;
    m.m[7] = y;
    m.m[11] = z;
    return m;
}

TEST(MeshDistance, is_accurate_for_gaps_far_below_the_coordinates) {
    const Mesh cube = primitive(Primitive::box, 6, 1);
    const float half = cube.shape->geometry().box.max.x;
    std::uint32_t widest = 0;
    // A large cube and a small one in front of its face, closer and closer: the gap is a sum of few floats.
    for (int k = 1; k < 90; ++k) {
        const float gap = std::ldexp(1.0f, -k), small = std::ldexp(1.0f, -20);
        Matrix34f mb = at(gap, 0, 0, small);
        const Matrix34f ma = at(-half, 0, 0);
        // Face of A at x = 0 exactly; face of B at gap - half * small.
        const double want = static_cast<double>(gap) - static_cast<double>(half) * static_cast<double>(small);
        if (!(want > 0)) {
            mb.m[0] = 0;  // B is flat: in the plane x = gap
            const MeshDistance got = find_mesh_distance(search_of(cube, ma, cube, mb));
            EXPECT_NEAR(got.distance, static_cast<double>(gap), 1e-7 * static_cast<double>(gap)) << k;
            widest = std::max(widest, got.bits);
            continue;
        }
        const MeshDistance got = find_mesh_distance(search_of(cube, ma, cube, mb));
        EXPECT_NEAR(got.distance, want, 1e-7 * want) << k;
        widest = std::max(widest, got.bits);
    }
    EXPECT_EQ(widest, 256u);
}

TEST(MeshDistance, of_small_distant_bodies_visits_few_triangles) {
    const Mesh torus = primitive(Primitive::torus, 2000, 1);
    for (const float distance : {1e3f, 1e5f, 1e7f}) {
        const Matrix34f ma, mb = at(distance, 0.3f * distance, 0);
        const MeshDistance got = find_mesh_distance(search_of(torus, ma, torus, mb));
        EXPECT_NEAR(got.distance, 1.04403 * static_cast<double>(distance),
                    3 + 1e-5 * static_cast<double>(distance));
        EXPECT_LT(got.triangles, 3000u) << distance;
    }
}

TEST(MeshDistance, is_finite_at_all_scales) {
    const std::vector<Mesh> all = meshes();
    Random random(64);
    for (int i = 0; i < 25; ++i) {
        const Mesh &a = all[random.below(all.size())], &b = all[random.below(all.size())];
        Matrix34f ma = any_matrix(random, 1), mb = any_matrix(random, 2);
        const float scale = std::ldexp(1.0f, static_cast<int>(random.below(118)) - 60);
        const float other = i % 3 == 0 ? std::ldexp(1.0f, static_cast<int>(random.below(118)) - 60) : scale;
        for (float& x : ma.m) x *= scale;
        for (float& x : mb.m) x *= other;
        const MeshDistance got = find_mesh_distance(search_of(a, ma, b, mb));
        EXPECT_TRUE(got.found);
        EXPECT_TRUE(std::isfinite(got.distance) && is_finite(got.a_w) && is_finite(got.b_w));
        const double want = reference(a, ma, b, mb);
        EXPECT_NEAR(got.distance, want, 1e-8 * want + 1e-17 * static_cast<double>(std::max(scale, other)))
            << i;
    }
}

TEST(MeshDistance, is_the_same_without_prepared_trees) {
    const std::vector<Mesh> all = meshes();
    const Matrix34f mb = at(3, 1, 0);
    const Matrix34f ma;
    DistanceSearch search = search_of(all[0], ma, all[1], mb);
    const double want = find_mesh_distance(search).distance;
    search.a.tree = search.b.tree = nullptr;
    EXPECT_EQ(find_mesh_distance(search).distance, want);
}

TEST(MeshDistance, of_a_point_is_that_of_a_triangle_without_area) {
    const Mesh torus = primitive(Primitive::torus, 500, 1);
    const ShapePtr point = Shape::from_hull(std::vector<Vec3f>{{0, 0, 0}}).value();
    const Matrix34f ma, mb = at(8, 0, 0);
    DistanceSearch search;
    search.a = {torus.tree.get(), &torus.shape->geometry(), &ma};
    search.b = {nullptr, &point->geometry(), &mb};
    const MeshDistance got = find_mesh_distance(search);
    EXPECT_TRUE(got.found);
    EXPECT_NEAR(got.distance, 7, 1e-6);

    Scratch scratch;
    PairCache cache;
    PairQuery query = make_pair_query(*torus.shape, ma, *point, mb, scratch);
    query.wants = kWantDistance;
    const PairResult answer = run_query(*find_pair_algorithm("mesh_bvh"), query, cache);
    EXPECT_NEAR(answer.distance, 7, 1e-6);
}

TEST(MeshDistance, stops_on_request) {
    const Mesh torus = primitive(Primitive::torus, 2000, 1);
    StopSource stop;
    stop.request_stop();
    const Matrix34f ma, mb = at(0, 0, 0.001f);
    DistanceSearch search = search_of(torus, ma, torus, mb);
    search.stop = StopToken(stop);
    EXPECT_TRUE(find_mesh_distance(search).stopped);
}

}  // namespace
}  // namespace claybox::collision
